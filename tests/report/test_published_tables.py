"""The published tables with runs beside: real runs of reference solvers, and records by hand."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

import misstep
from misstep.analyse import compare
from misstep.analyse.inference.paper import pooled_z_p
from misstep.core.answers.vocabulary import VOCABULARIES
from misstep.core.arms import Arm
from misstep.core.errors import BadInput
from misstep.core.family import Prediction, Scale, Spec
from misstep.core.measures import ACCURACY, PASSES
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.report.page.data import ReportData
from misstep.report.page.files import Which, write
from misstep.report.page.gather import gather
from misstep.report.published.grids import Grid, Line, Sheet, sheets
from misstep.report.published.plain import COLUMNS, comma_separated, latex, markdown


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> ReportData:
    """A solver on the grammars, and one on two of planbench's tests."""
    logs = tmp_path_factory.mktemp("logs")
    misstep.run("grammar", "ref/acs", log_dir=logs)
    for test in ("plan-generation", "plan-reuse"):
        options = {"test": test, "cache": "none"}
        misstep.run("planbench", "ref/planner", log_dir=logs, limit=2, options=options)
    return gather([logs])


def of(data: ReportData, paper: str, number: int) -> Sheet:
    every = sheets(data, is_all=True)
    (one,) = (s for s in every if (s.table.paper, s.table.number) == (paper, number))
    return one


def own_lines(grid: Grid) -> dict[str, Line]:
    return {line.name: line for line in grid.lines if line.is_own}


def test_real_runs_stand_below_the_published_rows_of_their_table(real: ReportData) -> None:
    grid = of(real, "Mind Your Step", 1).grid
    assert [line.is_own for line in grid.lines] == [False] * 10 + [True]
    lines = own_lines(grid)
    assert list(lines) == ["ref/acs"]
    (one,) = (c for c in real.comparisons if c.who == "ref/acs")
    direct, cot, fall, p = lines["ref/acs"].cells
    assert (direct.value, direct.n) == (100 * one.baseline_summary.accuracy, 24)
    assert cot.value == 100 * one.arm_summary.accuracy
    assert fall.value == -one.effect
    assert p.value == one.paper_p
    assert lines["ref/acs"].name_and_n == "ref/acs (n = 24)"


def test_only_tables_that_the_runs_belong_to_are_shown(real: ReportData) -> None:
    shown = [one.table.title for one in sheets(real, is_all=False)]
    # Table 8 is of grammars, too, but no tree of thought ran.
    assert shown == ["Mind Your Step, Table 1", "PlanBench, Table 1"]
    assert len(sheets(real, is_all=True)) == 8


def test_planbench_runs_are_columns_beside_the_published_models(real: ReportData) -> None:
    grid = of(real, "PlanBench", 1).grid
    assert [(head.text, head.span) for head in grid.over] == [("published", 3), ("your runs", 2)]
    assert grid.heads[3:] == ("ref/planner, direct", "ref/planner, cot")
    cells = {line.name: [cell.text for cell in line.cells] for line in grid.lines}
    assert cells["Plan Generation"] == [
        "3/500 (0.6%)", "25/500 (5%)", "1/200 (0.5%)", "2/2 (100%)", "2/2 (100%)",
    ]  # fmt: skip
    assert cells["Plan Reuse"][3:] == ["2/2 (100%)", "2/2 (100%)"]
    assert cells["Optimal Planning"][3:] == ["-", "-"]


def test_another_domain_and_disguised_words_stay_out_of_the_blocksworld_table() -> None:
    domains = ("blocksworld", "ferry", "blocksworld+random")
    records = [
        one
        for right, domain in enumerate(domains)
        for one in arm_records("planbench", "direct", right, 3, test="plan-reuse", domain=domain)
    ]
    grid = of(data_of(records), "PlanBench", 1).grid
    (line,) = (line for line in grid.lines if line.name == "Plan Reuse")
    assert [cell.text for cell in line.cells[3:]] == ["0/3 (0%)"]


def test_each_comparison_is_given_in_full(real: ReportData) -> None:
    full = of(real, "PlanBench", 1).full
    assert full is not None
    assert [line.cells[0].text for line in full.lines] == [
        "plan-generation, blocksworld",
        "plan-reuse, blocksworld",
    ]
    texts = [cell.text for cell in full.lines[0].cells]
    assert texts[1:] == ["cot", "2", "100.00%", "100.00%", "0.00", "0.00%", "-"]


# Records by hand: families that the paper has and what their tables need.


