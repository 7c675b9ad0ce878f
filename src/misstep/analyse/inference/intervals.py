"""Intervals: cluster-robust (CR2) with t on G-1, Tango's paired score, Wilson's score."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import optimize, stats

from misstep.analyse.comparison import Interval
from misstep.core.measures import ACCURACY, Measure

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_EDGE = 1e-12
NO_SPREAD = 1e-12


@dataclass(frozen=True)
class Clustered:
    """The item-weighted mean of clustered values; `error` is its CR2 standard error.

    `error` is None with a single group, and 0 where the groups do not differ at all.
    """

    mean: float
    error: float | None
    groups: int


def clustered(values: Floats, group: Ints) -> Clustered:
    """Mean and CR2 standard error; `group` numbers the group of each value from 0.

    For a mean, the CR2 weight of a group of n among N values reduces to 1 / (1 - n/N) on the
    square of its summed residuals (Bell & McCaffrey 2002).
    """
    mean = float(values.mean())
    sizes = np.bincount(group)
    if sizes.size < 2:
        return Clustered(mean, None, int(sizes.size))
    residuals = np.bincount(group, weights=values - mean)
    variance = float(np.sum(residuals**2 / (1 - sizes / values.size))) / values.size**2
    error = math.sqrt(variance)
    return Clustered(mean, error if error > NO_SPREAD else 0.0, int(sizes.size))


def t_interval(estimate: Clustered, level: float = 0.95) -> Interval | None:
    """None where a single group leaves no measure of the spread."""
    if estimate.error is None:
        return None
    reach = float(stats.t.ppf((1 + level) / 2, estimate.groups - 1)) * estimate.error
    return Interval(estimate.mean - reach, estimate.mean + reach)


def tango_z(gained: float, lost: float, n: float, difference: float) -> float:
    """Tango's score statistic (1998) for `difference` between paired proportions.

    Positive where the observed (gained - lost) / n lies above `difference`.
    """
    distance = gained - lost - n * difference
    if distance == 0:
        return 0.0
    linear = -gained - lost + (2 * n - gained + lost) * difference
    constant = -lost * difference * (1 - difference)
    root = math.sqrt(max(0.0, linear**2 - 8 * n * constant))
    nuisance = (root - linear) / (4 * n)
    variance = n * (2 * nuisance + difference * (1 - difference))
    return distance / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, distance)


def tango(gained: float, lost: float, n: float, level: float = 0.95) -> Interval:
    """Tango's score interval for (gained - lost) / n; the counts need not be whole."""
    z = float(stats.norm.ppf((1 + level) / 2))
    low = _crossing(gained, lost, n, z, -1 + _EDGE)
    return Interval(low, -_crossing(lost, gained, n, z, -1 + _EDGE))


def _crossing(gained: float, lost: float, n: float, z: float, start: float) -> float:
    """The difference below the observed one at which the score statistic is z."""
    observed = (gained - lost) / n
    if observed <= start:
        return -1.0
    found = optimize.brentq(
        lambda difference: min(tango_z(gained, lost, n, difference), 1e9) - z,
        start,
        observed,
        xtol=1e-13,
    )
    return float(found)


def wilson(share: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's score interval for a share of n."""
    z = float(stats.norm.ppf((1 + level) / 2))
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return Interval(max(0.0, centre - reach), min(1.0, centre + reach))


def are_singles(values: Floats, group: Ints) -> bool:
    """Whether each group is one item, and each value (or difference) a whole number."""
    return bool(np.bincount(group).max() == 1 and np.all(values == np.round(values)))


def accuracy_interval(values: Floats, group: Ints, measure: Measure = ACCURACY) -> Interval | None:
    """95 % for a mean of values of the measure.

    Wilson's for single items that are right or wrong; where the groups do not differ at all,
    Wilson's with the groups as the units, as there is no spread to reckon with.
    """
    width = measure.highest - measure.lowest
    if width == 1 and are_singles(values, group):
        return wilson(float(values.mean()), values.size)
    estimate = clustered(values, group)
    if estimate.error == 0:
        share = wilson((estimate.mean - measure.lowest) / width, estimate.groups)
        return Interval(measure.lowest + width * share.low, measure.lowest + width * share.high)
    found = t_interval(estimate)
    return found and Interval(max(measure.lowest, found.low), min(measure.highest, found.high))
