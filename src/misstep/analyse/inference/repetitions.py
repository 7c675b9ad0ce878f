"""Repetitions: how much of the spread is the sampling of replies, and how much the items."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from misstep.analyse.comparison import Repeated
from misstep.analyse.pairing import Paired, Replies, value
from misstep.core.measures import Measure

MORE_ITEMS, MORE_REPETITIONS = "more items", "more repetitions"
_MOSTLY_SAMPLING = 0.8


def repeated(paired: Paired, error: float | None) -> Repeated | None:
    """By the method of moments, unbiased; `error` is the effect's standard error in the unit.

    Within an item replies vary by sampling; the items' mean differences vary by both, so that
    their variance less the sampling in a mean is that of the items. Items with a single reply
    borrow the average variance of the others. None where an arm repeats no item, where there is
    a single item, or where people answered, who are no repetitions of one another.
    """
    measure = paired.measure
    first, second = _variances(paired.baseline, measure), _variances(paired.arm, measure)
    if not first or not second or len(paired.baseline) < 2 or paired.has_people:
        return None
    in_means = _of_means(paired.baseline, first) + _of_means(paired.arm, second)
    scale = measure.factor**2
    share = _share(scale * in_means / len(paired.baseline), error)
    return Repeated(
        baseline_sampling=scale * _average(first),
        arm_sampling=scale * _average(second),
        items=scale * (float(np.var(paired.differences, ddof=1)) - in_means),
        sampling_share=share,
        helps=MORE_REPETITIONS if (share or 0.0) >= _MOSTLY_SAMPLING else MORE_ITEMS,
    )


def _variances(replies: Replies, measure: Measure) -> dict[str, float]:
    """The unbiased variance of the replies to each item that has more than one."""
    return {
        item: float(np.var([value(record, measure) for record in own], ddof=1))
        for item, own in replies.items()
        if len(own) > 1
    }


def _of_means(replies: Replies, variances: Mapping[str, float]) -> float:
    """The average over items of the variance that sampling leaves in an item's mean."""
    usual = _average(variances)
    parts = (variances.get(item, usual) / len(own) for item, own in replies.items())
    return math.fsum(parts) / len(replies)


def _average(variances: Mapping[str, float]) -> float:
    return math.fsum(variances.values()) / len(variances)


def _share(sampling: float, error: float | None) -> float | None:
    return min(1.0, sampling / error**2) if error else None
