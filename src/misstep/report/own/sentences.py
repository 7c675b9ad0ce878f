"""Sentences on what an arm is worth: time, money, the price of an error, and which arm to take."""

from __future__ import annotations

import math

from misstep.analyse.comparison import Interval
from misstep.analyse.inference.fieller import Pays, Stretch
from misstep.analyse.worth.advice import Advice, Why
from misstep.analyse.worth.answer import THOUSAND
from misstep.analyse.worth.latency import Latency
from misstep.analyse.worth.worth import BreakEven, Worth
from misstep.report import paying, wording

_CALLED = {"cost": "price", "tokens": "tokens", "output tokens": "output tokens"}
_Way = tuple[Pays, ...]


def money(amount: float, currency: str) -> str:
    """Three digits that count, from ten on to the cent: "0.00214 USD", "1,204.30 USD"."""
    size = abs(amount)
    if size >= 10 or size == 0:
        text = f"{size:,.2f}" if size else "0"
    else:
        text = f"{size:.{2 - math.floor(math.log10(size))}f}".rstrip("0").rstrip(".")
    sign = "\N{MINUS SIGN}" if amount < 0 else ""
    return f"{sign}{text} {currency}".rstrip()


def worth_lines(one: Worth, currency: str = "", volume: float | None = None) -> list[str]:
    """Time, money and the price of an error; what is not known is said to be unknown."""
    return [latency_line(one), *money_lines(one, currency, volume), break_even_line(one, currency)]


def difference_lines(one: Worth, currency: str = "") -> list[str]:
    """What stands beneath a table of both arms' time and money."""
    found = one.latency
    lines = [] if found is None else [f"{_longer(one, found)}{_part(found)}"]
    if one.money is None or not one.money.baseline == one.money.arm == 0:
        lines += money_lines(one, currency, None)
    return [*lines, break_even_line(one, currency)]


def latency_line(one: Worth) -> str:
    found = one.latency
    if found is None:
        return "time of an answer: not recorded"
    arms = ", ".join(
        f"{arm} {wording.seconds(median)} s (95th percentile {wording.seconds(high)})"
        for arm, median, high in (
            (one.baseline, found.baseline_median, found.baseline_p95),
            (one.arm, found.arm_median, found.arm_p95),
        )
    )
    return f"time of an answer, median: {arms}; {_longer(one, found)}{_part(found)}"


def _longer(one: Worth, found: Latency) -> str:
    than = "longer" if found.difference >= 0 else "less long"
    by = _signed_seconds(abs(found.difference)).removeprefix("+")
    return f"{one.arm} takes {by} s {than} than {one.baseline} ({_seconds(found.interval)})"


def _part(found: Latency) -> str:
    if found.replies == found.of:
        return ""
    return f"; {found.replies:,} of {found.of:,} replies have a time"


def _seconds(interval: Interval | None) -> str:
    if interval is None:
        return "no interval"
    return f"95 % {_signed_seconds(interval.low)} to {_signed_seconds(interval.high)}"


def _signed_seconds(number: float) -> str:
    return wording.signed(number, 2 if abs(number) < 1 else 1)


def money_lines(one: Worth, currency: str, volume: float | None) -> list[str]:
    """Of a thousand calls, and of a month at the volume, if there is one."""
    if one.money is None:
        return [f"cost: not known, as no price was given; {_tokens(one)}"]
    if one.money.baseline == one.money.arm == 0:
        return [f"cost: free; {_tokens(one)}"]
    lines = [_cost_line(one, "1,000 calls", THOUSAND, currency)]
    if volume is not None:
        lines.append(_cost_line(one, f"a month of {volume:,.0f} calls", volume, currency))
    return lines


def _tokens(one: Worth) -> str:
    if one.baseline_tokens is None or one.arm_tokens is None:
        return "tokens not recorded"
    first, second = wording.count(one.baseline_tokens), wording.count(one.arm_tokens)
    return f"tokens of a call: {one.baseline} {first}, {one.arm} {second}"


def _cost_line(one: Worth, what: str, calls: float, currency: str) -> str:
    assert one.money is not None, "asked for with money only"  # noqa: S101 our own mistake
    first, second = (money(calls * each, currency) for each in (one.money.baseline, one.money.arm))
    more = money(abs(calls * one.money.difference), currency)
    than = "more" if one.money.difference >= 0 else "less"
    ends = _money_interval(one.money.interval, calls)
    return f"{what}: {one.baseline} {first}, {one.arm} {second}: {more} {than} ({ends})"


def _money_interval(interval: Interval | None, calls: float) -> str:
    if interval is None:
        return "no interval"
    return f"95 % {money(calls * interval.low, '')} to {money(calls * interval.high, '')}"


def break_even_line(one: Worth, currency: str) -> str:
    """From which price of an error on the dearer arm pays, and how sure that is."""
    found = one.break_even
    if found is None:
        return f"break-even price of an error: {_missing(one)}"
    prices = tuple(stretch.pays for stretch in found.stretches)
    said = _SAID.get(prices, _each)
    observed = "" if found.price is None else f"{money(found.price, currency)} as observed; "
    return f"break-even price of an error: {observed}{said(one, found.stretches, currency)}"


