"""The page as one HTML file that asks for nothing from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from misstep.analyse.comparison import Comparison
from misstep.analyse.effects import effect_differences
from misstep.analyse.predictions import predicted
from misstep.report import wording
from misstep.report.figures.exhibits import markup
from misstep.report.lines import lines
from misstep.report.many import people, predictions
from misstep.report.own.section import worth_part
from misstep.report.own.terms import Terms
from misstep.report.page import arm_claims, frozen
from misstep.report.page.audit import audit
from misstep.report.page.data import ReportData, RunFacts, Section, sections
from misstep.report.page.evidence import exhibits, factor_exhibits, tables
from misstep.report.page.examples import examples
from misstep.report.page.markup import items, table, tag
from misstep.report.page.style import STYLE
from misstep.report.page.summary import lead, summary, word

MOST_WORDS = 2_400_000
"""Bytes of prompts and replies on a page, shared between its sections."""
_EXPLORED = (
    "To look at, not to conclude from: nothing here is tested, or corrected for how much is looked "
    "at. <code>misstep compare --by FACTOR</code> tests the levels of one factor."
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True)
class Part:
    """A part of the page with a heading of its own, to be found by its anchor."""

    anchor: str
    heading: str
    body: str


def page(data: ReportData) -> str:
    """The whole document; the same data give the same text."""
    found = sections(data)
    compared = [one for one in data.comparisons if one.factor is None]
    listed = [part for part in _parts(data, found, compared) if part.body]
    title = _title(found)
    head = tag("h1", escape(title)) + tag("p", escape(lead(compared)), kind="lead")
    body = head + _contents(listed) + "".join(map(_part, listed))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def _parts(
    data: ReportData, found: Sequence[Section], compared: Sequence[Comparison]
) -> list[Part]:
    """What the page is made of, in this order; a part without a body is left out."""
    room = MOST_WORDS // max(1, len(found))
    return [
        Part("verdicts", "The verdicts", summary(compared, data.specs)),
        Part(
            "people",
            people.TITLE,
            people.body(effect_differences(data.records, data.specs), data.specs),
        ),
        *(
            Part(f"section-{number}", section.title, _section(section, number, room, data.terms))
            for number, section in enumerate(found, 1)
        ),
        Part(
            "predictions",
            predictions.TITLE,
            predictions.predictions_body(predicted(compared, data.specs)),
        ),
        Part("frozen", frozen.TITLE, frozen.body(data.frozen)),
        Part("what-ran", "What ran", _what_ran(data.facts)),
    ]


def _section(section: Section, number: int, room: int, terms: Terms) -> str:
    """What a section is made of, in this order."""
    figures = [*map(markup, exhibits(section, number)), *_tables(section), _ranking(section)]
    return "".join(
        (
            *map(_verdict, section.comparisons),
            worth_part(section.records, section.comparisons, section.exchanged, terms, room // 2),
            tag("div", "".join(figures), kind="figures"),
            _by_factor(section, number),
            _levels(section.levels),
            _claims(section),
            audit(section, room // 2),
            examples(section.examples, room // 2),
        )
    )


def _part(part: Part) -> str:
    return f'<section id="{part.anchor}">{tag("h2", escape(part.heading))}{part.body}</section>'


def _contents(listed: Iterable[Part]) -> str:
    links = "".join(
        tag("li", f'<a href="#{part.anchor}">{escape(part.heading)}</a>') for part in listed
    )
    return f'<nav aria-label="Contents">{tag("ul", links)}</nav>'


def _title(found: Sequence[Section]) -> str:
    families = dict.fromkeys(
        section.spec.title if section.spec else section.subject.family for section in found
    )
    return f"Does thinking help? {', '.join(families)}" if families else "Does thinking help?"


def _verdict(one: Comparison) -> str:
    effect = tag("span", escape(wording.difference(one.effect, one.measure)))
    reach = tag("small", escape(f"({wording.points_interval(one.interval, one.measure)})"))
    said = (f"{wording.sizes(one)}; {wording.change_line(one)}", *lines(one))
    return tag(
        "div",
        tag("h3", escape(f"{one.one} against {one.other}"))
        + tag("p", word(one) + escape(wording.verdict_sentence(one)))
        + tag("p", f"{effect} {reach}", kind="effect")
        + "".join(tag("p", escape(line), kind="soft") for line in said)
        + items(one.warnings),
        kind="verdict",
    )


def _tables(section: Section) -> list[str]:
    return [
        tag("div", tag("h3", escape(one.heading)) + table(one.caption, one.heads, one.rows))
        for one in tables(section)
    ]


def _ranking(section: Section) -> str:
    found = section.arms[0].ranking if section.arms else None
    if found is None:
        return ""
    arm = escape(section.arms[0].arm)
    said = (
        f"{arm}: {wording.percent(found)}. The mean area under the curve within a group, of the "
        "log-probabilities of the answers; 50 % is chance. It sees more than the answers "
        "themselves, such as knowledge behind a bias to one answer."
    )
    return tag("div", tag("h3", "Ranking measure") + tag("p", said))


def _by_factor(section: Section, number: int) -> str:
    found = factor_exhibits(section, number)
    if not found:
        return ""
    figures = tag("div", "".join(markup(one, level=4) for one in found), kind="figures")
    return tag("h3", "By factor") + tag("p", _EXPLORED, kind="soft") + figures


def _levels(levels: Sequence[Comparison]) -> str:
    if not levels:
        return ""
    rows = [
        (
            f"{wording.level(one)}, {one.arm}",
            f"{one.n:,}",
            wording.amount(one.baseline_summary.accuracy, one.measure),
            wording.amount(one.arm_summary.accuracy, one.measure),
            _effect(one),
            wording.p_value(one.p_adjusted).removeprefix("= "),
            wording.verdict_word(one),
        )
        for one in levels
    ]
    heads = ("level", "n", "baseline", "arm", f"effect, {levels[0].unit}", "p (Holm)", "verdict")
    return tag("h3", "By level") + table("The comparison at each level", heads, rows)


def _effect(one: Comparison) -> str:
    effect = wording.signed(one.effect, wording.digits(one.measure))
    return f"{effect} ({wording.points_interval(one.interval, one.measure)})"


def _claims(section: Section) -> str:
    if not section.claims.is_told:
        return ""
    return (
        tag("h3", arm_claims.HEADING)
        + items(arm_claims.sentences(section.claims))
        + table(arm_claims.CAPTION, arm_claims.HEADS, arm_claims.rows(section.claims))
    )


def _what_ran(runs: Iterable[RunFacts]) -> str:
    return "".join(table(run.title, ("setting", "value"), run.facts, kind="facts") for run in runs)
