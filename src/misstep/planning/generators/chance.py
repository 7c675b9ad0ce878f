"""Chance as the generators take it: anything that draws whole numbers below a bound."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Chance(Protocol):
    def below(self, bound: int) -> int:
        """A whole number from 0 to bound - 1, each as likely."""


class SeededChance:
    """The same draws for the same seed on every machine and Python: only `getrandbits` is used."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def below(self, bound: int) -> int:
        if bound < 1:
            raise ValueError(f"bound must be at least 1, not {bound}")
        while (drawn := self._random.getrandbits(bound.bit_length())) >= bound:
            pass
        return drawn


def choice(chance: Chance, options: Sequence[T]) -> T:
    return options[chance.below(len(options))]


def sample(chance: Chance, options: Sequence[T], count: int) -> list[T]:
    """`count` different places of `options`, in random order."""
    pool = list(options)
    for index in range(count):
        other = index + chance.below(len(pool) - index)
        pool[index], pool[other] = pool[other], pool[index]
    return pool[:count]


def coin(chance: Chance) -> bool:
    return chance.below(2) == 1
