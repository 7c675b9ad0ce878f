"""The printed tables reckoned again: each p, each change, and each share as a count of its N."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from misstep.analyse.comparison import Interval
from misstep.analyse.inference.paper import UsualTest, pooled_z_bounds, pooled_z_p, usual_tests
from misstep.report.published.data import Column, Published, Role, Row, questions
from misstep.report.published.printed import Printed, counts, read_count, read_number


class Status(StrEnum):
    """What became of a printed p. ROUNDED: it lies among those that the shares' rounding allows."""

    AGREES = "agrees"
    ROUNDED = "within rounding"
    HOLDS = "holds"
    NOT_REPRODUCED = "not reproduced"
    NO_DATA = "no data for it"


@dataclass(frozen=True)
class PCheck:
    """A printed p beside ours, the paper's one-sided pooled z on the nearest counts.

    `least` and `most` are the p that the shares' rounding leaves possible. `tests` holds the usual
    tests where ours disagrees, `given_by` the names of those that give what is printed.
    """

    row: str
    arm: str
    n: int | None
    baseline_share: str
    arm_share: str
    printed: str
    p: float | None
    least: float | None
    most: float | None
    status: Status
    tests: tuple[UsualTest, ...] = ()
    given_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class NoCount:
    """A share that is no count of its N as printed.

    `is_padded`: it is one without its last digit, a 0. `nearest` are the counts about it.
    """

    row: str
    column: str
    printed: str
    n: int
    prompts: int
    is_padded: bool
    nearest: tuple[int, int]


@dataclass(frozen=True)
class ChangeCheck:
    """A printed change that does not follow from the printed results, or not as one would think.

    `against` is "the arm" where a relative change is reckoned against the arm in place of the
    baseline, else empty: then it follows from neither. `expected` is against the baseline.
    """

    row: str
    column: str
    printed: str
    expected: float
    against: str


@dataclass(frozen=True)
class TableCheck:
    """`changes` and `shares` count what was looked at, `off` and `no_counts` what stood out."""

    table: Published
    ps: tuple[PCheck, ...]
    shares: int
    no_counts: tuple[NoCount, ...]
    changes: int
    off: tuple[ChangeCheck, ...]


@dataclass(frozen=True)
class _Sides:
    """The two cells that a p or a change was reckoned from, and the questions behind each."""

    baseline: Printed
    arm: Printed
    n: int | None


def check(table: Published) -> TableCheck:
    no_counts = tuple(_no_counts(table))
    changes = list(_changes(table))
    is_padded = any(one.is_padded for one in no_counts)
    return TableCheck(
        table=table,
        ps=tuple(_p_checks(table, is_padded=is_padded)),
        shares=sum(_share(*result) is not None for result in _results(table)),
        no_counts=no_counts,
        changes=len(changes),
        off=tuple(found for found in changes if found is not None),
    )


def _results(table: Published) -> Iterator[tuple[Row, Column, str]]:
    for row in table.rows:
        for column in table.columns:
            text = table.cell(row, column)
            if column.role is Role.VALUE and text not in ("", "-"):
                yield row, column, text


@dataclass(frozen=True)
class _Share:
    """A printed share of n questions; `right` is their number, where that is printed too."""

    percent: Printed
    n: int
    right: int | None = None


def _share(row: Row, column: Column, text: str) -> _Share | None:
    """None where the result is no share, or no N is stated."""
    if column.unit == "count":
        found = read_count(text)
        return _Share(found.share, found.of, found.right)
    percent, n = read_number(text), questions(row, column)
    return None if percent is None or n is None else _Share(percent, n)


def _p_checks(table: Published, *, is_padded: bool) -> Iterator[PCheck]:
    for row in table.rows:
        for column in table.columns:
            printed = read_number(table.cell(row, column)) if column.role is Role.P else None
            if printed is not None:
                sides = _sides(table, row, column)
                found = _unchecked(row, column, printed.text, sides)
                yield _p_check(found, printed, sides, is_padded=is_padded)


def _sides(table: Published, row: Row, column: Column) -> _Sides:
    values = [one for one in table.columns if one.role is Role.VALUE]
    of_arm = next(one for one in values if one.arms == column.arms)
    other = table.row(row.arm_row) if row.arm_row else row
    baseline = read_number(table.cell(row, values[0]))
    arm = read_number(table.cell(other, of_arm))
    assert baseline is not None, f"{row.name} has no baseline"  # noqa: S101 our own data
    assert arm is not None, f"{row.name} has no {column.arms}"  # noqa: S101 our own data
    return _Sides(baseline, arm, questions(row, values[0]))