def record(
    family: str, arm: str, item: int, value: float, who: str = "m", **factors: str
) -> Record:
    return Record(
        family, 1, who, f"{factors}{item}", f"{factors}{item}", arm, 1,
        Outcome.CORRECT if value else Outcome.WRONG, value, factors=factors,
    )  # fmt: skip


def arm_records(family: str, arm: str, right: int, n: int, **factors: str) -> list[Record]:
    return [record(family, arm, item, float(item < right), **factors) for item in range(n)]


def data_of(records: Sequence[Record], *specs: Spec) -> ReportData:
    known = {spec.name: spec for spec in specs}
    return ReportData(compare(records, known), records, specs=known)


def spec_of(name: str, *arms: str) -> Spec:
    return Spec(
        name=name,
        title=name,
        version=1,
        source="",
        measures="",
        arms=tuple(Arm(arm, "", arm) for arm in arms),
        options=(),
        factors=(),
        scales={"quick": Scale(1)},
        vocabulary=VOCABULARIES["yes_no"],
        chance=0.5,
        margin=0.5,
        prediction=Prediction(True, True, "hurts", ""),
        measure=PASSES if name == "vehicles" else ACCURACY,
    )


def test_the_papers_own_counts_give_the_papers_own_row() -> None:
    records = arm_records("cups", "direct", 42, 100) + arm_records("cups", "cot", 38, 100)
    grid = of(data_of(records), "Mind Your Step", 5).grid
    # The printed relative change, -10.53 %, is against CoT; ours is against direct.
    texts = [cell.text for cell in own_lines(grid)["m"].cells]
    assert texts == ["42%", "38%", "-4%", "-9.52%", "0.282"]
    assert "The printed relative changes are against CoT; yours are against direct." in grid.notes


def test_passes_are_means_and_have_no_p_of_shares() -> None:
    records = [record("vehicles", "direct", item, 2.0) for item in range(6)]
    records += [record("vehicles", "cot", item, 5.0 + item % 2) for item in range(6)]
    grid = of(data_of(records, spec_of("vehicles", "direct", "cot")), "Mind Your Step", 3).grid
    assert [cell.text for cell in own_lines(grid)["m"].cells] == ["2.0", "5.5", "3.5", "175%", "-"]


def test_sources_have_columns_of_their_own_and_cot_is_the_mean_of_both_prompts() -> None:
    records = [
        one
        for source, right in (("mnli", 10), ("snli", 5))
        for arm, more in (("direct", 0), ("cot", 4), ("explain", 6))
        for one in arm_records("inconsistency", arm, right + more, 20, source=source)
    ]
    spec = spec_of("inconsistency", "direct", "cot", "explain")
    sheet = of(data_of(records, spec), "Mind Your Step", 4)
    assert [cell.text for cell in own_lines(sheet.grid)["m"].cells] == [
        "50.0%", "75.0%", "25.0%", "50.0%", "-", "-",
    ]  # fmt: skip
    assert sheet.full is not None
    full = [[cell.text for cell in line.cells[:6]] for line in sheet.full.lines]
    assert full == [
        ["mnli", "cot", "20", "50.00%", "70.00%", "+20.00"],
        ["mnli", "explain", "20", "50.00%", "80.00%", "+30.00"],
        ["snli", "cot", "20", "25.00%", "45.00%", "+20.00"],
        ["snli", "explain", "20", "25.00%", "55.00%", "+30.00"],
    ]


def test_the_table_of_trees_takes_those_models_alone_that_grew_some() -> None:
    spec = spec_of("grammar", "direct", "cot", "tot")
    arms = {"direct": 9, "cot": 7, "tot": 8}
    records = [one for arm, right in arms.items() for one in arm_records("grammar", arm, right, 10)]
    without = [record("grammar", "direct", item, 1.0, who="other") for item in range(10)]
    grid = of(data_of(records + without, spec), "Mind Your Step", 8).grid
    assert list(own_lines(grid)) == ["m"]
    texts = [cell.text for cell in own_lines(grid)["m"].cells]
    assert texts[:5] == ["90.00%", "70.00%", "80.00%", "20.00%", "10.00%"]
    assert texts[5] == f"{pooled_z_p(0.9, 0.7, 10):.3f}"


def test_one_arm_alone_fills_its_cell_and_no_other() -> None:
    grid = of(data_of(arm_records("cups", "cot", 3, 4)), "Mind Your Step", 5)
    assert [cell.text for cell in own_lines(grid.grid)["m"].cells] == ["-", "75%", "-", "-", "-"]
    assert grid.full is None


