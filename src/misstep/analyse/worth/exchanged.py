"""Which items an arm lost and gained against the baseline, by the levels of a factor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from misstep.analyse.arms import arm_order
from misstep.analyse.drafts import measure_of
from misstep.analyse.pairing import Subject, by_subject, pair
from misstep.analyse.people import PEOPLE
from misstep.analyse.sequential.looks import looked_at
from misstep.analyse.splits import is_reference, median_split
from misstep.core.family import Spec
from misstep.core.items import Scalar
from misstep.core.records import Record


@dataclass(frozen=True)
class Exchanged:
    """An item that one arm did better than the other; `change` is the arm's value less the other's.

    `change` is positive where the arm gained, in the measure's sense. `baseline` and `arm` are the
    replies by which to show it: the first repetition that differs.
    """

    item: str
    factors: Mapping[str, Scalar]
    change: float
    baseline: Record
    arm: Record

    @property
    def is_gained(self) -> bool:
        return self.change > 0


@dataclass(frozen=True)
class Level:
    """How many of a level's items were lost and gained; `level` None: items without the factor."""

    level: Scalar
    n: int
    lost: int
    gained: int


@dataclass(frozen=True)
class Exchange:
    """All items lost and gained by one arm of one model, the greatest changes first."""

    family: str
    version: int
    variant: str
    who: str
    arm: str
    baseline: str
    n: int
    items: tuple[Exchanged, ...]
    factors: Mapping[str, tuple[Level, ...]]

    @property
    def lost(self) -> tuple[Exchanged, ...]:
        return tuple(one for one in self.items if not one.is_gained)

    @property
    def gained(self) -> tuple[Exchanged, ...]:
        return tuple(one for one in self.items if one.is_gained)


def exchanges(records: Iterable[Record], specs: Mapping[str, Spec]) -> tuple[Exchange, ...]:
    """Each arm against the baseline arm, of each model."""
    return tuple(
        _exchange(subject, own, specs.get(subject.family), arm, baseline)
        for subject, own in by_subject(looked_at(median_split(records), specs)).items()
        if subject.who != PEOPLE and not is_reference(subject.who)
        for baseline, *others in [arm_order(own, specs.get(subject.family))]
        for arm in others
    )


def _exchange(
    subject: Subject, records: Sequence[Record], spec: Spec | None, arm: str, baseline: str
) -> Exchange:
    measure = measure_of(spec)
    paired = pair(records, baseline, arm, measure)
    changes = measure.sign * paired.differences if paired.baseline else ()
    items = [
        _exchanged(item, float(change), paired.baseline[item], paired.arm[item])
        for item, change in zip(paired.baseline, changes, strict=True)
        if change
    ]
    items.sort(key=lambda one: -abs(one.change))
    firsts = {item: own[0] for item, own in paired.baseline.items()}
    return Exchange(
        family=subject.family,
        version=subject.version,
        variant=subject.variant,
        who=subject.who,
        arm=arm,
        baseline=baseline,
        n=len(firsts),
        items=tuple(items),
        factors=_by_factor(firsts, items),
    )


def _exchanged(
    item: str, change: float, baseline: Sequence[Record], arm: Sequence[Record]
) -> Exchanged:
    """By the first repetition of which the outcomes differ, else by the first."""
    others = {record.repetition: record for record in arm}
    both = [(one, others[one.repetition]) for one in baseline if one.repetition in others] or [
        (baseline[0], arm[0])
    ]
    differing = [pair for pair in both if pair[0].outcome != pair[1].outcome]
    one, other = (differing or both)[0]
    return Exchanged(item, one.factors, change, one, other)


def _by_factor(
    asked: Mapping[str, Record], items: Sequence[Exchanged]
) -> dict[str, tuple[Level, ...]]:
    """Of the factors that differ between the items."""
    changes = {one.item: one.change for one in items}
    names = dict.fromkeys(name for record in asked.values() for name in record.factors)
    found: dict[str, tuple[Level, ...]] = {}
    for name in names:
        counts: dict[Scalar, list[int]] = {}
        for item, record in asked.items():
            count = counts.setdefault(record.factors.get(name), [0, 0, 0])
            change = changes.get(item, 0.0)
            count[0] += 1
            count[1] += change < 0
            count[2] += change > 0
        if len(counts) > 1:
            found[name] = tuple(Level(level, *count) for level, count in counts.items())
    return found
