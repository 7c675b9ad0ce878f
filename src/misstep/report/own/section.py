"""The page's part on a task of the user's own: which arm to take, time, money, lost and gained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from misstep.analyse.cheapest import cheapest
from misstep.analyse.comparison import Comparison
from misstep.analyse.worth.advice import advise
from misstep.analyse.worth.answer import THOUSAND
from misstep.analyse.worth.exchanged import exchanges
from misstep.analyse.worth.worth import Worth, worth
from misstep.core.questions import is_own
from misstep.core.records import Record, Transcript
from misstep.report import paying, wording
from misstep.report.own import exchanging
from misstep.report.own.sentences import advice_line, difference_lines, money
from misstep.report.own.terms import Terms
from misstep.report.page.choosing import Key, key_of
from misstep.report.page.markup import items, table, tag

_CAPTION = "Of one call: a question, with all requests that its answer took"


def worth_part(
    records: Sequence[Record],
    comparisons: Sequence[Comparison],
    words: Sequence[Transcript],
    terms: Terms,
    room: int,
) -> str:
    """Empty for a family of the suite, or where one arm alone was asked.

    `words` are the replies that `exchanging.wanted` names.
    """
    if not records or not is_own(records[0].family):
        return ""
    found = worth(records, {})
    if not found:
        return ""
    told = {key_of(one.record): one for one in words}
    return _which_to_take(records, comparisons, found, terms) + _exchanged(records, told, room)


def _which_to_take(
    records: Sequence[Record],
    comparisons: Sequence[Comparison],
    found: Sequence[Worth],
    terms: Terms,
) -> str:
    several = cheapest(records, {}, terms.margin)
    said = [advice_line(advise(one, comparisons, found), terms.currency) for one in several]
    steps = [line for one in several if len(one.steps) > 1 for line in paying.cheapest_lines(one)]
    lines = [line for one in found for line in difference_lines(one, terms.currency)]
    return (
        tag("h3", "Which arm to take")
        + "".join(tag("p", escape(line), kind="lead") for line in said)
        + items(steps)
        + table(_CAPTION, ("", *_arms(found)), _rows(found, terms))
        + items(lines)
    )


def _arms(found: Sequence[Worth]) -> list[str]:
    return [found[0].baseline, *(one.arm for one in found)]


def _rows(found: Sequence[Worth], terms: Terms) -> list[tuple[str, ...]]:
    """An arm in each column; the baseline as the first pair has it."""
    times = [one.latency for one in found]
    first = times[0]
    medians = [
        None if first is None else first.baseline_median,
        *(None if one is None else one.arm_median for one in times),
    ]
    highs = [
        None if first is None else first.baseline_p95,
        *(None if one is None else one.arm_p95 for one in times),
    ]
    rows = [
        ("seconds, median", *map(wording.seconds, medians)),
        ("seconds, 95th percentile", *map(wording.seconds, highs)),
        ("tokens, in and out", *map(wording.count, _tokens(found))),
    ]
    if all(one.money is not None for one in found):
        rows.append(_cost(found, f"cost of {THOUSAND:,} calls", THOUSAND, terms.currency))
        if terms.volume is not None:
            what = f"cost of a month, {terms.volume:,.0f} calls"
            rows.append(_cost(found, what, terms.volume, terms.currency))
    return rows


def _tokens(found: Sequence[Worth]) -> list[float | None]:
    return [found[0].baseline_tokens, *(one.arm_tokens for one in found)]


def _cost(found: Sequence[Worth], name: str, calls: float, currency: str) -> tuple[str, ...]:
    known = [one.money for one in found if one.money is not None]
    amounts = [known[0].baseline, *(one.arm for one in known)]
    return (name, *(money(calls * each, currency) for each in amounts))


def _exchanged(records: Sequence[Record], told: Mapping[Key, Transcript], room: int) -> str:
    found = exchanges(records, {})
    return "".join(
        tag("h3", escape(f"Lost and gained by {one.arm} against {one.baseline}"))
        + exchanging.markup(one, told, room // len(found))
        for one in found
    )
