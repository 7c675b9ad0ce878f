"""Script in every field of every record, prompt, reply and name: no page and no file runs it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from misstep.analyse import compare
from misstep.core.family import Spec
from misstep.core.records import Record, Transcript
from misstep.report.page.choosing import choose, key_of
from misstep.report.page.data import Reading
from misstep.report.page.files import ReportData, RunFacts, write, write_figures
from misstep.report.page.html import page

Data = Callable[..., ReportData]
SCRIPT = "\"'></td></text></style></title><script>alert(1)</script><img src=x onerror=alert(2)>"
TEXTS = (
    "who", "item", "group", "arm", "answer", "reason", "truth", "lure", "stop_reason", "variant",
    "thinking", "thinking_sent",
)  # fmt: skip
FAMILY = f"ab:{SCRIPT}"


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}


def hostile(record: Record) -> Record:
    """The same record with script behind each of its texts, in its factors and its scores."""
    texts: dict[str, Any] = {  # Any: `replace` takes a field's own type
        name: f"{getattr(record, name) or ''}{SCRIPT}" for name in TEXTS
    }
    factors = {f"half{SCRIPT}": f"{record.factors['half']}{SCRIPT}"}
    first = f"direct{SCRIPT}"
    return dataclasses.replace(
        record, **texts, family=FAMILY, factors=factors, details={SCRIPT: 1.0}, first_arm=first
    )


@pytest.fixture
def planted(report_data: Data) -> ReportData:
    plain = report_data()
    arms = [dataclasses.replace(arm, name=f"{arm.name}{SCRIPT}") for arm in _spec(plain).arms]
    spec = dataclasses.replace(
        _spec(plain), name=FAMILY, title=SCRIPT, arms=tuple(arms), factors=(f"half{SCRIPT}",)
    )
    records = [hostile(record) for record in plain.records]
    told = {key_of(one): Transcript(one, f"asked {SCRIPT}", f"said {SCRIPT}") for one in records}
    choice = choose(records)
    return ReportData(
        comparisons=compare(records, {FAMILY: spec}),
        records=records,
        references=[dataclasses.replace(one, who=f"ref/{SCRIPT}", score=1.0) for one in records],
        transcripts=[told[key] for key in choice.examples],
        readings=[Reading(told[key], (2, 9)) for key in (*choice.readings, *choice.unparsed)],
        facts=[RunFacts(f"logs/{SCRIPT}", ((f"model {SCRIPT}", SCRIPT),))],
        specs={FAMILY: spec},
    )


def _spec(data: ReportData) -> Spec:
    return data.specs["grammar"]


def checked(text: str) -> str:
    """The text, which makes no element and no attribute that runs or fetches anything."""
    found = Elements()
    found.feed(text)
    assert not {"script", "img", "iframe", "object", "foreignobject"} & found.names
    assert not {name for name in found.attributes if name.startswith("on")}
    return text


def test_the_page_runs_nothing_that_was_planted(planted: ReportData) -> None:
    assert planted.comparisons, "nothing was compared"
    text = checked(page(planted))
    assert text.count("alert(1)") > 20, "the page doesn't show what was planted"
    assert text.count("</style>") == 1
    assert "default-src 'none'" in text


def test_a_figure_is_drawn_with_it_as_text(planted: ReportData, tmp_path: Path) -> None:
    write_figures(tmp_path, planted)
    drawn = [
        path.read_text(encoding="utf-8") for path in tmp_path.iterdir() if path.suffix == ".svg"
    ]
    assert any("alert(1)" in checked(text) for text in drawn)


def test_a_markdown_page_has_every_tag_escaped(planted: ReportData, tmp_path: Path) -> None:
    write(tmp_path / "page.md", planted)
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "alert(1)" in text
    assert not re.search(r"(?<!\\)<(script|img|/)", text)
