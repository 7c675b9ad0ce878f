"""Which items are to train on and which to test with, so that no test instance is in training.

The side is decided by what an instance is, never by its id, seed or place in a file: the same
instance falls on the same side everywhere, and what a small share tests, a larger one tests too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import groupby
from typing import TypeVar

from misstep.core.errors import BadInput
from misstep.core.family import Instances
from misstep.core.items import Item
from misstep.core.seeds import digest

P = TypeVar("P")
_BITS = 64


class Side(StrEnum):
    """`LEFT_OUT`: asks what may be trained on, but its prompt shows what is tested."""

    TRAIN = "train"
    TEST = "test"
    LEFT_OUT = "left out"


def check_share(share: float) -> None:
    if not 0 <= share <= 1:
        raise BadInput(f"--test-share: {share} is not between 0 and 1")


def sided(
    items: Iterable[Item[P]],
    share: float,
    instances: Callable[[Item[P]], Instances] | None = None,
) -> Iterator[tuple[Item[P], Side]]:
    """The items in their order, each with its side; `share` is the chance of TEST, from 0 to 1.

    With the family's `instances` items are split by what they ask about; one is left out if
    anything in its prompt is on the test side while that isn't. Without, they are split in whole
    groups, by what the payloads of the group have in common.
    """
    check_share(share)
    for _, members in groupby(items, key=lambda item: item.group):
        group = tuple(members)
        common = Side.TEST if _is_tested(share, *_common(group)) else Side.TRAIN
        for item in group:
            yield item, common if instances is None else _side_of(instances(item), share)


def _side_of(found: Instances, share: float) -> Side:
    if _is_tested(share, *found.asked):
        return Side.TEST
    is_spoilt = any(_is_tested(share, *instance) for instance in found.shown)
    return Side.LEFT_OUT if is_spoilt else Side.TRAIN


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