def _missing(one: Worth) -> str:
    if one.money is None:
        return "not known without the price of the model"
    return "not to be reckoned from a single group" if one.groups < 2 else "no errors are counted"


def _never(one: Worth, stretches: tuple[Stretch, ...], currency: str) -> str:
    if stretches[-1].pays is Pays.BASELINE:
        return f"{one.arm} is worse and costs no less: no price of an error pays for it"
    return f"{one.arm} is better and costs no more: it pays at any price of an error"


def _not_shown(one: Worth, stretches: tuple[Stretch, ...], currency: str) -> str:
    """Dearer (or cheaper) for sure, better (or worse) perhaps."""
    edge = money(stretches[0].high or 0.0, currency)
    if stretches[0].pays is Pays.BASELINE:
        return (
            f"{one.arm} costs more and is not shown to be better: no price of an error is shown to "
            f"pay for it, and below {edge} it does not (95 %)"
        )
    return (
        f"{one.arm} costs less and is not shown to be worse: it pays where an error costs less "
        f"than {edge} (95 %), above that it is not known"
    )


def _within(one: Worth, stretches: tuple[Stretch, ...], currency: str) -> str:
    """Both differences known: one arm below, the other above."""
    low, high = (money(stretches[at].high or 0.0, currency) for at in (0, -2))
    first, last = one.baseline, one.arm
    if stretches[0].pays is Pays.ARM:
        first, last = last, first
    reach = f"95 % {low} to {high}: " if low != high else ""
    return f"{reach}{last} pays where an error costs more than {high}, {first} below {low}"


def _open(one: Worth, stretches: tuple[Stretch, ...], currency: str) -> str:
    return "neither cost nor errors are shown to differ, so no price is ruled out"


def _each(one: Worth, stretches: tuple[Stretch, ...], currency: str) -> str:
    """Stretch by stretch, where there is no shorter way to say it."""
    names = {Pays.ARM: f"{one.arm} pays", Pays.BASELINE: f"{one.baseline} pays", Pays.OPEN: "open"}
    return "; ".join(f"{_range(each, currency)}: {names[each.pays]}" for each in stretches)


def _range(one: Stretch, currency: str) -> str:
    if one.high is None:
        return f"above {money(one.low, currency)}" if one.low else "at any price"
    if not one.low:
        return f"below {money(one.high, currency)}"
    return f"{money(one.low, currency)} to {money(one.high, currency)}"


_A, _B, _O = Pays.ARM, Pays.BASELINE, Pays.OPEN
_SAID = {
    (_A,): _never,
    (_B,): _never,
    (_O,): _open,
    (_B, _O): _not_shown,
    (_A, _O): _not_shown,
    (_B, _O, _A): _within,
    (_A, _O, _B): _within,
    (_B, _A): _within,
    (_A, _B): _within,
}


def advice_line(one: Advice, currency: str = "") -> str:
    """What to do, in a sentence."""
    effect = wording.size(one.effect or 0.0, one.measure)
    match one.why:
        case Why.WORSE:
            said = f"it is worse than {one.cheap} by {effect}, and {one.cheap} comes {_at(one)}"
            return f"Don't pay for {one.dear} here: {said}."
        case Why.ENOUGH:
            return f"Don't pay for {one.dear} here: {one.cheap} is {_at_most(one)}, {_at(one)}."
        case Why.BETTER:
            said = f"it is better by {effect} than {one.cheap}, which comes {_at(one)}"
            return f"Pay for {one.dear} {_where(one.break_even, currency)}: {said}."
        case Why.OPEN:
            return _undecided(one)
        case Why.UNPRICED:
            return "Which arm is the cheap one is not known: not every reply says what it took."


def _where(found: BreakEven | None, currency: str) -> str:
    """From which price of an error on; the safe end of the interval."""
    if found is None or not found.stretches or found.stretches[-1].pays is not Pays.ARM:
        return "if its gain is worth it to you"
    low = found.stretches[-1].low
    return f"where an error costs you more than {money(low, currency)}" if low else "here"


def _at(one: Advice) -> str:
    """ "at 1/9 of the price"."""
    called = _CALLED[one.by or "cost"]
    if not one.share:
        return "free"
    if one.share >= 0.995:
        return f"at the same {called}" if one.by == "cost" else f"with as many {called}"
    if one.share > 0.3:
        return f"at {wording.percent(one.share, 0)} of the {called}"
    return f"at 1/{1 / one.share:,.0f} of the {called}"


def _at_most(one: Advice) -> str:
    """ "at most 2.1 points worse". That it is better, the verdict has not shown."""
    if one.worse is not None and one.worse < 0:
        return "no worse"
    return f"at most {wording.size(one.worse or 0.0, one.measure)} worse"


def _undecided(one: Advice) -> str:
    bound = "" if one.worse is None else f" (95 %: {paying.bound(one.worse, one.measure)})"
    within = wording.margin(one.margin, one.measure)
    more = ""
    if one.more is not None:
        more = f" About {wording.counted(one.more, 'more question')} would probably decide."
    return (
        f"Not decided: neither is {one.dear} shown to be better than {one.cheap}, nor {one.cheap} "
        f"to be at most {within} worse{bound}; {one.cheap} comes {_at(one)}.{more}"
    )
