"""Which replies a page shows in words: examples, readings drawn at random, unparsed replies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from misstep.analyse.pairing import Subject, by_subject
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.core.seeds import Chance, stream

EXAMPLES = 5
"""Examples of each outcome."""
READINGS = 6
"""Readings of each arm, to see that the answer was read where it stands."""
MOST_UNPARSED = 600
"""Unparsed replies on a page, shared between its sections: more than these nobody reads."""
SEED = 0

Key = tuple[str, int, str, str, str, str, int]


@dataclass(frozen=True)
class Choice:
    """Keys of records; `readings` and `unparsed` in the order in which they were drawn."""

    examples: tuple[Key, ...]
    readings: tuple[Key, ...]
    unparsed: tuple[Key, ...]


def key_of(record: Record) -> Key:
    """What no two records of a report share."""
    asked = (record.family, record.version, record.variant)
    return (*asked, record.who, record.arm, record.item, record.repetition)


def choose(records: Iterable[Record]) -> Choice:
    """The same records give the same choice, whoever asks."""
    subjects = by_subject(records)
    examples: list[Key] = []
    readings: list[Key] = []
    unparsed: list[Key] = []
    for subject, own in subjects.items():
        chance = _chance(subject)
        examples += map(key_of, _examples(own))
        readings += map(key_of, _readings(own, chance))
        failed = [record for record in own if record.outcome is Outcome.UNPARSED]
        most = min(len(failed), max(1, MOST_UNPARSED // len(subjects)))
        unparsed += map(key_of, chance.sample(failed, most))
    return Choice(tuple(examples), tuple(readings), tuple(unparsed))


def in_turn(queues: Iterable[Sequence[Record]], most: int) -> list[Record]:
    """The first of each queue, then the second of each, and so on."""
    listed = list(queues)
    longest = max(map(len, listed), default=0)
    return [queue[at] for at in range(longest) for queue in listed if at < len(queue)][:most]


def _examples(own: Sequence[Record]) -> list[Record]:
    """The first few items of each outcome, taken from the arms in turn."""
    found: dict[Outcome, dict[str, list[Record]]] = {}
    for record in own:
        queue = found.setdefault(record.outcome, {}).setdefault(record.arm, [])
        if len(queue) < EXAMPLES and all(one.item != record.item for one in queue):
            queue.append(record)
    return [
        record
        for outcome in Outcome
        if outcome in found
        for record in in_turn(found[outcome].values(), EXAMPLES)
    ]


def _readings(own: Sequence[Record], chance: Chance) -> list[Record]:
    """Of each arm, answers that were read; where a value is of many answers, there is not one."""
    arms: dict[str, list[Record]] = {}
    for record in own:
        if record.outcome.is_answered and record.details.get("passes") is None:
            arms.setdefault(record.arm, []).append(record)
    return [
        record
        for listed in arms.values()
        for record in chance.sample(listed, min(READINGS, len(listed)))
    ]


def _chance(subject: Subject) -> Chance:
    return stream(subject.family, subject.version, SEED, "audit", subject.who, subject.variant)
