"""PlanBench's human baseline (6.2) as a table: valid plans, and optimal ones among them, of people
and models alike."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from misstep.analyse.inference.intervals import wilson
from misstep.analyse.people import is_person, side
from misstep.core.records import Record
from misstep.report.published.data import Published
from misstep.report.published.grids import NONE, Cell, Grid, Line, Sheet

HEADS = ("n", "valid", "95 %", "optimal of valid", "95 %")
ASKED = ("plan-generation", "optimal-planning")
NOTE = (
    "Valid: each action can be done and the goal holds. Optimal: proven to be of the fewest "
    "actions, or of least cost where that was asked for. Intervals: Wilson's."
)


@dataclass(frozen=True)
class PrintedPlans:
    """What the paper says of its people; `status` is whether others found it again."""

    section: str
    family: str
    about: str
    n: int
    valid: int
    optimal: int
    where: Mapping[str, str] = field(default_factory=dict)
    status: str = ""


@dataclass(frozen=True)
class Plans:
    """`known` of the `valid` plans are those for which the least is known; `is_single` where each
    person, or of a model each item, has one plan, as the intervals need."""

    name: str
    n: int
    valid: int
    known: int
    optimal: int
    is_single: bool


@cache
def printed_plans() -> PrintedPlans:
    text = resources.files(__package__).joinpath("planbench.toml").read_text("utf-8")
    (found,) = tomllib.loads(text)["people"]
    return PrintedPlans(**found)


def plans_of(records: Iterable[Record]) -> tuple[Plans, ...]:
    """A line for all people asked in one way, and one for each model and arm, in their order."""
    found: dict[str, list[Record]] = {}
    for one in records:
        if one.family == printed_plans().family and one.factors.get("test") in ASKED:
            found.setdefault(_name(one), []).append(one)
    return tuple(_plans(name, own) for name, own in found.items())


def plan_sheet(records: Iterable[Record], *, is_all: bool) -> Sheet | None:
    """The table, where people made plans in these records, or where every table is asked for."""
    own = [one for one in records if one.family == printed_plans().family]
    if not is_all and not any(is_person(one.who) for one in own):
        return None
    return Sheet(_table(), plan_grid(plans_of(own)), None)


def plan_grid(own: Sequence[Plans]) -> Grid:
    printed = printed_plans()
    as_printed = Plans(
        f"people, §{printed.section}",
        printed.n,
        printed.valid,
        printed.valid,
        printed.optimal,
        True,
    )
    lines = [Line(as_printed.name, _cells(as_printed), is_own=False)]
    lines += [Line(one.name, _cells(one), is_own=True) for one in own]
    notes = (NOTE, f"§{printed.section}: {printed.status}.")
    return Grid(_table().caption, "who", (), HEADS, tuple(lines), notes)


def is_valid(record: Record) -> bool:
    """Whether a plan was given and nothing is wrong with it; asked for least cost, a valid plan
    that costs more counts too."""
    details = record.details
    is_plan = record.outcome.is_answered and details.get("length") is not None
    return is_plan and details.get("fault") is None


def is_optimal(record: Record) -> bool | None:
    """None where the least isn't known."""
    excess, length = record.details.get("excess"), record.details.get("length")
    if isinstance(excess, (int, float)):
        return excess <= 0
    if record.factors.get("is_shortest") is not True:
        return None
    return length == record.factors.get("length")


def _name(record: Record) -> str:
    how = str(record.details.get("human_arm") or record.arm)
    who = side(record.who)
    variant = f" ({record.variant})" if record.variant else ""
    return f"{who}, {how}{variant}"


def _plans(name: str, own: Sequence[Record]) -> Plans:
    valid = [one for one in own if is_valid(one)]
    known = [found for one in valid if (found := is_optimal(one)) is not None]
    units = {one.who if is_person(one.who) else one.item for one in own}
    return Plans(name, len(own), len(valid), len(known), sum(known), len(units) == len(own))


def _cells(one: Plans) -> tuple[Cell, ...]:
    return (
        Cell(f"{one.n:,}", one.n),
        *_share(one.valid, one.n, one.is_single),
        *_share(one.optimal, one.known, one.is_single),
    )


def _share(count: int, of: int, is_single: bool) -> tuple[Cell, Cell]:
    """As the paper prints it: "39/50 (78%)"; and the interval in percent."""
    if of == 0:
        return Cell(NONE), Cell(NONE)
    share = f"{100 * count / of:.1f}".removesuffix(".0")
    said = Cell(f"{count}/{of} ({share}%)", 100 * count / of, of)
    if not is_single:
        return said, Cell(NONE)
    found = wilson(count / of, of)
    return said, Cell(f"{100 * found.low:.1f} to {100 * found.high:.1f}%")


def _table() -> Published:
    printed = printed_plans()
    return Published("PlanBench", 0, printed.section, printed.family, printed.about, (), ())
