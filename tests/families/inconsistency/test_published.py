"""Runs of the family beside the paper's Table 4, a column for each source."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import misstep
from misstep.families.inconsistency.pairs import shipped_pairs, write_pairs
from misstep.report.page.gather import gather
from misstep.report.published.grids import Sheet, sheets


def table_4(logs: Path, *, is_all: bool = False) -> Sheet:
    found = [sheet for sheet in sheets(gather([logs]), is_all=is_all) if sheet.table.number == 4]
    (one,) = (sheet for sheet in found if sheet.table.paper == "Mind Your Step")
    return one


def test_a_run_on_all_sources_fills_every_column_of_its_row(tmp_path: Path) -> None:
    for name, subject in (("snli", "dog"), ("mnli", "train")):
        rows = (
            {
                "gold_label": "entailment",
                "sentence1": f"A {subject} passed {place} gates.",
                "sentence2": f"A {subject} moved {place} times.",
            }
            for place in range(4)
        )
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    write_pairs(tmp_path / "pairs", shipped_pairs()[:4])
    options = {
        "source": "all",
        **{name: str(tmp_path / name) for name in ("snli", "mnli", "pairs")},
    }
    run = misstep.run(
        "inconsistency", "ref/but", log_dir=tmp_path / "logs", scale="paper", options=options
    )
    assert len(run.records) == 3 * 2 * (4 + 4 + 4)
    (line,) = (line for line in table_4(tmp_path / "logs").grid.lines if line.is_own)
    assert [cell.text for cell in line.cells] == ["100.0%"] * 6


def test_the_papers_cot_is_the_mean_of_cot_and_explain(tmp_path: Path) -> None:
    run = misstep.run("inconsistency", "ref/but", log_dir=tmp_path)
    records = [
        # As if explaining had hidden every conflict.
        replace(record, value=0.0) if record.arm == "explain" and record.truth == "No" else record
        for record in run.records
    ]
    data = replace(gather([tmp_path]), records=records)
    (sheet,) = (s for s in sheets(data, is_all=False) if s.table.number == 4)
    (line,) = (line for line in sheet.grid.lines if line.is_own)
    texts = [cell.text for cell in line.cells]
    assert texts == ["-", "-", "-", "-", "100.0%", "75.0%"]
