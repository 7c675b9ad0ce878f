"""Figures with their numbers: on the page, and as .svg, .png and .csv."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from urllib.parse import unquote

import pytest

from misstep.core.errors import BadInput
from misstep.report.figures.exhibits import MOST_ROWS, comma_separated, markup
from misstep.report.page.data import sections
from misstep.report.page.evidence import exhibits
from misstep.report.page.files import ReportData, write_figures

Data = Callable[..., ReportData]


def saved(text: str) -> list[dict[str, str]]:
    """The rows of the file that the link in the page would save."""
    found = re.search(r'href="data:text/csv;charset=utf-8,([^"]*)"', text)
    assert found is not None
    return list(csv.DictReader(io.StringIO(unquote(unescape(found[1])))))


def test_the_link_saves_the_numbers_under_the_figure(report_data: Data) -> None:
    data = report_data()
    (section,) = sections(data)
    accuracy, outcomes, groups = exhibits(section, 1)
    rows = saved(markup(accuracy))
    assert [row["name"] for row in rows][:4] == ["direct", "cot", "chance", "always No"]
    assert float(rows[1]["accuracy"]) == section.arms[1].accuracy
    interval = section.arms[1].interval
    assert interval is not None
    assert (float(rows[1]["low"]), float(rows[1]["high"])) == (interval.low, interval.high)
    assert rows[2]["low"] == ""
    shares = {row["outcome"]: float(row["cot"]) for row in saved(markup(outcomes))}
    assert shares == dict(section.arms[1].outcomes)
    assert len(saved(markup(groups))) == 8


def test_every_figure_of_the_page_becomes_three_files(report_data: Data, tmp_path: Path) -> None:
    count = write_figures(tmp_path / "new" / "figures", report_data())
    files = sorted(file.name for file in (tmp_path / "new" / "figures").iterdir())
    names = sorted({file.rpartition(".")[0] for file in files})
    assert names == [
        "1-grammar-embedded-tiny-accuracy",
        "1-grammar-embedded-tiny-by-half-cot",
        "1-grammar-embedded-tiny-groups-cot",
        "1-grammar-embedded-tiny-outcomes",
    ]
    assert files == [f"{name}.{kind}" for name in names for kind in ("csv", "png", "svg")]
    assert count == 4
    png = (tmp_path / "new" / "figures" / f"{names[0]}.png").read_bytes()
    assert png.startswith(b"\x89PNG")


def test_two_models_of_nearly_one_name_keep_their_own_files(
    report_data: Data, tmp_path: Path
) -> None:
    one, other = report_data(who="a/b"), report_data(who="a-b")
    both = dataclasses.replace(one, records=[*one.records, *other.records])
    assert write_figures(tmp_path, both) == len(list(tmp_path.glob("*.csv"))) == 7


def test_two_arms_of_nearly_one_name_keep_their_own_files(
    report_data: Data, tmp_path: Path
) -> None:
    data = report_data()
    second = [dataclasses.replace(one, arm="COT") for one in data.records if one.arm == "cot"]
    wider = dataclasses.replace(data, records=[*data.records, *second])
    assert write_figures(tmp_path, wider) == len(list(tmp_path.glob("*.svg")))


def test_a_folder_that_cannot_be_is_named(report_data: Data, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match=r"--figures: .*file"):
        write_figures(tmp_path / "file", report_data())


def test_long_tables_of_numbers_are_cut_on_the_page_with_the_count_said(
    report_data: Data,
) -> None:
    (section,) = sections(report_data())
    whole = exhibits(section, 1)[2]
    long = dataclasses.replace(whole, rows=tuple((f"g{at}", 0.5, 0.5) for at in range(1_000)))
    text = markup(long)
    assert f"the first {MOST_ROWS} of 1,000 rows" in text
    assert len(saved(text)) == MOST_ROWS


def test_what_is_not_known_is_an_empty_cell_and_half_a_surrogate_pair_is_no_trouble(
    report_data: Data,
) -> None:
    assert comma_separated(("a", "b"), [("x,y", None), ("z", 0.1)]) == 'a,b\n"x,y",\nz,0.1\n'
    (section,) = sections(report_data())
    odd = dataclasses.replace(exhibits(section, 1)[0], rows=(("\ud800", 1, 0.5, None, None),))
    assert saved(markup(odd))[0]["accuracy"] == "0.5"
