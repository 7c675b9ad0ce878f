"""Each arm at each level of a factor: means and effects with intervals, to look at, not to test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from misstep.analyse.comparison import Interval
from misstep.analyse.estimate import Scored, Spread, agreeing
from misstep.analyse.inference import intervals
from misstep.analyse.inference.crossed import people_interval
from misstep.analyse.inference.intervals import Floats, Ints
from misstep.analyse.pairing import Replies, by_item, means, numbered, paired_up
from misstep.analyse.people import participants
from misstep.core.items import Scalar
from misstep.core.measures import Measure
from misstep.core.records import Record

MOST_LEVELS = 10
"""More numbers are put into ranges, more names than these into one of all the others."""
_RANGES = 8
_OTHERS = "all others"
_NONE = "none"


@dataclass(frozen=True)
class LevelArm:
    """One arm at one level; `effect` and its interval, in the measure's unit, against the baseline.

    `effect` is None in the baseline arm, and where no item is shared; an interval is None where a
    single group leaves no measure of the spread, and for effects among people.
    """

    arm: str
    n: int
    mean: float
    interval: Interval | None
    effect: float | None
    effect_interval: Interval | None


@dataclass(frozen=True)
class Level:
    name: str
    arms: tuple[LevelArm, ...]


@dataclass(frozen=True)
class Factor:
    """A factor with at least two levels, in their own order."""

    name: str
    levels: tuple[Level, ...]


def break_down(
    records: Sequence[Record], factors: Iterable[str], arms: Sequence[str], measure: Measure
) -> tuple[Factor, ...]:
    """Those of the factors that differ between the items; `arms`: the baseline first.

    The records are those of one subject (`pairing.by_subject`).
    """
    replies = {arm: by_item(records, arm) for arm in arms}
    found = []
    for name in factors:
        levels = _levels({record.item: record.factors.get(name) for record in records})
        if len(levels) > 1:
            made = tuple(_level(level, items, replies, measure) for level, items in levels.items())
            found.append(Factor(name, made))
    return tuple(found)


def factor_names(records: Iterable[Record]) -> tuple[str, ...]:
    """The names in the records, as first met: for a family that declares none."""
    return tuple(dict.fromkeys(name for record in records for name in record.factors))


def _levels(values: Mapping[str, Scalar]) -> dict[str, set[str]]:
    """The items of each level, by its name: numbers in their order, names as first met."""
    distinct = dict.fromkeys(values.values())
    names: dict[Scalar, str] = {}
    numbers = _numbers(values.values())
    if len(set(numbers)) > MOST_LEVELS:
        names |= _ranges(numbers)
    else:
        names |= {one: _said(one) for one in sorted(set(numbers))}
    others = [one for one in distinct if one not in names]
    names |= _most(others, list(values.values()))
    found: dict[str, set[str]] = {name: set() for name in names.values()}
    for item, one in values.items():
        found[names[one]].add(item)
    return found


def _numbers(values: Iterable[Scalar]) -> list[int | float]:
    return [one for one in values if isinstance(one, (int, float)) and not isinstance(one, bool)]


def _said(one: Scalar) -> str:
    if one is None:
        return _NONE
    if isinstance(one, bool):
        return "yes" if one else "no"
    return f"{one:g}" if isinstance(one, float) else str(one)


def _ranges(numbers: Sequence[int | float]) -> dict[Scalar, str]:
    """About equally many items in each range; equal numbers are never parted."""
    counts, below = Counter(numbers), 0
    ranges: dict[int, list[int | float]] = {}
    for number in sorted(counts):
        ranges.setdefault(below * _RANGES // len(numbers), []).append(number)
        below += counts[number]
    names: dict[Scalar, str] = {}
    for within in ranges.values():
        first, last = _said(within[0]), _said(within[-1])
        names |= dict.fromkeys(within, first if first == last else f"{first}–{last}")
    return names


def _most(others: Sequence[Scalar], values: Sequence[Scalar]) -> dict[Scalar, str]:
    counts = Counter(values)
    kept = others
    if len(others) > MOST_LEVELS:
        kept = sorted(others, key=lambda one: -counts[one])[: MOST_LEVELS - 1]
    named = {one: _said(one) for one in others if one in kept}
    return named | {one: _OTHERS for one in others if one not in kept}


def _level(name: str, items: set[str], replies: Mapping[str, Replies], measure: Measure) -> Level:
    own = {
        arm: {item: listed for item, listed in by.items() if item in items}
        for arm, by in replies.items()
    }
    baseline = next(iter(own.values()))
    return Level(
        name,
        tuple(
            _arm(arm, listed, {} if listed is baseline else baseline, measure)
            for arm, listed in own.items()
            if listed
        ),
    )


def _arm(arm: str, own: Replies, baseline: Replies, measure: Measure) -> LevelArm:
    values, group = means(own, measure), numbered(listed[0].group for listed in own.values())
    has_people = participants(record for listed in own.values() for record in listed)
    paired = paired_up(baseline, own, measure)
    effect = interval = None
    if paired.baseline:
        effect = measure.factor * float(paired.differences.mean())
        if not paired.has_people:
            interval = effect_interval(paired.differences, paired.group, measure)
    return LevelArm(
        arm=arm,
        n=len(own),
        mean=float(values.mean()),
        interval=people_interval(own, measure)
        if has_people
        else intervals.accuracy_interval(values, group, measure),
        effect=effect,
        effect_interval=interval,
    )


def effect_interval(differences: Floats, group: Ints, measure: Measure) -> Interval | None:
    """95 %, as `estimate.estimate` has it, without its test."""
    mean = intervals.clustered(differences, group)
    if mean.error is None:
        return None
    basis: Scored | Spread
    if measure.highest - measure.lowest == 1 and intervals.are_singles(differences, group):
        gained, lost = int(np.sum(differences > 0)), int(np.sum(differences < 0))
        basis = Scored(gained, lost, differences.size, measure.span)
    elif mean.error == 0:
        basis = agreeing(measure.factor * mean.mean, mean.groups, measure)
    else:
        basis = Spread(measure.factor * mean.mean, measure.factor * mean.error, mean.groups - 1)
    found = basis.interval(0.95)
    return Interval(max(-measure.span, found.low), min(measure.span, found.high))
