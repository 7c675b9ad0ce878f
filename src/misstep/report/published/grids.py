"""A published table in its own layout, the user's models beside it, and their results in full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from misstep.analyse import ArmSummary, Comparison
from misstep.core.errors import BadInput
from misstep.report.page.data import ReportData
from misstep.report.published.data import Column, Published, Role, Row, questions, tables
from misstep.report.published.own import Model, Results, models, results, selections
from misstep.report.published.printed import read_count, read_number

PUBLISHED, OWN = "published", "your runs"
NONE = "-"


@dataclass(frozen=True)
class Cell:
    """`value` is the number unrounded, in the text's unit; `n` the number of items behind it."""

    text: str
    value: float | None = None
    n: int | None = None


@dataclass(frozen=True)
class Line:
    name: str
    cells: tuple[Cell, ...]
    is_own: bool

    @property
    def name_and_n(self) -> str:
        """The name, with the number of items behind its cells: "ref/acs (n = 24)"."""
        sizes = sorted({cell.n for cell in self.cells if cell.n is not None})
        if not sizes:
            return self.name
        reach = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
        return f"{self.name} (n = {reach})"


@dataclass(frozen=True)
class Head:
    """A heading over `span` columns; `is_own` where the columns are the user's."""

    text: str
    span: int
    is_own: bool = False


