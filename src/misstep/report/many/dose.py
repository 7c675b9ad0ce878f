"""Dose and response in words: on a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from misstep.analyse.dose import Against, Curve, Dose, Peak
from misstep.analyse.plain import plain
from misstep.report.wording import (
    NONE,
    amount,
    amount_interval,
    asked,
    count,
    counted,
    difference,
    digits,
    p_value,
    points_interval,
    signed,
)

TITLE = "More thinking, better answers?"
HEADS = ("arm", "thought", "mean", "95 %", "against the lowest", "p (Holm)")


def show(curves: Iterable[Curve], console: Console) -> None:
    """A table of the doses of each model, then where the best is."""
    for curve in curves:
        console.print()
        console.print(Text(f"{TITLE} {name(curve)}", style="bold"))
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
        table.add_column(HEADS[0], overflow="fold", min_width=6)
        for heading in HEADS[1:]:
            table.add_column(heading, justify="right")
        for row in rows(curve):
            table.add_row(*map(Text, row))
        console.print(table)
        for line in lines(curve):
            console.print(Padding(Text(line), (0, 0, 0, 2)))


def to_json(curves: Iterable[Curve]) -> dict[str, object]:
    """Under the key `doses`; docs/compare.md has its fields."""
    return {"doses": [plain(curve) for curve in curves]}


def name(curve: Curve) -> str:
    """On what, of whom, and over how many items."""
    items = f"{counted(curve.n, 'item')} in {counted(curve.groups, 'group')}"
    return f"{asked(curve.family, curve.variant)}, {curve.who}: {items}"


def rows(curve: Curve) -> Iterator[tuple[str, ...]]:
    """A row for each dose, under `HEADS`."""
    for dose in curve.doses:
        yield (
            dose.arm,
            count(dose.tokens),
            amount(dose.mean, curve.measure),
            amount_interval(dose.interval, curve.measure),
            NONE if dose.against_lowest is None else _short(dose.against_lowest, curve),
            NONE if dose.against_lowest is None else _p(dose),
        )


def lines(curve: Curve) -> Iterator[str]:
    """Where the best is, what speaks for it, and what has no place on the curve."""
    yield f"{_PEAKS[curve.peak].format(best=curve.best)}{_peak_p(curve)}"
    for one in dict.fromkeys((*curve.ends, *curve.neighbours)):
        yield f"{one.arm} against {one.other}: {_effect(one, curve)}, p {p_value(one.p)}"
    if curve.without_tokens:
        arms = ", ".join(curve.without_tokens)
        yield f"! Nothing is known of how much these thought, so they have no place here: {arms}."


_PEAKS = {
    Peak.INSIDE: "The peak is inside: {best} is shown to be better than the least and the most "
    "thinking",
    Peak.NOT_SHOWN: "{best} did best, but it is not shown that the peak is inside: both ends would "
    "have to be significantly worse",
    Peak.LOWEST: "The least thinking did best ({best}): no peak inside is seen.",
    Peak.HIGHEST: "The most thinking did best ({best}): no peak inside is seen.",
}


def _peak_p(curve: Curve) -> str:
    return "" if curve.peak_p is None else f" (p {p_value(curve.peak_p)}, Holm)."


def _effect(one: Against, curve: Curve) -> str:
    return (
        f"{difference(one.effect, curve.measure)} ({points_interval(one.interval, curve.measure)})"
    )


def _short(one: Against, curve: Curve) -> str:
    """As a cell: the effect and the ends of its interval, without their unit."""
    effect = signed(one.effect, digits(curve.measure))
    return f"{effect} ({points_interval(one.interval, curve.measure).removeprefix('95 % ')})"


def _p(dose: Dose) -> str:
    return p_value(dose.p_adjusted).removeprefix("= ")
