"""The choice by counting alone: a good quality is worth one, a bad one costs one."""

from __future__ import annotations

from collections.abc import Sequence


def tallies(ratings: Sequence[Sequence[int]]) -> list[int]:
    """For each apartment, its statements rated above 0 less those rated below."""
    return [sum((one > 0) - (one < 0) for one in row) for row in ratings]


def tally_of(ratings: Sequence[Sequence[int]]) -> list[int]:
    """The apartments that counting puts first (from 0): several where they are level."""
    counted = tallies(ratings)
    return [at for at, one in enumerate(counted) if one == max(counted)]