def _unchecked(row: Row, column: Column, printed: str, sides: _Sides) -> PCheck:
    return PCheck(
        row=f"{row.name} / {row.arm_row}" if row.arm_row else row.name,
        arm=column.arms[0],
        n=sides.n,
        baseline_share=sides.baseline.text,
        arm_share=sides.arm.text,
        printed=printed,
        p=None,
        least=None,
        most=None,
        status=Status.NO_DATA,
    )


def _p_check(found: PCheck, printed: Printed, sides: _Sides, *, is_padded: bool) -> PCheck:
    n = sides.n
    if n is None:
        return found
    baseline, arm = (_nearest(side, n) / n for side in (sides.baseline, sides.arm))
    p = pooled_z_p(baseline, arm, n)
    left, right = (_bounds(side, n, is_padded=is_padded) for side in (sides.baseline, sides.arm))
    bounds = pooled_z_bounds(left, right, n)
    if p is None or bounds is None:
        return found
    status = _status(printed, p, bounds)
    tests = usual_tests(baseline, arm, n) if status is Status.NOT_REPRODUCED else ()
    return replace(
        found,
        p=p,
        least=bounds.low,
        most=bounds.high,
        status=status,
        tests=tests,
        given_by=tuple(test.name for test in tests if _gives(printed, test.p)),
    )


def _status(printed: Printed, p: float, bounds: Interval) -> Status:
    if _gives(printed, p):
        return Status.HOLDS if printed.is_bound else Status.AGREES
    if printed.is_bound:
        is_allowed = bounds.low < printed.number
    else:
        is_allowed = bounds.low <= float(printed.high) and float(printed.low) <= bounds.high
    return Status.ROUNDED if is_allowed else Status.NOT_REPRODUCED


def _gives(printed: Printed, p: float) -> bool:
    """Whether this p would be printed so."""
    if printed.is_bound:
        return p < printed.number
    return float(printed.low) <= p <= float(printed.high)


def _nearest(share: Printed, n: int) -> int:
    return round(share.number * n / 100)


def _bounds(share: Printed, n: int, *, is_padded: bool) -> Interval:
    """The shares that can be printed so: of whole counts, where there are any.

    `is_padded`: the table prints numbers of one digit with a 0 behind it.
    """
    shown = (share.shorter() if is_padded else None) or share
    fitting = counts(shown, n)
    if fitting:
        return Interval(fitting[0] / n, fitting[-1] / n)
    return Interval(float(shown.low / 100), float(shown.high / 100))


def _no_counts(table: Published) -> Iterator[NoCount]:
    for row, column, text in _results(table):
        share = _share(row, column, text)
        if share is None:
            continue
        fitting = counts(share.percent, share.n * column.prompts)
        if not fitting or (share.right is not None and share.right not in fitting):
            yield _no_count(row, column, share.percent, share.n)


def _no_count(row: Row, column: Column, share: Printed, n: int) -> NoCount:
    asked = n * column.prompts
    shorter = share.shorter()
    below = int(share.number * asked / 100)
    return NoCount(
        row=row.name,
        column=column.title,
        printed=share.text,
        n=n,
        prompts=column.prompts,
        is_padded=shorter is not None and bool(counts(shorter, asked)),
        nearest=(below, below + 1),
    )


def _changes(table: Published) -> Iterator[ChangeCheck | None]:
    """None for each change that follows from the results beside it."""
    for row in table.rows:
        for column in table.columns:
            if column.role not in (Role.VALUE, Role.P):
                printed = read_number(table.cell(row, column))
                if printed is not None:
                    yield _change(row, column, printed, _sides(table, row, column))


def _change(row: Row, column: Column, printed: Printed, sides: _Sides) -> ChangeCheck | None:
    fall = column.role.sign * (sides.arm.number - sides.baseline.number)
    against = {"the baseline": sides.baseline.number, "the arm": sides.arm.number}
    if not column.role.is_relative:
        against = {"the baseline": Decimal(100)}
    found = {name: 100 * fall / whole for name, whole in against.items() if whole}
    fitting = [name for name, one in found.items() if abs(one - printed.number) <= printed.half]
    if "the baseline" in fitting:
        return None
    expected = float(found.get("the baseline", Decimal(0)))
    return ChangeCheck(row.name, column.title, printed.text, expected, _first(fitting))


def _first(names: Sequence[str]) -> str:
    return names[0] if names else ""
