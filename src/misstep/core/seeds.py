"""All chance of the suite comes from here: a generator for each named place, from a hash."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_SEPARATOR = "\x1f"


def stream(family: str, version: int, seed: int, *path: str | int) -> Chance:
    """The chance of one place, such as ("grammar", 1, 0, "group", 17).

    Depends on nothing but its arguments: two places, or two seeds, share no state,
    and the same place gives the same draws on every machine and Python.
    """
    return Chance(digest(family, version, seed, *path))


def digest(*parts: str | int) -> bytes:
    """32 bytes that name the parts in their order; a number differs from its text."""
    named = (f"{type(part).__name__}:{part}" for part in parts)
    return hashlib.sha256(_SEPARATOR.join(named).encode()).digest()


class Chance:
    """Draws from one stream. Uses only `Random.getrandbits`, whose output Python keeps stable."""

    def __init__(self, key: bytes) -> None:
        self._random = random.Random(int.from_bytes(key, "big"))

    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1, each as likely."""
        if bound < 1:
            raise ValueError(f"bound must be at least 1, not {bound}")
        bits = bound.bit_length()
        while (drawn := self._random.getrandbits(bits)) >= bound:
            pass
        return drawn

    def choice(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """`count` different places of `options`, in random order."""
        if count > len(options):
            raise ValueError(f"cannot draw {count} of {len(options)}")
        pool = list(options)
        for index in range(count):
            other = index + self.below(len(pool) - index)
            pool[index], pool[other] = pool[other], pool[index]
        return pool[:count]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        return self.sample(options, len(options))

    def uniform(self) -> float:
        """A number in [0, 1) with 53 random bits."""
        return self._random.getrandbits(53) / (1 << 53)