def test_runs_of_no_published_family_are_refused_unless_every_table_is_asked_for() -> None:
    data = data_of(arm_records("colours", "direct", 3, 4))
    with pytest.raises(BadInput, match=r"--paper: no run belongs to a published table"):
        sheets(data, is_all=False)
    every = sheets(data, is_all=True)
    assert len(every) == 8
    assert not any(line.is_own for sheet in every for line in sheet.grid.lines)


# What is written.


class _Tables(HTMLParser):
    """The widths of the tables' rows in columns, and whether elements close as they open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.widths: list[list[int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.widths.append([])
        if tag == "tr":
            self.widths[-1].append(0)
        if tag in ("td", "th"):
            self.widths[-1][-1] += int(dict(attrs).get("colspan") or 1)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_holds_the_tables_before_its_end(real: ReportData, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    write(out, real, Which.OWN)
    text = out.read_text(encoding="utf-8")
    assert text.index("<h1>") < text.index("The papers' tables") < text.index("</main>")
    assert text.count("</main>") == text.count("</style>") == 1
    assert not re.search(r"url\(|@import|https?:", text)
    found = _Tables()
    found.feed(text)
    assert found.open == []
    assert all(len(set(widths)) == 1 for widths in found.widths)
    assert text.count("<table") == text.count("<caption")


def test_a_page_without_the_tables_is_as_ever(real: ReportData, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    write(out, real)
    assert "The papers' tables" not in out.read_text(encoding="utf-8")


def test_a_hostile_model_name_stays_text(tmp_path: Path) -> None:
    records = [
        record("cups", arm, item, 1.0, who="</main><b>|&_") for arm in ("direct", "cot")
        for item in range(3)
    ]  # fmt: skip
    data = data_of(records)
    out = tmp_path / "page.html"
    write(out, data, Which.OWN)
    text = out.read_text(encoding="utf-8")
    assert text.count("</main>") == 1
    assert "<b>" not in text
    assert r"\</main\>\<b\>\|&\_" in markdown(sheets(data, is_all=False))
    assert r"\textless{}b\textgreater{}|\&\_" in latex(sheets(data, is_all=False))


def test_markdown_rows_are_as_wide_as_their_heads(real: ReportData) -> None:
    text = markdown(sheets(real, is_all=True))
    for block in re.findall(r"(?:^\|.*\n?)+", text, re.M):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.split("\n") if line}) == 1
    assert "| **ref/acs (n = 24)** |" in text
    assert r"| MNLI: Zero-shot | MNLI: CoT |" in text


def test_latex_tables_close_and_their_rows_are_as_wide_as_their_columns(real: ReportData) -> None:
    text = latex(sheets(real, is_all=True))
    assert text.isascii()
    tables = re.findall(
        r"\\begin\{table\}.*?\\begin\{tabular\}\{(l r*|lr*)\}(.*?)\\end\{tabular\}\n\\end\{table\}",
        text,
        re.DOTALL,
    )
    assert len(tables) == text.count(r"\begin{table}") == 10
    for columns, body in tables:
        rows = [line for line in body.split("\n") if line.endswith(r"\\")]
        for row in rows:
            spans = [int(n) - 1 for n in re.findall(r"\\multicolumn\{(\d+)\}", row)]
            assert len(re.findall(r"(?<!\\)&", row)) + sum(spans) == len(columns) - 1
            assert not re.search(r"(?<!\\)[%#_~^]", row)


def test_csv_says_of_each_cell_whose_it_is(real: ReportData, tmp_path: Path) -> None:
    out = tmp_path / "cells.csv"
    write(out, real, Which.OWN)
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[0]) == COLUMNS
    tables = list(csv.DictReader(io.StringIO(comma_separated(sheets(real, is_all=False)))))
    assert rows[: len(tables)] == tables
    assert {row["row"] for row in rows[len(tables) :]} == {"people, Fallshore & Schooler (1993)"}
    own = [row for row in rows if row["source"] == "your runs" and row["row"] == "ref/acs"]
    assert [row["column"] for row in own] == [
        "Zero-shot", "CoT", "Performance decrease", "p-value",
    ]  # fmt: skip
    planner = [row for row in rows if row["column"] == "ref/planner, direct"]
    assert {row["source"] for row in planner} == {"your runs"}
    assert [float(row["value"]) for row in planner] == [100.0, 100.0]
    bound = next(row for row in rows if row["text"] == "<0.0001")
    assert bound["value"] == ""
