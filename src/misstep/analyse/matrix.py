"""Many models on many families at once: a cell each, verdicts by Benjamini and Hochberg."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from misstep.analyse.comparison import Comparison, Interval, Verdict
from misstep.analyse.inference.multiple import benjamini_hochberg_known
from misstep.analyse.splits import is_reference
from misstep.analyse.verdict import decide


@dataclass(frozen=True)
class Column:
    """What the cells beneath one another have in common."""

    family: str
    version: int
    variant: str
    arm: str
    baseline: str


@dataclass(frozen=True)
class Cell:
    """One comparison before its ps are adjusted; effect, interval and margin are in `unit`.

    `gain` is the effect, positive where it is for the better. `warnings` are those of the
    comparison by itself.
    """

    who: str
    column: Column
    unit: str
    n: int
    groups: int
    baseline_mean: float
    arm_mean: float
    effect: float
    gain: float
    interval: Interval | None
    test: str
    p: float | None
    margin: float
    equivalence_p: float | None
    is_sequential: bool
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Judged:
    """A cell with its ps after Benjamini and Hochberg, and the verdict they lead to."""

    cell: Cell
    p_adjusted: float | None
    equivalence_p_adjusted: float | None
    verdict: Verdict


@dataclass(frozen=True)
class Matrix:
    """Models in the order of their names, reference solvers last; columns as first met."""

    models: tuple[str, ...]
    columns: tuple[Column, ...]
    cells: tuple[Judged, ...]

    def at(self, who: str, column: Column) -> Judged | None:
        """None where the model was not asked this, or in one arm only."""
        return self._places.get((who, column))

    @cached_property
    def _places(self) -> dict[tuple[str, Column], Judged]:
        return {(one.cell.who, one.cell.column): one for one in self.cells}


def cells_of(comparisons: Iterable[Comparison]) -> tuple[Cell, ...]:
    """Of the arms of one model over all items; levels of a factor have no cell."""
    return tuple(
        Cell(
            who=one.who,
            column=Column(one.family, one.version, one.variant, one.arm, one.baseline),
            unit=one.unit,
            n=one.n,
            groups=one.groups,
            baseline_mean=one.baseline_summary.accuracy,
            arm_mean=one.arm_summary.accuracy,
            effect=one.effect,
            gain=one.measure.sign * one.effect,
            interval=one.interval,
            test=one.test,
            p=one.p,
            margin=one.equivalence.margin,
            equivalence_p=one.equivalence.p,
            is_sequential=one.is_sequential,
            warnings=one.warnings,
        )
        for one in comparisons
        if one.factor is None and one.baseline_who is None
    )


def matrix(cells: Sequence[Cell]) -> Matrix:
    """Adjusted over all cells, those of reference solvers apart, as their truth is known.

    Differences and equivalence are each a family of their own.
    """
    ordered = sorted(cells, key=lambda cell: (is_reference(cell.who), cell.who))
    differences = _apart(ordered, lambda cell: cell.p)
    equivalences = _apart(ordered, lambda cell: cell.equivalence_p)
    judged = tuple(
        Judged(cell, p, alike, decide(cell.gain, p, alike))
        for cell, p, alike in zip(ordered, differences, equivalences, strict=True)
    )
    return Matrix(
        models=tuple(dict.fromkeys(cell.who for cell in ordered)),
        columns=tuple(dict.fromkeys(cell.column for cell in cells)),
        cells=judged,
    )


def _apart(ordered: Sequence[Cell], of: Callable[[Cell], float | None]) -> list[float | None]:
    """Models come before reference solvers."""
    models = sum(not is_reference(cell.who) for cell in ordered)
    ps = [of(cell) for cell in ordered]
    return benjamini_hochberg_known(ps[:models]) + benjamini_hochberg_known(ps[models:])
