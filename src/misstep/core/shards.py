"""Shards: a run in parts that several machines or processes ask, each a share of whole groups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from misstep.core.errors import BadInput
from misstep.core.items import Item

P = TypeVar("P")
MOST_SHARDS = 10_000
_WORDS = re.compile(r"(\d{1,6})/(\d{1,6})")
_ENDING = re.compile(r"(?P<run>.+)-shard-(?P<number>\d+)-of-(?P<of>\d+)")


@dataclass(frozen=True)
class Shard:
    """Part `number` of `of`, counted from 1.

    It takes every `of`-th group in the order of the seed, so that pairs and looks stay whole, and
    a run that grows leaves every group in the shard that it was in.
    """

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @property
    def ending(self) -> str:
        """What the name of the shard's run folder ends in."""
        return f"-shard-{self.number}-of-{self.of}"

    def takes(self, group: int) -> bool:
        """Whether the run's group of that place, from 0, is this shard's."""
        return group % self.of == self.number - 1


@dataclass(frozen=True)
class Ending:
    """The name of a shard's folder, taken apart: the name of the whole run's, and which shard."""

    run: str
    shard: Shard


def ending_of(name: str) -> Ending | None:
    """None for the name of a folder that is no shard's."""
    found = _ENDING.fullmatch(name)
    if found is None:
        return None
    return Ending(found["run"], Shard(int(found["number"]), int(found["of"])))


def read_shard(words: str) -> Shard:
    """From `i/n`; BadInput where that is no part of a whole."""
    found = _WORDS.fullmatch(words)
    if found is None:
        raise BadInput(f"--shard: {words!r} is not i/n, as in 1/4")
    shard = Shard(int(found[1]), int(found[2]))
    if not 1 <= shard.number <= shard.of:
        raise BadInput(f"--shard: {words!r}: the first number goes from 1 to the second")
    if shard.of > MOST_SHARDS:
        raise BadInput(f"--shard: {words!r}: more than {MOST_SHARDS} shards")
    return shard


def of_shard(items: Iterable[Item[P]], shard: Shard | None) -> Iterator[Item[P]]:
    """The items of the shard's groups, in their order; of no shard: all.

    BadInput where the run has too few groups for the shard to have one.
    """
    if shard is None:
        yield from items
        return
    places: dict[str, int] = {}
    for item in items:
        if shard.takes(places.setdefault(item.group, len(places))):
            yield item
    if len(places) < shard.number:
        raise BadInput(f"--shard: {shard}: the run has {len(places)} groups")
