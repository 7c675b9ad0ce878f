"""The answer of `misstep ab` on a terminal: what each arm is worth, and which one to take."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from misstep.analyse.worth.advice import Advice
from misstep.analyse.worth.answer import Answer
from misstep.analyse.worth.exchanged import Exchange
from misstep.analyse.worth.worth import Worth
from misstep.report import paying, wording
from misstep.report.own.sentences import advice_line, worth_lines


def show(found: Answer, console: Console) -> None:
    """Beneath the comparisons: worth of each arm, the cheapest of several, and the advice last."""
    for one in found.worths:
        console.print()
        console.print(Text(head(one)))
        exchange = next((each for each in found.exchanges if _is_of(one, each)), None)
        lines = worth_lines(one, found.currency, found.volume)
        _print([*lines, *exchange_lines(exchange)], console)
    for several in found.cheapest:
        if len(several.steps) > 1:
            first, *others = paying.cheapest_lines(several)
            console.print()
            console.print(Text(first))
            _print(others, console)
    for advice in found.advice:
        console.print()
        console.print(Text(_named(advice, found) + advice_line(advice, found.currency), "bold"))


def head(one: Worth) -> str:
    return f"{wording.asked(one.family, one.variant)}, {one.who}: {one.arm} against {one.baseline}"


def exchange_lines(one: Exchange | None) -> list[str]:
    """How many questions were lost and gained."""
    if one is None:
        return []
    lost, gained = (wording.counted(len(each), "item") for each in (one.lost, one.gained))
    return [f"lost {lost}, gained {gained} of {one.n:,}"]


def _is_of(one: Worth, other: Exchange) -> bool:
    return (one.family, one.version, one.variant, one.who, one.arm) == (
        other.family, other.version, other.variant, other.who, other.arm,
    )  # fmt: skip


def _named(one: Advice, found: Answer) -> str:
    """Whose advice, where there is more than one."""
    return f"{one.family}, {one.who}: " if len(found.advice) > 1 else ""


def _print(lines: Sequence[str], console: Console) -> None:
    for line in lines:
        console.print(Padding(Text(line), (0, 0, 0, 2)))
