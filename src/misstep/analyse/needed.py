"""What it would take to decide: a guess from the effect and spread that were observed."""

from __future__ import annotations

import math

from scipy import stats

from misstep.analyse.comparison import Needed
from misstep.analyse.estimate import Estimate
from misstep.analyse.sequential.anytime import Anytime

POWER = 0.8
_FEWEST_GROUPS = 6
_MOST_GROUPS = 1_000_000
_DIFFERENCE = float(stats.norm.ppf(0.975) + stats.norm.ppf(POWER))


def items_to_decide(found: Estimate, margin: float, n: int, groups: int) -> Needed | None:
    """How many more items, in whole groups, would decide with 80 % power.

    The nearer of two ways: the difference test at the observed effect, or equivalence within
    the margin. Takes the effect and the spread as they were observed, which are themselves
    uncertain. None where nothing is known of the spread, or beyond a million groups.
    """
    if isinstance(found.basis, Anytime):
        return found.basis.needed(margin, n)
    if not found.error:
        return None
    spread = found.error * math.sqrt(groups)
    ways = {
        "difference": _groups_for_difference(abs(found.effect), spread),
        "equivalence": _groups_for_equivalence(abs(found.effect), spread, margin),
    }
    by = min(ways, key=lambda way: ways[way])
    if ways[by] > _MOST_GROUPS:
        return None
    more = max(1, math.ceil(max(ways[by], _FEWEST_GROUPS)) - groups)
    return Needed(items=round(more * n / groups), groups=more, by=by)


def _groups_for_difference(effect: float, spread: float) -> float:
    return (_DIFFERENCE * spread / effect) ** 2 if effect > 0 else math.inf


def _groups_for_equivalence(effect: float, spread: float, margin: float) -> float:
    if effect >= margin:
        return math.inf
    low, high = 1.0, 2.0
    while _equivalence_power(effect, spread / math.sqrt(high), margin) < POWER:
        low, high = high, 2 * high
        if high > 4 * _MOST_GROUPS:
            return math.inf
    while high - low > 0.01:
        middle = (low + high) / 2
        if _equivalence_power(effect, spread / math.sqrt(middle), margin) < POWER:
            low = middle
        else:
            high = middle
    return high


def _equivalence_power(effect: float, error: float, margin: float) -> float:
    bar = stats.norm.ppf(0.95)
    below = stats.norm.cdf((margin - effect) / error - bar)
    above = stats.norm.cdf((margin + effect) / error - bar)
    return max(0.0, float(below + above - 1))
