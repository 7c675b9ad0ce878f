"""Pairs of replies by what labels say of them: the difference of each lies from low to high."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from misstep.analyse.inference.intervals import Floats, Ints
from misstep.analyse.labels.disagreements import disagreement, in_repetitions, is_unlabelled
from misstep.analyse.pairing import Paired, numbered, value
from misstep.core.labels import Judgement, Label, latest
from misstep.core.records import Record

Said = Mapping[str, frozenset[Judgement]]
_FIRST_RIGHT = (Judgement.FIRST, Judgement.BOTH)
_SECOND_RIGHT = (Judgement.SECOND, Judgement.BOTH)


@dataclass(frozen=True)
class JudgedPair:
    """A baseline's reply and an arm's to one item; `low` is `high` unless a label is missing.

    A reply without an answer counts as wrong; `is_answered` says that neither is one.
    """

    item: str
    group: str
    low: float
    high: float
    is_answered: bool
    agrees: bool = False
    is_left_out: bool = False
    is_conflict: bool = False


@dataclass(frozen=True)
class Differences:
    """The mean difference of each item over its repetitions, and the number of its group."""

    values: Floats
    group: Ints

    @property
    def groups(self) -> int:
        return int(self.group.max()) + 1 if self.group.size else 0


def said_of(labels: Sequence[Label], labeller: str | None = None) -> Said:
    """By disagreement, the different things that people say of it; who can't say, gives way."""
    found: dict[str, frozenset[Judgement]] = {}
    for name, own in latest(labels).items():
        every = frozenset(word for who, word in own.items() if labeller in (None, who))
        found[name] = every - {Judgement.CANNOT_SAY} or every
    return found


def in_conflict(labels: Sequence[Label]) -> set[str]:
    """The disagreements of which people say different things."""
    return {name for name, words in said_of(labels).items() if len(words) > 1}


def judged_pairs(paired: Paired, said: Said) -> tuple[JudgedPair, ...]:
    return tuple(
        _judged(one, other, said)
        for item, first in paired.baseline.items()
        for one, other in in_repetitions(first, paired.arm[item])
    )


def differences(pairs: Sequence[JudgedPair], of: Callable[[JudgedPair], float]) -> Differences:
    values: dict[str, list[float]] = {}
    groups: dict[str, str] = {}
    for one in pairs:
        values.setdefault(one.item, []).append(of(one))
        groups[one.item] = one.group
    means = np.array([sum(own) / len(own) for own in values.values()], dtype=np.float64)
    return Differences(means, numbered(groups.values()))


def _judged(one: Record, other: Record, said: Said) -> JudgedPair:
    is_read, is_other_read = _is_read(one), _is_read(other)
    blank = JudgedPair(one.item, one.group, 0.0, 0.0, is_read and is_other_read)
    disputed = disagreement(one, other)
    if disputed is None:
        known = 0.0 if is_unlabelled(one) else value(other) - value(one)
        return replace(blank, low=known, high=known, agrees=known == 0)
    judgements = said.get(disputed.id, frozenset())
    if judgements == {Judgement.CANNOT_SAY}:
        return replace(blank, is_left_out=True)
    if len(judgements) != 1:
        low, high = -float(is_read), float(is_other_read)
        return replace(blank, low=low, high=high, is_conflict=bool(judgements))
    (judgement,) = judgements
    first, second = judgement in _FIRST_RIGHT, judgement in _SECOND_RIGHT
    mine, theirs = (first, second) if disputed.first.arm == one.arm else (second, first)
    known = float(theirs and is_other_read) - float(mine and is_read)
    return replace(blank, low=known, high=known)


def _is_read(record: Record) -> bool:
    return is_unlabelled(record) or record.outcome.is_answered
