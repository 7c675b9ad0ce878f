"""The plan of a sum of money in words: what its pilot was, what it can show, where it will stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from misstep.analyse.before.pilot import Prospect, Reach, Replies, Sum
from misstep.core.pilots import SHARE
from misstep.report.wording import counted


def show(said: Iterable[str], console: Console) -> None:
    """In the console's width; what is indented stays so."""
    for line in said:
        words = line.lstrip()
        console.print(Padding(Text(words), (0, 0, 0, len(line) - len(words))))


def lines(found: Prospect) -> Iterator[str]:
    """The pilot, the plan in a sentence, and what stands behind it."""
    yield from pilot_lines(found)
    yield ""
    yield sentence(found)
    yield from (f"  {line}" for line in _behind(found))


def pilot_lines(found: Prospect) -> Iterator[str]:
    pilot, money = found.pilot, found.money
    spent, share = amount(money.spent, money), money.spent / money.budget
    groups = "" if pilot.size == 1 else f" in {counted(pilot.looks, 'group')}"
    paid = f"for {spent}, {share:.1%} of the sum (at most {SHARE:.0%})"
    if money.spent == 0:
        paid = "which were known already" if money.dearest else "for nothing"
    yield f"Pilot: {counted(pilot.items, 'item')}{groups} in each arm, {paid}."
    for one in pilot.replies:
        yield f"  {one.arm}: {_replies(one, money)}"
    for seen in pilot.seen:
        yield f"  {seen.arm} against {pilot.baseline}: discordance {seen.discordance:.0%}"


def _replies(one: Replies, money: Sum) -> str:
    tokens = "tokens unknown"
    if one.tokens is not None:
        tokens = f"{one.tokens:,.0f} tokens a reply, {one.longest:,} at most"
    price = "price unknown" if one.money is None else f"{amount(one.money, money)} each"
    return f"{counted(one.answers, 'reply', 'replies')}, {tokens}, {price}"


def sentence(found: Prospect) -> str:
    """As in: with 50 USD you can detect 4 points or establish non-inferiority at 5."""
    budget = amount(found.money.budget, found.money)
    reaches = [reach for reach in found.reaches if reach.detectable or reach.not_worse]
    if not reaches:
        return f"With {budget} you can detect nothing: too few groups, or too little money."
    parts = [_can(reach, found) for reach in reaches]
    return f"With {budget} you can {'; '.join(parts)}. {_stop(found)}"


def _stop(found: Prospect) -> str:
    if found.ending.decided >= 0.5:
        return f"It will probably stop near {amount(found.ending.middle, found.money)}."
    what = "the items are" if found.is_all else "the money is"
    return f"More probably than not {what} at an end before a verdict."


def _can(reach: Reach, found: Prospect) -> str:
    of = f" of {reach.arm}" if len(found.reaches) > 1 else ""
    detect = f"detect {_points(reach.detectable, found)}{of}"
    at = _points(reach.not_worse, found)
    establish = f"establish non-inferiority at {at}"
    if reach.detectable is None:
        return establish + of
    return detect if reach.not_worse is None else f"{detect} or {establish}"


def _behind(found: Prospect) -> Iterator[str]:
    money, ending = found.money, found.ending
    of_all = f"about {found.items:,} of {found.items_planned:,} items"
    if found.is_all:
        of_all = f"all {found.items_planned:,} items"
    longer = ""
    if found.items_if_longer < found.items:
        seen = found.pilot.items + 1
        longer = f" ({found.items_if_longer:,} if one reply in {seen} is as long as it may be)"
    yield f"It pays for {of_all}{longer}."
    for reach in found.reaches:
        yield from _shows(reach, found)
    low, high = amount(ending.low, money), amount(ending.high, money)
    yield (
        f"Half of the runs that fit the pilot stop between {low} and {high}; {ending.decided:.0%} "
        "of them with a verdict."
    )
    if money.dearest:
        yield (
            f"No call is made that might pass {amount(money.budget, money)}: each has its worst "
            f"case set aside first, up to {amount(money.dearest, money)}."
        )


def _shows(reach: Reach, found: Prospect) -> Iterator[str]:
    baseline = found.pilot.baseline
    yield f"{reach.arm} against {baseline}, with 80% power, looking after every group:"
    if reach.detectable is not None:
        yield f"  a difference of {_points(reach.detectable, found)} or more"
    if reach.not_worse is not None:
        yield f"  {baseline} at most {_points(reach.not_worse, found)} worse, if they are equal"
    if reach.equivalent is not None:
        yield f"  equivalence within {_points(reach.equivalent, found)}, if they are equal"


def _points(value: float | None, found: Prospect) -> str:
    return "no size" if value is None else f"{value:.1f} {found.measure.unit}"


def amount(value: float, money: Sum) -> str:
    """With as many places as tell it from nothing."""
    said = f"{value:,.2f}" if value >= 1 else f"{value:.2g}"
    return f"{said} {money.currency}".strip()


def ended(money: Sum, more: tuple[int, float | None] | None) -> str:
    """Where the money ended before a verdict; `more`: items that would decide, and their cost."""
    said = (
        f"The money ended before a verdict: {amount(money.spent, money)} of "
        f"{amount(money.budget, money)} is spent, and the next call may cost "
        f"{amount(money.dearest, money)}."
    )
    if more is None:
        return f"{said} Nothing suggests that more would decide."
    items, cost = more
    price = "" if cost is None else f", about {amount(cost, money)}"
    return (
        f"{said} If it goes on as so far, {items:,} items more would decide{price}; the same "
        "command goes on from here with a new --budget."
    )


def to_json(found: Prospect) -> dict[str, object]:
    """The plan as data; docs/ab.md has the fields."""
    pilot, money = found.pilot, found.money
    return {
        "budget": money.budget,
        "currency": money.currency or None,
        "pilot": {
            "items": pilot.items,
            "groups": pilot.looks,
            "spent": money.spent,
            "replies": [asdict(one) for one in pilot.replies],
        },
        "items": found.items,
        "items_if_longer": found.items_if_longer,
        "items_planned": found.items_planned,
        "reach": [asdict(one) for one in found.reaches],
        "ending": asdict(found.ending),
        "dearest_call": money.dearest,
        "unit": found.measure.unit,
    }
