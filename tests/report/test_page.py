"""The page: complete, safe with hostile replies, asking nothing of the network, reproducible."""

from __future__ import annotations

import csv
import dataclasses
import io
import re
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from misstep.analyse import plain
from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome
from misstep.report.page.data import sections
from misstep.report.page.examples import LONGEST, shortened
from misstep.report.page.files import ReportData, write
from misstep.report.page.html import page
from misstep.report.page.text import comma_separated, latex, markdown

Data = Callable[..., ReportData]
_VOID = {"meta", "br"}
_DRAWN = {"svg", "g", "title", "text", "path"}


class Outline(HTMLParser):
    """Collects the elements, and checks that they close in the order they opened."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def having(self, attribute: str) -> list[str]:
        return [value for name, value in self.attributes if name == attribute]


def outline(text: str) -> Outline:
    found = Outline()
    found.feed(text)
    assert found.open == []
    return found


def test_the_page_asks_for_nothing_from_anywhere(report_data: Data) -> None:
    text = page(report_data())
    found = outline(text)
    assert not {"script", "link", "img", "iframe", "object", "embed", "base"} & set(found.names)
    assert not {"src", "srcset", "action", "style"} & {
        name for kind, attributes in found.elements for name in attributes if kind not in _DRAWN
    }
    assert all(to.startswith(("#", "data:text/csv;")) for to in found.having("href"))
    assert not re.search(r"url\(|@import|https?:", text)
    assert "default-src 'none'" in text


def test_every_link_within_the_page_leads_somewhere(report_data: Data) -> None:
    found = outline(page(report_data()))
    named = found.having("id")
    assert len(named) == len(set(named)) > 2
    inner = [to.removeprefix("#") for to in found.having("href") if to.startswith("#")]
    assert inner == named


def test_whoever_cannot_see_or_point_finds_the_way(report_data: Data) -> None:
    found = outline(page(report_data()))
    kinds = dict(found.elements)
    assert kinds["html"]["lang"] == "en"
    assert found.names.count("main") == found.names.count("nav") == found.names.count("h1") == 1
    for kind, attributes in found.elements:
        if kind == "th":
            assert attributes["scope"] in ("col", "row")
        if attributes.get("tabindex") == "0":
            assert attributes["aria-label"]
        if kind == "svg":
            assert attributes["role"] == "img"
            assert len(attributes["aria-label"]) > 20


def test_a_hostile_reply_stays_text(report_data: Data) -> None:
    reply = "</pre><script>alert(1)</script><img src=x onerror=alert(2)>\x00\x1b[2J\ud800"
    found = outline(page(report_data(reply=reply)))
    assert not {"script", "img"} & set(found.names)
    assert "<script>alert(1)</script>" in found.text
    assert not re.search("[\x00\x1b\ud800]", found.text)


def test_a_hostile_model_name_stays_text(report_data: Data) -> None:
    assert "b" not in outline(page(report_data(who='"><b>x</b>'))).names


def test_a_reply_of_a_megabyte_is_shortened_with_a_note(report_data: Data) -> None:
    text = page(report_data(reply="start " + "x" * 1_000_000 + " end"))
    assert len(text) < 500_000
    assert "of 1,000,010 characters left out" in text
    assert " end</pre>" in text


def test_a_short_reply_is_shown_whole() -> None:
    assert shortened("x" * LONGEST) == "x" * LONGEST


def test_the_same_data_give_the_same_bytes(report_data: Data) -> None:
    assert page(report_data()) == page(report_data())


def test_the_verdict_comes_first_in_words(report_data: Data) -> None:
    text = outline(page(report_data())).text
    assert text.index("cot does worse than direct") < text.index("Accuracy")


def test_every_part_of_the_evidence_is_there(report_data: Data) -> None:
    text = outline(page(report_data())).text
    for part in (
        "Accuracy", "chance", "always No", "length", "By group: cot against direct", "Outcomes",
        "Answers and bias", "bias to Yes, points", "What an answer took",
        "tokens out for each right answer", "By half: cot against direct",
        "Was the answer read where it stands?", "12 of 28 readings", "The one unparsed reply",
        "Examples of each outcome", "What ran", "seed",
    ):  # fmt: skip
        assert part in text, part


def test_every_figure_has_words_and_every_table_a_caption(report_data: Data) -> None:
    found = outline(page(report_data()))
    assert found.names.count("svg") == 4
    assert found.attributes.count(("role", "img")) == 4
    labels = [value for name, value in found.attributes if name == "aria-label"]
    assert any("direct 93.8 %" in label and "cot 37.5 %" in label for label in labels)
    assert any("below direct in 7 groups, level in 1, above in 0" in label for label in labels)
    assert found.names.count("table") == found.names.count("caption")


def test_headings_never_skip_a_level(report_data: Data) -> None:
    levels = [
        int(name[1]) for name in outline(page(report_data())).names if re.fullmatch("h[1-6]", name)
    ]
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def test_up_to_five_examples_of_each_outcome_from_the_arms_in_turn(report_data: Data) -> None:
    (section,) = sections(report_data())
    assert {outcome: len(found) for outcome, found in section.examples.items()} == {
        Outcome.CORRECT: 5,
        Outcome.WRONG: 5,
        Outcome.UNPARSED: 1,
        Outcome.REFUSED: 1,
        Outcome.TRUNCATED: 1,
        Outcome.EMPTY: 1,
    }
    arms = [one.record.arm for one in section.examples[Outcome.CORRECT]]
    assert arms == ["direct", "cot", "direct", "cot", "direct"]


def test_one_arm_alone_makes_a_page_without_a_verdict(report_data: Data) -> None:
    data = report_data()
    direct = [record for record in data.records if record.arm == "direct"]
    text = outline(page(dataclasses.replace(data, comparisons=(), records=direct))).text
    assert "nothing to compare" in text
    assert "93.8 %" in text


def test_comparisons_alone_make_a_page(report_data: Data) -> None:
    text = outline(page(ReportData(report_data().comparisons))).text
    assert "cot does worse than direct" in text
    assert "37.5 %" in text


def test_no_table_prints_an_unknown_cost_as_zero(report_data: Data) -> None:
    assert re.search(r'<th scope="row">cost</th><td>–</td><td>–</td>', page(report_data()))


@pytest.mark.parametrize("ending", [".html", ".md", ".tex", ".csv", ".HTML"])
def test_the_ending_chooses_the_kind(report_data: Data, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"report{ending}"
    write(out, report_data(reply="half a pair: \ud800"))
    starts = {".html": "<!DOCTYPE", ".md": "# Does", ".tex": "% needs", ".csv": "family,"}
    assert out.read_text(encoding="utf-8").startswith(starts[ending.lower()])


def test_an_unknown_ending_is_named_before_anything_is_written(
    report_data: Data, tmp_path: Path
) -> None:
    out = tmp_path / "report.pdf"
    with pytest.raises(
        BadInput, match=r"--out: 'report.pdf' ends in none of .html, .md, .tex, .csv"
    ):
        write(out, report_data())
    assert not out.exists()


def test_markdown_keeps_names_in_their_cells(report_data: Data) -> None:
    text = markdown(report_data(who="a|b*c"))
    assert r"a\|b\*c" in text
    assert "**hurts**" in text
    assert "| seed | 0 |" in text
    assert "| tokens out for each right answer | 2.1 | 667 |" in text
    assert "### By half" in text
    assert text.index("Hurts: cot does worse") < text.index("125 × the tokens")


def test_latex_escapes_what_latex_would_read(report_data: Data) -> None:
    row = latex(report_data(who=r"my_model & 100%\x")).splitlines()[5]
    assert r"my\_model \& 100\%\textbackslash{}x" in row
    assert row.count(" & ") == 9
    assert row.endswith(r"hurts \\")


def test_csv_has_the_numbers_unrounded(report_data: Data) -> None:
    data = report_data()
    (row,) = csv.DictReader(io.StringIO(comma_separated(data)))
    assert float(row["p"]) == data.comparisons[0].p
    assert row["verdict"] == "hurts"
    assert float(row["arm_truncated"]) == 1 / 16


def test_every_key_of_the_json_is_in_the_documents(report_data: Data) -> None:
    text = (Path(__file__).parents[2] / "docs" / "compare.md").read_text(encoding="utf-8")
    (one,) = report_data().comparisons
    found = plain.plain(one)
    assert isinstance(found, dict)
    summary = found["arm_summary"]
    assert isinstance(summary, dict)
    for key in (*found, *summary, *found["left_out"], *found["equivalence"]):
        assert f"`{key}`" in text, key
