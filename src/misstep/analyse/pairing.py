"""Pairs: which replies of two arms belong together, and the differences between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from misstep.analyse.intervals import Floats, Ints
from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

Replies = Mapping[str, Sequence[Record]]


@dataclass(frozen=True)
class Subject:
    """Whose records may be compared: one model on one variant of one version of a family."""

    family: str
    version: int
    who: str
    variant: str = ""


@dataclass(frozen=True)
class Paired:
    """The replies of both arms by item; both hold the same items in the same order."""

    baseline: Replies
    arm: Replies
    unpaired: int

    @property
    def group(self) -> Ints:
        return numbered(records[0].group for records in self.baseline.values())

    @property
    def differences(self) -> Floats:
        """Arm minus baseline of each item, no answer counting as wrong (the paper's rule)."""
        return means(self.arm) - means(self.baseline)


def by_subject(records: Iterable[Record]) -> dict[Subject, list[Record]]:
    """The records of each subject, as first met. A reply that occurs twice is bad input."""
    found: dict[Subject, list[Record]] = {}
    seen: set[tuple[Subject, str, str, int]] = set()
    for record in records:
        subject = Subject(record.family, record.version, record.who, record.variant)
        reply = (subject, record.arm, record.item, record.repetition)
        if reply in seen:
            raise BadInput(
                f"records: item {record.item!r}, arm {record.arm!r}, who {record.who!r} has "
                f"repetition {record.repetition} twice"
            )
        seen.add(reply)
        found.setdefault(subject, []).append(record)
    return found


def by_item(records: Iterable[Record], arm: str) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for record in records:
        if record.arm == arm:
            found.setdefault(record.item, []).append(record)
    return found


def pair(records: Sequence[Record], baseline: str, arm: str) -> Paired:
    """The items that both arms have replies to; the others are counted, not used."""
    first, second = by_item(records, baseline), by_item(records, arm)
    shared = [item for item in first if item in second]
    unpaired = len(first) + len(second) - 2 * len(shared)
    return Paired(
        {item: first[item] for item in shared}, {item: second[item] for item in shared}, unpaired
    )


def answered_only(paired: Paired) -> Paired:
    """Without each repetition of an item in which either arm gave no answer."""
    baseline: dict[str, list[Record]] = {}
    arm: dict[str, list[Record]] = {}
    for item, records in paired.baseline.items():
        both = _answered(records) & _answered(paired.arm[item])
        if both:
            baseline[item] = [record for record in records if record.repetition in both]
            arm[item] = [record for record in paired.arm[item] if record.repetition in both]
    return Paired(baseline, arm, paired.unpaired)


def _answered(records: Iterable[Record]) -> set[int]:
    return {record.repetition for record in records if record.outcome.is_answered}


def value(record: Record) -> float:
    """The record's value; 0 where there was no answer, by the paper's rule for accuracy."""
    if not record.outcome.is_answered:
        return 0.0
    if record.value is None:
        return float(record.outcome is Outcome.CORRECT)
    return record.value


def means(replies: Replies) -> Floats:
    """The value of each item, averaged over its repetitions."""
    return np.array([np.mean([value(record) for record in own]) for own in replies.values()])


def numbered(groups: Iterable[str]) -> Ints:
    """The groups as numbers from 0, in the order in which they are first met."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.int64)
