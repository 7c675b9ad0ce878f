"""Where two arms answer differently while the right answer is not known: what is to be labelled.

Two replies with the same answer are equally right, whatever the truth is, and so are two replies
without an answer. All other pairs are disagreements; only these tell the arms apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from misstep.analyse.arms import arm_order
from misstep.analyse.pairing import by_item, by_subject
from misstep.core.errors import BadInput
from misstep.core.labels import UNLABELLED
from misstep.core.records import Record
from misstep.core.seeds import digest

_ID = 16


@dataclass(frozen=True)
class Side:
    """One of two answers (None: the reply holds none), and a reply that gave it."""

    answer: str | None
    arm: str
    repetition: int


@dataclass(frozen=True)
class Disagreement:
    """Two different answers to one item. `id` and which is the first depend on nothing else."""

    id: str
    item: str
    first: Side
    second: Side


def is_unlabelled(record: Record) -> bool:
    """Whether an answer was read of which nobody knows what it is worth."""
    return record.reason == UNLABELLED


def has_unlabelled(records: Iterable[Record]) -> bool:
    return any(map(is_unlabelled, records))


def refuse_unlabelled(records: Iterable[Record]) -> None:
    """BadInput where replies wait for labels, for all that has to know what a reply is worth."""
    found = next((record for record in records if is_unlabelled(record)), None)
    if found is not None:
        raise BadInput(
            f"RUN: {found.family}: what its replies are worth is not known (--label-later); "
            "misstep label labels where the arms disagree, misstep compare goes by the labels"
        )


def disagreements(records: Sequence[Record]) -> tuple[Disagreement, ...]:
    """Of every arm with the baseline arm, each two answers to an item once, in the items' order."""
    found: dict[str, Disagreement] = {}
    for own in by_subject(records).values():
        baseline, *others = arm_order(own, None)
        first = by_item(own, baseline)
        for arm in others:
            second = by_item(own, arm)
            for item in first:
                for one, other in in_repetitions(first[item], second.get(item, ())):
                    disputed = disagreement(one, other)
                    if disputed is not None:
                        found.setdefault(disputed.id, disputed)
    return tuple(found.values())


def in_repetitions(
    first: Iterable[Record], second: Iterable[Record]
) -> Iterator[tuple[Record, Record]]:
    """Two arms' replies to an item, repetition by repetition; what one arm lacks is left out."""
    others = {record.repetition: record for record in second}
    for record in first:
        if record.repetition in others:
            yield record, others[record.repetition]


def disagreement(one: Record, other: Record) -> Disagreement | None:
    """None where the replies are equally right whatever the truth is, or where it is known."""
    if not (is_unlabelled(one) or is_unlabelled(other)) or answer_of(one) == answer_of(other):
        return None
    named = {_name(record): record for record in (one, other)}
    (first, mine), (second, theirs) = sorted(named.items())
    return Disagreement(
        id=digest("disagreement", one.item, first.hex(), second.hex()).hex()[:_ID],
        item=one.item,
        first=_side(mine),
        second=_side(theirs),
    )


def answer_of(record: Record) -> str | None:
    """What two replies have to have in common to be equally right."""
    return record.answer if is_unlabelled(record) else None


def _name(record: Record) -> bytes:
    answer = answer_of(record)
    return digest("answer", record.item, *(() if answer is None else (answer,)))


def _side(record: Record) -> Side:
    return Side(answer_of(record), record.arm, record.repetition)
