"""Letters beside marks that lie close: moved apart, and no further than they must."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class _Block:
    """Neighbours that touch. `wanted` is the mean of where the first of them would have to be."""

    wanted: float
    count: int


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places at least `gap` apart, in the order of the wanted ones and within `low` to `high`.

    Of all such places those with the least sum of squared moves.
    """
    blocks: list[_Block] = []
    for place, one in enumerate(wanted):
        # Counted from the first one, so that neighbours `gap` apart have the same value.
        block = _Block(one - place * gap, 1)
        while blocks and blocks[-1].wanted > block.wanted:
            block = _joined(blocks.pop(), block)
        blocks.append(block)
    starts = [block.wanted for block in blocks for _ in range(block.count)]
    last = high - (len(wanted) - 1) * gap
    return [min(max(start, low), last) + place * gap for place, start in enumerate(starts)]


def _joined(one: _Block, other: _Block) -> _Block:
    count = one.count + other.count
    return _Block((one.wanted * one.count + other.wanted * other.count) / count, count)
