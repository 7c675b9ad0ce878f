"""Looks: what a run that may stop early is told after each complete group, and their order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from misstep.core.records import Record


@dataclass(frozen=True)
class Look:
    """What the evidence says after so many complete groups.

    `evidence` says it in a few words for a person who waits.
    """

    looks: int
    is_decided: bool
    evidence: str


Watch = Callable[[Sequence[Record]], Look]
"""Is given all records of each complete group once, in the order of the looks, from the first."""

Watcher = Callable[[Sequence[str]], Watch]
"""Makes a new watch for these arms, the baseline first."""


def complete_groups(records: Iterable[Record], arms: Sequence[str]) -> Iterator[list[Record]]:
    """The records of each group in the order of the looks, as far as all arms are complete.

    Within a group in an order of their own, not that in which the replies came.
    """
    by_look: dict[int, list[Record]] = {}
    for record in records:
        if record.look is not None and record.arm in arms:
            by_look.setdefault(record.look, []).append(record)
    for look in count(1):
        own = by_look.get(look, [])
        if not all(_is_complete(own, arm) for arm in arms):
            return
        yield ordered(own, arms)


def ordered(records: Iterable[Record], arms: Sequence[str]) -> list[Record]:
    return sorted(records, key=lambda one: (arms.index(one.arm), one.item, one.repetition))


def _is_complete(records: Iterable[Record], arm: str) -> bool:
    of_arm = [record for record in records if record.arm == arm]
    return bool(of_arm) and len(of_arm) == of_arm[0].look_replies
