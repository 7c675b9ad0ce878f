"""Pages from hardly anything: a statement in each case, never NaN, the same bytes every time."""

from __future__ import annotations

import dataclasses
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from misstep.analyse import compare
from misstep.core.records import Record
from misstep.report.page.files import ReportData, write_figures
from misstep.report.page.html import page
from misstep.report.page.text import comma_separated, latex, markdown

Data = Callable[..., ReportData]


def only(data: ReportData, keep: Callable[[Record], bool]) -> ReportData:
    records = [record for record in data.records if keep(record)]
    kept = {(record.arm, record.item) for record in records}
    return dataclasses.replace(
        data,
        records=records,
        comparisons=compare(records, data.specs),
        references=[one for one in data.references if one.item in {item for _, item in kept}],
        transcripts=[one for one in data.transcripts if (one.record.arm, one.record.item) in kept],
        readings=[
            one
            for one in data.readings
            if (one.transcript.record.arm, one.transcript.record.item) in kept
        ],
    )


def cases(report_data: Data) -> dict[str, tuple[ReportData, str]]:
    full = report_data()
    unread = report_data(direct="uu uu uu", cot="uu uu uu")
    return {
        "one arm": (only(full, lambda one: one.arm == "direct"), "nothing to compare"),
        "one group": (only(full, lambda one: one.group == "g0"), "not to be tested"),
        "one item": (only(full, lambda one: one.item == "0/0"), "Undecided"),
        "all unparsed": (unread, "All 12 unparsed replies"),
        "all right": (report_data(direct="cc cc", cot="cc cc"), "100.0 %"),
        "all wrong": (report_data(direct="ww ww", cot="ww ww"), "No room to fall"),
        "no records": (ReportData(()), "nothing to compare"),
    }


NAMES = ("one arm", "one group", "one item", "all unparsed", "all right", "all wrong", "no records")


@pytest.mark.parametrize("name", NAMES)
def test_hardly_any_data_make_a_page_with_a_statement(
    report_data: Data, tmp_path: Path, name: str
) -> None:
    data, statement = cases(report_data)[name]
    text = page(data)
    assert statement in text
    write_figures(tmp_path, data)
    numbers = "".join(file.read_text() for file in sorted(tmp_path.glob("*.csv")))
    for told in (text, markdown(data), latex(data), comma_separated(data), numbers):
        assert not re.search(r"\b(nan|inf|NaN|None)\b", told)


def test_a_page_is_the_same_to_the_byte_under_another_hash_seed(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from misstep.report.page.gather import gather\n"
        "from misstep.report.page.files import write\n"
        "write(Path(sys.argv[2]), gather([Path(sys.argv[1])]))\n"
    )
    subprocess.run(
        [sys.executable, "-m", "misstep", "run", "grammar", "--model", "ref/length", "--limit",
         "4", "--log-dir", str(tmp_path / "logs")],
        check=True, capture_output=True,
    )  # fmt: skip
    pages = []
    for seed in ("1", "2"):
        out = tmp_path / f"{seed}.html"
        subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "logs"), str(out)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        pages.append(out.read_bytes())
    assert pages[0] == pages[1]
    assert b"Was the answer read where it stands?" in pages[0]
    assert b"<mark>" in pages[0]