@dataclass(frozen=True)
class Grid:
    """`over` are the headings above `heads`, or none. The first column, `corner`, names rows."""

    caption: str
    corner: str
    over: tuple[Head, ...]
    heads: tuple[str, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    @property
    def is_mixed(self) -> bool:
        """Whether printed rows and the user's stand one below the other."""
        return len({line.is_own for line in self.lines}) > 1

    @property
    def own_columns(self) -> range:
        """The columns that hold the user's results in every line."""
        last = self.over[-1] if self.over and self.over[-1].is_own else None
        return range(len(self.heads) - last.span, len(self.heads)) if last else range(0)


@dataclass(frozen=True)
class Sheet:
    """A table, and the comparisons behind the user's part of it (None without any)."""

    table: Published
    grid: Grid
    full: Grid | None


def sheets(data: ReportData, *, is_all: bool) -> tuple[Sheet, ...]:
    """The tables that the runs belong to, in the order of print; with `is_all` every table.

    Raises BadInput where there are none.
    """
    found = []
    for table in tables():
        own = {_key(where): results(table, where, data) for where in selections(table)}
        if is_all or any(own.values()):
            found.append(_sheet(table, own))
    if not found:
        families = ", ".join(dict.fromkeys(table.family for table in tables()))
        raise BadInput(f"--paper: no run belongs to a published table; these are of {families}")
    return tuple(found)


_P = "p: one-sided pooled z, as in Mind Your Step, blind to the pairing."
_Own = Mapping[tuple[tuple[str, str], ...], Mapping[Model, Results]]


def _key(where: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(where.items())


def _sheet(table: Published, own: _Own) -> Sheet:
    grid = _by_rows(table, own) if table.models == "rows" else _by_columns(table, own)
    return Sheet(table, grid, _full(table, own))


def _by_rows(table: Published, own: _Own) -> Grid:
    lines = [
        Line(row.name, tuple(_printed(row, column, table) for column in table.columns), False)
        for row in table.rows
    ]
    for model in models(own.values()):
        cells = tuple(_own_cell(column, own, model) for column in table.columns)
        lines.append(Line(model.name, cells, True))
    printed = (f"N as §{table.n_from}.",) if table.n_from else ()
    runs = groupby(column.over for column in table.columns)
    over = tuple(Head(text, len(list(same))) for text, same in runs)
    return Grid(
        caption=table.caption,
        corner="model",
        over=over if any(head.text for head in over) else (),
        heads=tuple(column.head for column in table.columns),
        lines=tuple(lines),
        notes=(*printed, *(_notes(table) if any(line.is_own for line in lines) else ())),
    )


def _notes(table: Published) -> Iterator[str]:
    """What the user's rows hold, where it could be taken for something else."""
    shares = any(column.role is Role.VALUE and column.unit == "percent" for column in table.columns)
    if shares and any(column.role is Role.P for column in table.columns):
        yield f"Of your runs, {_P}"
    if any(column.role.is_relative and column.signed for column in table.columns):
        yield "The printed relative changes are against CoT; yours are against direct."
    if any(len(column.arms) > 1 for column in table.columns):
        yield "Of your runs, CoT is the mean of the arms cot and explain, or of the one that ran."


def _by_columns(table: Published, own: _Own) -> Grid:
    asked = [
        (model, arm)
        for model in models(own.values())
        for arm in dict.fromkeys(arm for found in own.values() for arm in _arms(found, model))
    ]
    lines = []
    for row in table.rows:
        printed = [_printed(row, column, table) for column in table.columns]
        found = own[_key(row.where)]
        mine = [_count(found[model].arms.get(arm) if model in found else None)
                for model, arm in asked]  # fmt: skip
        lines.append(Line(row.name, (*printed, *mine), False))
    return Grid(
        caption=table.caption,
        corner="test",
        over=(Head(PUBLISHED, len(table.columns)), Head(OWN, len(asked), is_own=True))
        if asked
        else (),
        heads=(*(c.head for c in table.columns), *(f"{m.name}, {arm}" for m, arm in asked)),
        lines=tuple(lines),
    )


def _arms(found: Mapping[Model, Results], model: Model) -> Sequence[str]:
    return tuple(found[model].arms) if model in found else ()


def _printed(row: Row, column: Column, table: Published) -> Cell:
    text = table.cell(row, column)
    if column.unit == "count":
        count = read_count(text)
        return Cell(text, 100 * count.right / count.of, count.of)
    number = read_number(text)
    if number is None:
        return Cell(text)
    return Cell(text, None if number.is_bound else float(number.number), questions(row, column))


def _own_cell(column: Column, own: _Own, model: Model) -> Cell:
    found = own[_key(column.where)].get(model)
    if found is None:
        return Cell(NONE)
    if column.role is Role.VALUE:
        return _result(column, [found.summary(arm) for arm in column.arms])
    one = found.comparison(column.arms[0])
    return Cell(NONE) if one is None else _reckoned(column, one)


def _result(column: Column, asked: Sequence[ArmSummary | None]) -> Cell:
    """The mean of the arms that ran."""
    arms = [arm for arm in asked if arm is not None]
    if not arms:
        return Cell(NONE)
    mean = sum(arm.accuracy for arm in arms) / len(arms)
    value = mean if column.unit == "passes" else 100 * mean
    return Cell(_number(value, column), value, max(arm.n for arm in arms))


def _reckoned(column: Column, one: Comparison) -> Cell:
    if column.role is Role.P:
        return Cell(p_cell(one.paper_p), one.paper_p, one.n)
    relative = None if one.relative_change is None else 100 * one.relative_change
    value = relative if column.role.is_relative else one.effect
    if value is None:
        return Cell(NONE, n=one.n)
    value = column.role.sign * value + 0.0  # no minus before a 0
    return Cell(_number(value, column), value, one.n)


def _number(value: float, column: Column) -> str:
    text = f"{value:+.{column.digits}f}" if column.signed else f"{value:.{column.digits}f}"
    return _without_sign_of_nothing(text) + ("%" if column.unit == "percent" else "")


def _without_sign_of_nothing(text: str) -> str:
    return text.lstrip("+-") if float(text) == 0 else text


def p_cell(p: float | None) -> str:
    """As the paper prints it: "<0.0001", "0.969"."""
    if p is None:
        return NONE
    return "<0.0001" if p < 0.0001 else f"{p:.3f}"


def _count(arm: ArmSummary | None) -> Cell:
    """As the paper prints it: "3/500 (0.6%)"; repetitions count as replies."""
    if arm is None:
        return Cell(NONE)
    replies = arm.n * arm.repetitions
    right = f"{arm.accuracy * replies:.1f}".removesuffix(".0")
    share = f"{100 * arm.accuracy:.1f}".removesuffix(".0")
    return Cell(f"{right}/{replies} ({share}%)", 100 * arm.accuracy, arm.n)


_FULL = ("items", "arm", "n", "direct", "arm's result", "difference", "relative", "p")


def _full(table: Published, own: _Own) -> Grid | None:
    """Every comparison against direct that the runs hold of the table's items."""
    lines = [
        Line(model.name, _full_cells(where, one), True)
        for where, found in own.items()
        for model, result in found.items()
        for one in result.comparisons
    ]
    if not lines:
        return None
    return Grid(
        caption=f"{table.title}: your runs, each arm against direct",
        corner="model",
        over=(),
        heads=_FULL,
        lines=tuple(lines),
        notes=(f"Over the items that both arms have. {_P}",),
    )


def _full_cells(where: tuple[tuple[str, str], ...], one: Comparison) -> tuple[Cell, ...]:
    factor, sign = (100, "%") if one.unit == "points" else (1, "")
    sides = [factor * side.accuracy for side in (one.baseline_summary, one.arm_summary)]
    relative = None if one.relative_change is None else 100 * one.relative_change
    cells = [Cell(f"{side:.2f}{sign}", side, one.n) for side in sides]
    cells += [_change(one.effect, "", one.n), _change(relative, "%", one.n)]
    return (
        Cell(", ".join(level for _, level in where) or "all"),
        Cell(one.arm),
        Cell(f"{one.n:,}", one.n),
        *cells,
        Cell(p_cell(one.paper_p), one.paper_p, one.n),
    )


def _change(value: float | None, sign: str, n: int) -> Cell:
    if value is None:
        return Cell(NONE, n=n)
    return Cell(_without_sign_of_nothing(f"{value:+.2f}") + sign, value, n)
