"""Several comparisons at once: Holm's step-down, and Benjamini and Hochberg's step-up."""

from __future__ import annotations

from collections.abc import Sequence


def holm(ps: Sequence[float]) -> list[float]:
    """The adjusted ps, in the order given."""
    adjusted = [0.0] * len(ps)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(ps)), key=lambda at: ps[at])):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[index]))
        adjusted[index] = highest
    return adjusted


def holm_known(ps: Sequence[float | None]) -> list[float | None]:
    """Holm over the ps that are known; the others stay None."""
    known = iter(holm([p for p in ps if p is not None]))
    return [None if p is None else next(known) for p in ps]


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """The adjusted ps, in the order given; those below .05 are false 5 % of the time at most."""
    adjusted = [0.0] * len(ps)
    lowest = 1.0
    for left, index in enumerate(sorted(range(len(ps)), key=lambda at: -ps[at])):
        lowest = min(lowest, ps[index] * len(ps) / (len(ps) - left))
        adjusted[index] = lowest
    return adjusted


def benjamini_hochberg_known(ps: Sequence[float | None]) -> list[float | None]:
    """As above over the ps that are known; the others stay None."""
    known = iter(benjamini_hochberg([p for p in ps if p is not None]))
    return [None if p is None else next(known) for p in ps]
