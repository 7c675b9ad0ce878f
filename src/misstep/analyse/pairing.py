"""Pairs: which replies of two sides belong together, and the differences between them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from misstep.analyse.inference.intervals import Floats, Ints
from misstep.analyse.people import is_person, participants, side
from misstep.core.errors import BadInput
from misstep.core.measures import ACCURACY, Measure
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

Replies = Mapping[str, Sequence[Record]]


@dataclass(frozen=True)
class Subject:
    """Whose records may be compared: one model on one variant of one version of a family.

    All people are one subject, "people".
    """

    family: str
    version: int
    who: str
    variant: str = ""


@dataclass(frozen=True)
class Paired:
    """The replies of both sides by item; both hold the same items in the same order."""

    baseline: Replies
    arm: Replies
    unpaired: int
    measure: Measure = ACCURACY

    @cached_property
    def group(self) -> Ints:
        return numbered(records[0].group for records in self.baseline.values())

    @cached_property
    def differences(self) -> Floats:
        """Arm minus baseline of each item, no answer counting as the worst value."""
        return means(self.arm, self.measure) - means(self.baseline, self.measure)

    @cached_property
    def has_people(self) -> bool:
        return any(
            is_person(record.who)
            for replies in (self.baseline, self.arm)
            for own in replies.values()
            for record in own
        )

    @property
    def replies(self) -> int:
        return count(self.baseline) + count(self.arm)


def by_subject(records: Iterable[Record]) -> dict[Subject, list[Record]]:
    """The records of each subject, as first met. A reply that occurs twice is bad input."""
    found: dict[Subject, list[Record]] = {}
    seen: set[tuple[str, int, str, str, str, str, int]] = set()
    for record in records:
        asked = (record.family, record.version, record.variant)
        reply = (*asked, record.who, record.arm, record.item, record.repetition)
        if reply in seen:
            raise BadInput(
                f"records: item {record.item!r}, arm {record.arm!r}, who {record.who!r} has "
                f"repetition {record.repetition} twice"
            )
        seen.add(reply)
        subject = Subject(record.family, record.version, side(record.who), record.variant)
        found.setdefault(subject, []).append(record)
    return found


def by_item(records: Iterable[Record], arm: str) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for record in records:
        if record.arm == arm:
            found.setdefault(record.item, []).append(record)
    return found


def pair(records: Sequence[Record], baseline: str, arm: str, measure: Measure = ACCURACY) -> Paired:
    """The items that both arms have replies to; the others are counted, not used."""
    return paired_up(by_item(records, baseline), by_item(records, arm), measure)


def paired_up(first: Replies, second: Replies, measure: Measure) -> Paired:
    """BadInput where an item of both sides is in another group, or has another truth."""
    shared = [item for item in first if item in second]
    for item in shared:
        _check_same(first[item][0], second[item][0])
    unpaired = len(first) + len(second) - 2 * len(shared)
    return Paired(
        {item: first[item] for item in shared},
        {item: second[item] for item in shared},
        unpaired,
        measure,
    )


def _check_same(one: Record, other: Record) -> None:
    for field, mine, theirs in (
        ("group", one.group, other.group),
        ("truth", one.truth, other.truth),
    ):
        if mine != theirs and None not in (mine, theirs):
            raise BadInput(
                f"records: item {one.item!r} has the {field} {mine!r} in {one.who}, {one.arm}, "
                f"and {theirs!r} in {other.who}, {other.arm}: these are different items"
            )


def answered_only(paired: Paired) -> Paired:
    """Without each repetition of an item in which either side gave no answer.

    People's replies are no pairs: there only the replies without an answer go.
    """
    of = _answered_alone if paired.has_people else _answered_in_pairs
    baseline: dict[str, Sequence[Record]] = {}
    arm: dict[str, Sequence[Record]] = {}
    for item, records in paired.baseline.items():
        first, second = of(records, paired.arm[item])
        if first and second:
            baseline[item], arm[item] = first, second
    return Paired(baseline, arm, paired.unpaired, paired.measure)


def _answered_in_pairs(
    first: Sequence[Record], second: Sequence[Record]
) -> tuple[list[Record], list[Record]]:
    both = _answered(first) & _answered(second)
    return (
        [record for record in first if record.repetition in both],
        [record for record in second if record.repetition in both],
    )


def _answered_alone(
    first: Sequence[Record], second: Sequence[Record]
) -> tuple[list[Record], list[Record]]:
    return (
        [record for record in first if record.outcome.is_answered],
        [record for record in second if record.outcome.is_answered],
    )


def _answered(records: Iterable[Record]) -> set[int]:
    return {record.repetition for record in records if record.outcome.is_answered}


def value(record: Record, measure: Measure = ACCURACY) -> float:
    """The record's value; the worst one where there was no answer (the paper's rule).

    BadInput where it lies outside of the measure.
    """
    if not record.outcome.is_answered:
        return measure.worst
    found = record.value
    if found is None:
        return measure.best if record.outcome is Outcome.CORRECT else measure.worst
    if measure.lowest <= found <= measure.highest:
        return found
    if measure.is_capped and found > measure.highest:
        return measure.highest
    raise BadInput(
        f"records: item {record.item!r}, arm {record.arm!r}, who {record.who!r} has the value "
        f"{found:g}; {measure.name} of {record.family} lies in {measure.lowest:g} to "
        f"{measure.highest:g}"
    )


def means(replies: Replies, measure: Measure = ACCURACY) -> Floats:
    """The value of each item, averaged over its repetitions (and over people)."""
    return np.array([_mean([value(one, measure) for one in own]) for own in replies.values()])


def _mean(values: Sequence[float]) -> float:
    return values[0] if len(values) == 1 else math.fsum(values) / len(values)


def count(replies: Replies) -> int:
    return sum(map(len, replies.values()))


def most_repetitions(replies: Replies) -> int:
    """The most replies that one model or person gave to an item."""
    if not participants(record for own in replies.values() for record in own):
        return max(map(len, replies.values()))
    counts: dict[tuple[str, str], int] = {}
    for item, own in replies.items():
        for record in own:
            counts[item, record.who] = counts.get((item, record.who), 0) + 1
    return max(counts.values())


def numbered(groups: Iterable[Hashable]) -> Ints:
    """The groups as numbers from 0, in the order in which they are first met."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.int64)
