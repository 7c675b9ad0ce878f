"""The whole answer of `misstep ab`: comparisons, worth, what to take, and what was exchanged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from misstep.analyse.cheapest import Cheapest, cheapest
from misstep.analyse.comparing import compare
from misstep.analyse.comparison import Comparison
from misstep.analyse.plain import plain
from misstep.analyse.worth.advice import Advice, advise
from misstep.analyse.worth.exchanged import Exchange, exchanges
from misstep.analyse.worth.worth import BreakEven, Money, Worth, worth
from misstep.core.family import Spec
from misstep.core.records import Record

THOUSAND = 1_000


@dataclass(frozen=True)
class Answer:
    """All that is said of the records of own tasks. `margin` is in the measure's unit.

    `volume` is the number of calls a month, `currency` that of the prices; empty: not known.
    """

    comparisons: tuple[Comparison, ...]
    worths: tuple[Worth, ...]
    cheapest: tuple[Cheapest, ...]
    advice: tuple[Advice, ...]
    exchanges: tuple[Exchange, ...]
    margin: float
    volume: float | None = None
    currency: str = ""


def answer(
    records: Sequence[Record],
    specs: Mapping[str, Spec],
    margin: float,
    *,
    by: str | None = None,
    volume: float | None = None,
    currency: str = "",
) -> Answer:
    """Every comparison is asked for non-inferiority at the margin; `by` as in `compare`."""
    comparisons = compare(records, specs, by, non_inferiority=margin)
    worths = worth(records, specs)
    found = cheapest(records, specs, margin)
    return Answer(
        comparisons=comparisons,
        worths=worths,
        cheapest=found,
        advice=tuple(advise(one, comparisons, worths) for one in found),
        exchanges=exchanges(records, specs),
        margin=margin,
        volume=volume,
        currency=currency,
    )


def answer_to_json(found: Answer) -> dict[str, object]:
    """What stands beside the comparisons; docs/ab.md has the fields."""
    return {
        "margin": found.margin,
        "volume": found.volume,
        "currency": found.currency or None,
        "worth": [_worth(one, found.volume) for one in found.worths],
        "advice": [_advice(one) for one in found.advice],
        "exchanged": [_exchange(one) for one in found.exchanges],
    }


def _worth(one: Worth, volume: float | None) -> dict[str, object]:
    kept = ("family", "version", "variant", "who", "arm", "baseline", "n", "groups", "latency")
    return {
        **{name: plain(getattr(one, name)) for name in kept},
        "tokens": {"baseline": one.baseline_tokens, "arm": one.arm_tokens},
        "per_call": plain(one.money),
        "per_thousand": _times(one.money, THOUSAND),
        "per_month": None if volume is None else _times(one.money, volume),
        "break_even": _break_even(one.break_even),
        "is_sequential": one.is_sequential,
    }


def _times(money: Money | None, calls: float) -> dict[str, object] | None:
    if money is None:
        return None
    ends = money.interval and [calls * money.interval.low, calls * money.interval.high]
    parts = {name: calls * getattr(money, name) for name in ("baseline", "arm", "difference")}
    return {**parts, "interval": ends}


def _break_even(found: BreakEven | None) -> dict[str, object] | None:
    if found is None:
        return None
    return {
        "price": found.price,
        "interval": None if found.interval is None else list(found.interval),
        "stretches": plain(found.stretches),
    }


def _advice(one: Advice) -> dict[str, object]:
    kept = (
        "family", "version", "variant", "who", "why", "arm", "cheap", "dear", "margin", "by",
        "share", "worse", "effect", "more",
    )  # fmt: skip
    return {name: plain(getattr(one, name)) for name in kept}


def _exchange(one: Exchange) -> dict[str, object]:
    kept = ("family", "version", "variant", "who", "arm", "baseline", "n", "factors")
    return {
        **{name: plain(getattr(one, name)) for name in kept},
        "lost": [each.item for each in one.lost],
        "gained": [each.item for each in one.gained],
    }
