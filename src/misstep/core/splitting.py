"""Which items are to train on and which to test with, so that no test instance is in training.

The side is decided by what an instance is, never by its id, seed or place in a file: the same
instance falls on the same side everywhere, and what a small share tests, a larger one tests too.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import groupby
from typing import Protocol, TypeVar, runtime_checkable

from misstep.core.errors import BadInput
from misstep.core.items import Item
from misstep.core.seeds import digest

P = TypeVar("P")
_BRACKETED = re.compile(r"\([^()]*\)")
_BITS = 64


class Side(StrEnum):
    """`LEFT_OUT`: asks what may be trained on, but its prompt shows what is tested."""

    TRAIN = "train"
    TEST = "test"
    LEFT_OUT = "left out"


@runtime_checkable
class ShowsInstances(Protocol):
    """A payload whose prompt shows other instances, or its own at an earlier time.

    `problem` is what is asked; `before`, and every bracketed text of an example, is shown.
    """

    @property
    def problem(self) -> str: ...
    @property
    def before(self) -> str: ...
    @property
    def examples(self) -> tuple[tuple[str | tuple[str, ...], ...], ...]: ...


def check_share(share: float) -> None:
    if not 0 <= share <= 1:
        raise BadInput(f"--test-share: {share} is not between 0 and 1")


def sided(items: Iterable[Item[P]], share: float) -> Iterator[tuple[Item[P], Side]]:
    """The items in their order, each with its side; `share` is the chance of TEST, from 0 to 1.

    Payloads that show instances are split by their problem text, facts and goals in any order; a
    pair is left out if anything in its prompt is on the test side while the problem is not.
    Others are split in whole groups, by what the payloads of the group have in common.
    """
    check_share(share)
    for _, members in groupby(items, key=lambda item: item.group):
        group = tuple(members)
        common = _is_tested(share, *_common(group))
        for item in group:
            payload: object = item.payload
            if isinstance(payload, ShowsInstances):
                yield item, _side_of(payload, share)
            else:
                yield item, Side.TEST if common else Side.TRAIN


def _side_of(payload: ShowsInstances, share: float) -> Side:
    if _is_tested(share, *_facts(payload.problem)):
        return Side.TEST
    parts = (payload.before, *(part for example in payload.examples for part in example))
    shown = (_facts(part) for part in parts if isinstance(part, str))
    return Side.LEFT_OUT if any(f and _is_tested(share, *f) for f in shown) else Side.TRAIN


def _facts(problem: str) -> tuple[str, ...]:
    """Equal for the same facts and goals in any order. Texts that differ in more than that may
    also be equal, as what joins the goals is dropped: they are then on the same side, no more."""
    lines = (sorted(_BRACKETED.findall(line)) for line in problem.splitlines())
    return tuple(sorted(" ".join(line) for line in lines if line))


def _common(group: Sequence[Item[P]]) -> tuple[str, ...]:
    """The fields that are the same in all payloads of a group, which outlives a cut of it."""
    payloads: list[object] = [item.payload for item in group]
    first = payloads[0]
    if not dataclasses.is_dataclass(first) or isinstance(first, type):
        raise TypeError(f"the payload of {group[0].id} is no dataclass: {first!r}")
    values = {
        f.name: {repr(getattr(p, f.name)) for p in payloads} for f in dataclasses.fields(first)
    }
    return tuple(f"{name}={value}" for name, (value, *more) in values.items() if not more)


def _is_tested(share: float, *content: str) -> bool:
    number = int.from_bytes(digest("split", *content)[: _BITS // 8], "big")
    return number < share * (1 << _BITS)
