"""What is known of a difference where the run could stop after any group, in the measure's unit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from misstep.analyse.comparison import Interval, Needed
from misstep.analyse.inference import intervals
from misstep.analyse.inference.intervals import Floats
from misstep.analyse.pairing import Paired
from misstep.analyse.sequential.evidence import (
    Groups,
    bound,
    looks_needed,
    p_beyond,
)

_HALF_ALPHA = 0.025
_INSIDE = 1e-9
_MOST_GROUPS = 1_000_000


@dataclass(frozen=True)
class Anytime:
    """What one-sided questions at any bound go by; bounds and levels as of `estimate.Spread`.

    `span` is the largest difference there can be, in the unit.
    """

    groups: Groups
    span: float

    def interval(self, level: float) -> Interval:
        """Both ends hold one by one; crossed where the groups refute every mean."""
        low, high = (bound(self.groups, (1 - level) / 2, sign) for sign in (1, -1))
        return Interval(self.span * low, self.span * high)

    def p_above(self, edge: float) -> float:
        """One-sided p that the true effect lies above the edge."""
        return p_beyond(self.groups, self._share(edge), 1)

    def p_below(self, edge: float) -> float:
        return p_beyond(self.groups, self._share(edge), -1)

    def needed(self, margin: float, n: int) -> Needed | None:
        """What would decide if the groups to come were like these; None where nothing would."""
        share = self._share(margin)
        ways = {
            "difference": min(self._looks(0.0, sign) for sign in (1, -1)),
            "equivalence": max(self._looks(-share, 1), self._looks(share, -1)),
        }
        by = min(ways, key=lambda way: ways[way])
        looks = len(self.groups.sums)
        if ways[by] > _MOST_GROUPS:
            return None
        more = max(1, math.ceil(ways[by]) - looks)
        return Needed(items=round(more * n / looks), groups=more, by=by)

    def reach(self, level: float) -> float:
        """Half of the interval's width."""
        found = self.interval(level)
        return abs(found.high - found.low) / 2

    def _looks(self, mean: float, sign: int) -> float:
        return looks_needed(self.groups, mean, sign, _HALF_ALPHA)

    def _share(self, edge: float) -> float:
        # No difference can lie beyond the span.
        return max(-1.0 + _INSIDE, min(1.0 - _INSIDE, edge / self.span))


def could_stop(paired: Paired) -> bool:
    """Whether either side comes from a run that could stop early."""
    return any(
        record.look is not None
        for replies in (paired.baseline, paired.arm)
        for own in replies.values()
        for record in own
    )


def is_looked_at(paired: Paired) -> bool:
    """Whether the evidence of a pair is that of its looks. People answer in no such order."""
    return could_stop(paired) and not paired.has_people


def groups_of(paired: Paired) -> Groups:
    """The paired groups in the order of the looks."""
    looks = np.array([_look(paired, item) for item in paired.baseline], dtype=np.int64)
    shares = paired.differences / (paired.measure.highest - paired.measure.lowest)
    _, places = np.unique(looks, return_inverse=True)
    sums: Floats = np.bincount(places, weights=shares).astype(np.float64)
    is_single = paired.replies == 2 * len(looks) and intervals.are_singles(shares, places)
    return Groups(sums, np.bincount(places).astype(np.float64), is_single)


def _look(paired: Paired, item: str) -> int:
    look = paired.baseline[item][0].look or paired.arm[item][0].look
    assert look is not None, "all records of a run that could stop early have a look"  # noqa: S101 our own mistake
    return look
