"""What studies with people found, as *Mind Your Step* tells it, with people and models beside."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from misstep.analyse import Comparison
from misstep.analyse.splits import is_reference
from misstep.core.family import Prediction, Spec
from misstep.report import wording
from misstep.report.page.data import ReportData
from misstep.report.published.data import Published
from misstep.report.published.grids import NONE, Cell, Grid, Line, Sheet
from misstep.report.published.printed import read_number

PAPER = "Mind Your Step"
HEADS = ("arm", "against", "its result", "arm's result", "difference", "found again")
_UNKNOWN = "not known"


@dataclass(frozen=True)
class PrintedPeople:
    """`arm` against `baseline` are the arms beside which these people stand; `result` and `against`
    the shares that are printed of them, "" where none are."""

    family: str
    section: str
    arm: str
    baseline: str
    result: str = ""
    against: str = ""


@cache
def printed_people() -> tuple[PrintedPeople, ...]:
    text = resources.files(__package__).joinpath("mind-your-step.toml").read_text("utf-8")
    return tuple(PrintedPeople(**found) for found in tomllib.loads(text)["people"])


def people_sheets(data: ReportData, *, is_all: bool) -> tuple[Sheet, ...]:
    """A table for each family that people were tested on: of those in the data, or of all."""
    return tuple(_sheets(data, is_all))


def _sheets(data: ReportData, is_all: bool) -> Iterator[Sheet]:
    families = {record.family for record in data.records}
    for printed in printed_people():
        spec = data.specs.get(printed.family)
        if spec is not None and (is_all or printed.family in families):
            table = Published(PAPER, 0, printed.section, spec.name, _about(spec), (), ())
            yield Sheet(table, _grid(printed, spec, table, data), None)


def _about(spec: Spec) -> str:
    return f"{spec.title}: people as published, and yours"


def _grid(printed: PrintedPeople, spec: Spec, table: Published, data: ReportData) -> Grid:
    found = spec.prediction
    own = [one for one in data.comparisons if _is_own(one, spec.name)]
    lines = [Line(_study(found), _published(printed, found), is_own=False)]
    lines += [Line(one.who, _cells(one), is_own=True) for one in own]
    notes = (
        f"Found: {found.effect}. Source: {found.source}.",
        f"Found again: {found.replication or _UNKNOWN}.",
    )
    return Grid(table.caption, "who", (), HEADS, tuple(lines), notes)


def _is_own(one: Comparison, family: str) -> bool:
    is_of_arms = one.factor is None and one.baseline_who is None
    return one.family == family and is_of_arms and not is_reference(one.who)


def _study(found: Prediction) -> str:
    return f"people, {found.source.partition(';')[0]}"


def _published(printed: PrintedPeople, found: Prediction) -> tuple[Cell, ...]:
    against, result = read_number(printed.against), read_number(printed.result)
    worse = "worse" if found.hurts_people else "better"
    changed = Cell(worse)
    if against is not None and result is not None:
        change = float(result.number - against.number)
        changed = Cell(f"{wording.signed(change, 0)} points", change)
    return (
        Cell(printed.arm),
        Cell(printed.baseline),
        Cell(printed.against or NONE, None if against is None else float(against.number)),
        Cell(printed.result or NONE, None if result is None else float(result.number)),
        changed,
        Cell(_again(found)),
    )


def _again(found: Prediction) -> str:
    """In a word or two; a note below has the whole."""
    return found.replication.partition(":")[0] or _UNKNOWN


def _cells(one: Comparison) -> tuple[Cell, ...]:
    measure = one.measure
    values = [
        Cell(wording.amount(side.accuracy, measure), side.accuracy * measure.factor, one.n)
        for side in (one.baseline_summary, one.arm_summary)
    ]
    reach = wording.points_interval(one.interval, measure)
    changed = Cell(f"{wording.difference(one.effect, measure)} ({reach})", one.effect, one.n)
    return (Cell(one.arm), Cell(one.baseline), *values, changed, Cell(""))
