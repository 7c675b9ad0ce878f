"""What a reader in a hurry needs: a word for each comparison, its effect, and what it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

from misstep.analyse.comparison import Comparison, Verdict
from misstep.core.family import Spec
from misstep.report import wording
from misstep.report.page import taking
from misstep.report.page.markup import tag

NOTHING = "One arm only: there is nothing to compare it with."
HEADS = ("task, model", "compared", "verdict", "effect", "what it takes")
_CAPTION = "A word for each comparison; effects with their 95 % intervals"
_CLASSES = {
    Verdict.HURTS: "hurts",
    Verdict.HELPS: "helps",
    Verdict.NO_MEANINGFUL_DIFFERENCE: "same",
    Verdict.UNDECIDED: "open",
}


def lead(compared: Sequence[Comparison]) -> str:
    """The whole in a sentence."""
    if not compared:
        return NOTHING
    if len(compared) == 1:
        return f"{str(compared[0].verdict).capitalize()}: {wording.verdict_sentence(compared[0])}"
    counts = Counter(one.verdict for one in compared)
    parts = (f"{verdict} in {counts[verdict]:,}" for verdict in Verdict if counts[verdict])
    return f"Of {len(compared):,} comparisons: {', '.join(parts)}."


def word(one: Comparison) -> str:
    """The verdict as a word on its colour."""
    return tag("span", escape(wording.verdict_word(one)), kind=f"word {_CLASSES[one.verdict]}")


def cells(one: Comparison, specs: Mapping[str, Spec]) -> tuple[str, ...]:
    """A row under HEADS, as text."""
    spec = specs.get(one.family)
    task = wording.asked(spec.title if spec else one.family, one.variant)
    effect = wording.difference(one.effect, one.measure)
    return (
        f"{task}, {one.who}",
        f"{one.one} against {one.other}",
        wording.verdict_word(one),
        f"{effect} ({wording.points_interval(one.interval, one.measure)})",
        taking.takes(one),
    )


def summary(compared: Sequence[Comparison], specs: Mapping[str, Spec]) -> str:
    """The table; on a phone each row is a card, so that its roles are said outright."""
    if not compared:
        return tag("p", NOTHING)
    head = "".join(
        f'<th role="columnheader" scope="col">{escape(name.capitalize())}</th>' for name in HEADS
    )
    rows = "".join(_row(one, specs) for one in compared)
    return (
        '<table class="summary" role="table">'
        f"<caption>{_CAPTION}</caption>"
        f'<thead role="rowgroup"><tr role="row">{head}</tr></thead>'
        f'<tbody role="rowgroup">{rows}</tbody></table>'
    )


def _row(one: Comparison, specs: Mapping[str, Spec]) -> str:
    subject, pair, _, _, takes = cells(one, specs)
    interval = wording.points_interval(one.interval, one.measure)
    effect = tag("strong", escape(wording.difference(one.effect, one.measure)))
    contents = (
        ("", escape(pair)),
        ("", word(one)),
        ("", f"{effect} {tag('small', escape(f'({interval})'))}"),
        (HEADS[-1], escape(takes)),
    )
    return (
        f'<tr role="row"><th role="rowheader" scope="row">{escape(subject)}</th>'
        + "".join(_cell(label, content) for label, content in contents)
        + "</tr>"
    )


def _cell(label: str, content: str) -> str:
    """With a label where, in a card, no heading of a column says what it is."""
    named = f' data-label="{escape(label)}: "' if label else ""
    return f'<td role="cell"{named}>{content}</td>'
