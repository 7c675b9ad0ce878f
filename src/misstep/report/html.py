"""The page as one HTML file that asks for nothing from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from misstep.analyse.comparison import Comparison, Verdict
from misstep.report import wording
from misstep.report.data import ReportData, RunFacts, Section, sections
from misstep.report.evidence import evidence
from misstep.report.examples import examples
from misstep.report.markup import table, tag
from misstep.report.style import STYLE

_CLASSES = {
    Verdict.HURTS: "hurts",
    Verdict.HELPS: "helps",
    Verdict.NO_MEANINGFUL_DIFFERENCE: "same",
    Verdict.UNDECIDED: "open",
}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(data: ReportData) -> str:
    """The whole document; the same data give the same text."""
    found = sections(data)
    title = _title(found)
    body = "".join(
        (
            tag("h1", escape(title)),
            _verdicts([one for one in data.comparisons if one.factor is None]),
            *(_section(section) for section in found),
            _what_ran(data.facts),
        )
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>"
        f"<body><main>{body}</main></body></html>\n"
    )


def _title(found: Sequence[Section]) -> str:
    families = dict.fromkeys(
        section.spec.title if section.spec else section.subject.family for section in found
    )
    return f"Does thinking help? {', '.join(families)}" if families else "Does thinking help?"


def _verdicts(comparisons: Sequence[Comparison]) -> str:
    if not comparisons:
        return tag("p", "One arm only: there is nothing to compare it with.")
    return "".join(_verdict(one) for one in comparisons)


def _verdict(one: Comparison) -> str:
    word = tag("span", escape(wording.verdict_word(one)), kind=f"word {_CLASSES[one.verdict]}")
    small = tag("small", escape(f"({wording.points_interval(one.interval)})"))
    lines = (
        f"{wording.sizes(one)}; {wording.change_line(one)}",
        wording.p_line(one),
        wording.equivalence_line(one),
        wording.left_out_line(one),
        wording.needed_line(one),
    )
    said = "".join(tag("p", escape(line), kind="soft") for line in lines if line is not None)
    return tag(
        "section",
        tag("h2", escape(f"{wording.title(one)}: {one.arm} against {one.baseline}"))
        + tag("p", word + escape(wording.verdict_sentence(one)))
        + tag("p", f"{escape(wording.signed(one.effect))} points {small}", kind="effect")
        + said
        + _warnings(one.warnings),
        kind="verdict",
    )


def _warnings(warnings: Iterable[str]) -> str:
    listed = "".join(tag("li", escape(warning)) for warning in warnings)
    return tag("ul", listed, kind="warnings") if listed else ""


def _section(section: Section) -> str:
    return tag(
        "section",
        tag("h2", escape(section.title))
        + evidence(section)
        + _levels(section.levels)
        + examples(section.examples),
    )


def _levels(levels: Sequence[Comparison]) -> str:
    if not levels:
        return ""
    rows = [
        (
            f"{wording.level(one)}, {one.arm}",
            f"{one.n:,}",
            wording.percent(one.baseline_summary.accuracy),
            wording.percent(one.arm_summary.accuracy),
            f"{wording.signed(one.effect)} ({wording.points_interval(one.interval)})",
            wording.p_value(one.p_adjusted).removeprefix("= "),
            wording.verdict_word(one),
        )
        for one in levels
    ]
    heads = ("level", "n", "baseline", "arm", "effect, points", "p (Holm)", "verdict")
    return tag("h3", "By level") + table("The comparison at each level", heads, rows)


def _what_ran(runs: Iterable[RunFacts]) -> str:
    tables = "".join(
        table(run.title, ("setting", "value"), run.facts, kind="facts") for run in runs
    )
    return tag("section", tag("h2", "What ran") + tables) if tables else ""
