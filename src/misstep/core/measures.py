"""What a family counts: points of accuracy, a score, or passes to criterion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Measure:
    """A value of a reply, and how a difference of two of them is said.

    Values lie in `lowest` to `highest`; with `is_capped`, what lies above counts as `highest`.
    Differences are printed in `unit`, `factor` of which make 1 of the value. A reply without an
    answer counts as the worst value.
    """

    name: str
    unit: str
    factor: float
    lowest: float
    highest: float
    is_more_better: bool
    is_capped: bool = False

    @property
    def best(self) -> float:
        return self.highest if self.is_more_better else self.lowest

    @property
    def worst(self) -> float:
        return self.lowest if self.is_more_better else self.highest

    @property
    def span(self) -> float:
        """The largest difference that two values can have, in the unit."""
        return self.factor * (self.highest - self.lowest)

    @property
    def sign(self) -> float:
        """1 where a positive difference is a gain, else -1."""
        return 1.0 if self.is_more_better else -1.0


ACCURACY = Measure("accuracy", "points", 100.0, 0.0, 1.0, is_more_better=True)
"""Right or wrong; a mean is a share, a difference is in percentage points."""

SCORE = Measure("score", "points", 100.0, 0.0, 1.0, is_more_better=True)
"""A score from 0 to 1 that may lie between; a difference is in hundredths of the scale."""

PASSES = Measure("passes", "passes", 1.0, 1.0, 15.0, is_more_better=False, is_capped=True)
"""Passes until a list is all right, at most 15 (Mind Your Step, §4.3 and C.1); fewer is better.

An outcome of "correct" means solved at that pass; whatever is not solved counts as 15.
"""
