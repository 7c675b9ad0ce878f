"""Which prices of an error pay for an arm: Fieller's set for cost difference over accuracy gain."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy import optimize, stats

from misstep.analyse.inference.intervals import Floats, Ints
from misstep.analyse.sequential.evidence import Groups, log_evidence

_LEVEL = 0.95
_BAR = -math.log((1 - _LEVEL) / 2)
_GRID = 121
_DECADES = 6.0


class Pays(StrEnum):
    """Which arm is shown to cost less in all, errors included; OPEN: neither is."""

    ARM = "arm"
    BASELINE = "baseline"
    OPEN = "open"


@dataclass(frozen=True)
class Stretch:
    """Prices of an error from `low` to `high` (None: without end), and which arm pays there."""

    low: float
    high: float | None
    pays: Pays


@dataclass(frozen=True)
class Joint:
    """Mean differences (arm less baseline) of cost and of accuracy, with their joint variance.

    Both means are over the items, the variances cluster-robust (CR2); t has `freedom` degrees.
    """

    cost: float
    gain: float
    cost_variance: float
    gain_variance: float
    covariance: float
    freedom: int


def joint(cost: Floats, gain: Floats, group: Ints) -> Joint | None:
    """Of each item's differences; None with a single group."""
    sizes = np.bincount(group)
    if sizes.size < 2:
        return None
    weight = 1 / (1 - sizes / cost.size)
    first, second = (np.bincount(group, weights=values - values.mean()) for values in (cost, gain))
    return Joint(
        cost=float(cost.mean()),
        gain=float(gain.mean()),
        cost_variance=float(np.sum(weight * first**2)) / cost.size**2,
        gain_variance=float(np.sum(weight * second**2)) / cost.size**2,
        covariance=float(np.sum(weight * first * second)) / cost.size**2,
        freedom=int(sizes.size) - 1,
    )


def widened(found: Joint, error: float | None, p: float | None) -> Joint:
    """With a spread of the gain that agrees with its own test, whose p decides.

    `error` is the standard error behind the gain's interval, which is not 0 where all items agree;
    a p of .05 or more leaves no price, however high, at which the gain alone would pay.
    """
    least = max(found.gain_variance, (error or 0.0) ** 2)
    if p is not None and 1 - _LEVEL <= p < 1:
        least = max(least, (found.gain / float(stats.t.ppf(1 - p / 2, found.freedom))) ** 2)
    ratio = math.sqrt(least / found.gain_variance) if found.gain_variance else 0.0
    return Joint(
        found.cost, found.gain, found.cost_variance, least, ratio * found.covariance, found.freedom
    )


def stretches(found: Joint) -> tuple[Stretch, ...]:
    """All prices from 0 up, in order.

    At the price v the arm costs D = cost - v × gain more, errors included. Fieller (1954): v is
    open as long as |D| is within t standard errors of D, whatever the sign of either part.
    """
    reach = float(stats.t.ppf((1 + _LEVEL) / 2, found.freedom)) ** 2
    square = found.gain**2 - reach * found.gain_variance
    linear = -2 * (found.cost * found.gain - reach * found.covariance)
    constant = found.cost**2 - reach * found.cost_variance
    edges = sorted(root for root in _roots(square, linear, constant) if root > 0)

    def pays(price: float) -> Pays:
        if square * price**2 + linear * price + constant <= 0:
            return Pays.OPEN
        return Pays.BASELINE if found.cost > price * found.gain else Pays.ARM

    return _between(edges, pays)


def _roots(square: float, linear: float, constant: float) -> list[float]:
    if square == 0:
        return [-constant / linear] if linear else []
    inside = linear**2 - 4 * square * constant
    if inside <= 0:
        return []
    # The one of the two that does not lose digits, and the other from their product.
    half = -(linear + math.copysign(math.sqrt(inside), linear)) / 2
    return [half / square, constant / half] if half else [0.0]


def anytime_stretches(cost: Floats, gain: Floats, sizes: Floats) -> tuple[Stretch, ...]:
    """The same where the run could stop after any group; `cost` and `gain` are the groups' sums.

    The sign-flip e-process on gain - cost / v, two-sided at 95 % for each price v, which takes
    these to be symmetric about 0 where v breaks even. Prices are tried over twelve decades about
    the observed one; beyond them and between two of the same verdict nothing is claimed.
    """
    middle = float(np.abs(cost).sum()) / max(float(np.abs(gain).sum()), 1.0)
    if middle == 0:
        return (Stretch(0.0, None, Pays.OPEN),)

    def pays(price: float) -> Pays:
        groups = Groups(gain - cost / price, sizes, are_singles=False)
        above, below = (float(log_evidence(groups, 0.0, sign).max()) for sign in (1, -1))
        if max(above, below) < _BAR:
            return Pays.OPEN
        return Pays.ARM if above > below else Pays.BASELINE

    prices = middle * np.logspace(-_DECADES, _DECADES, _GRID)
    found = [pays(float(price)) for price in prices]
    edges = [
        _edge(pays, float(low), float(high), one)
        for (low, high), (one, other) in zip(
            itertools.pairwise(prices), itertools.pairwise(found), strict=True
        )
        if one != other
    ]
    return _between(edges, pays)


def _edge(pays: Callable[[float], Pays], low: float, high: float, before: Pays) -> float:
    """Where the verdict changes, between two prices of the grid."""
    return float(
        optimize.bisect(lambda price: 1.0 if pays(price) == before else -1.0, low, high, rtol=1e-6)
    )


def _between(edges: list[float], pays: Callable[[float], Pays]) -> tuple[Stretch, ...]:
    """The verdict of each stretch is that of a price within it."""
    if not edges:
        return (Stretch(0.0, None, pays(1.0)),)
    bounds = [0.0, *edges]
    inner = [Stretch(a, b, pays((a + b) / 2)) for a, b in itertools.pairwise(bounds)]
    return _merged([*inner, Stretch(edges[-1], None, pays(2 * edges[-1]))])


def _merged(found: list[Stretch]) -> tuple[Stretch, ...]:
    """Neighbours of one verdict are one stretch."""
    merged: list[Stretch] = []
    for one in found:
        if merged and merged[-1].pays == one.pays:
            merged[-1] = Stretch(merged[-1].low, one.high, one.pays)
        else:
            merged.append(one)
    return tuple(merged)
