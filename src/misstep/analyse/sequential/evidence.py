"""Evidence that may be looked at after every group: e-processes, anytime p, confidence sequence.

Groups are taken in an order that was fixed before the first reply. Whoever stops when they like
what they see is wrong about the null at most as often as stated (Ville's inequality).

Groups of items: the sign-flip e-process. A group's sum of differences, less its items times the
hypothetical mean m, is symmetric about 0 if m is true, as for the fixed sign-flip test; then
exp(λx) / cosh(λx) has expectation 1 given |x|. Single items that are right or wrong: betting on
the next difference (Waudby-Smith & Ramdas 2024), which for m = 0 is the beta-binomial e-process
on the discordant pairs, and which needs no symmetry for other m.

Each is mixed over bets on gains and over bets on losses apart. The two-sided e-value is half of
the larger mixture, never above the mean of both, so that p and interval always agree.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import optimize

from misstep.analyse.comparison import Interval
from misstep.analyse.inference.intervals import Floats

_LOG_2 = math.log(2)
# The bets are best for this difference with this spread between groups, at this discordance.
_EFFECT, _BETWEEN, _DISCORDANCE = 0.15, 0.12, 0.35
_LOG_SPREAD = 0.6
_NODES = 33
_REACH = 2.5
_BETS = 256
_EDGE = 1e-9
_FAR = 1e6


@dataclass(frozen=True)
class Groups:
    """What each group showed, in the order of the looks; one entry a group.

    `sums`: arm minus baseline, summed over the group's items, as shares of the largest difference
    that an item can have (-1..1). `sizes`: items, known before the replies. `are_singles`: each
    group is one item, right or wrong.
    """

    sums: Floats
    sizes: Floats
    are_singles: bool

    @property
    def mean(self) -> float:
        """Item-weighted."""
        return float(self.sums.sum() / self.sizes.sum())


@dataclass(frozen=True)
class Mixture:
    """Where the bets lie, and the share of the stake on each; the shares sum to 1."""

    bets: Floats
    shares: Floats


@cache
def flip_mixture(size: float) -> Mixture:
    """Bets λ on means of groups of `size` items: log-normal about the best one for the design.

    For a mean difference δ with variance v about it the best λ is near δ / (δ² + v). Here
    δ = 15 points, and v is that of a between-group SD of 12 points and a discordance of .35. Wide
    enough (a factor of 1.8 at one SD) that differences of 8 or 23 points, and more or less spread
    between groups, cost little more. The size is known before the replies, as it must be.
    """
    spread = np.linspace(-_REACH, _REACH, _NODES)
    variance = _BETWEEN**2 + _DISCORDANCE / size
    best = _EFFECT / (_EFFECT**2 + variance)
    heights = np.exp(-(spread**2) / 2)
    return Mixture(best * np.exp(_LOG_SPREAD * spread), heights / heights.sum())


@cache
def bet_mixture() -> Mixture:
    """Bets evenly from 0 to 1: a share of gains among discordant pairs that is even from 1/2 to 1.

    Gauss-Legendre nodes, so that the sum is the integral to rounding error.
    """
    nodes, weights = np.polynomial.legendre.leggauss(_BETS)
    return Mixture((nodes + 1) / 2, weights / 2)


def log_evidence(groups: Groups, mean: float, sign: int) -> Floats:
    """Log of the e-value after each look that the true mean lies beyond `mean`.

    `sign` 1: above it, -1: below it. Falls (for 1) or rises (for -1) as `mean` grows.
    """
    steps, shares = _steps(groups, mean, sign)
    return log_mixed(steps, shares)


def log_flip_steps(values: Floats, bets: Floats) -> Floats:
    """λx - log cosh λx for each value and bet; the bets are a new last axis."""
    return _LOG_2 - np.logaddexp(0.0, -2.0 * values[..., None] * bets)


def log_mixed(steps: Floats, shares: Floats) -> Floats:
    """Log of the mixture after each look, from the steps of shape (..., looks, bets)."""
    return log_total(np.cumsum(steps, axis=-2), shares)


def log_total(logs: Floats, shares: Floats) -> Floats:
    """Log of all stakes together, from the log of each bet's (on the last axis)."""
    most = logs.max(axis=-1)
    total: Floats = most + np.log(np.exp(logs - most[..., None]) @ shares)
    return total


def highest(path: Floats) -> Floats:
    """The most evidence up to each look."""
    so_far: Floats = np.maximum.accumulate(path, axis=-1)
    return so_far


def two_sided(log_e: Floats) -> Floats:
    """The anytime-valid p of either half: twice the reciprocal, as each has half of the stake."""
    ps: Floats = np.exp(np.minimum(0.0, _LOG_2 - log_e))
    return ps


def p_path(groups: Groups) -> Floats:
    """The p of "no difference" after each look, from the half on the side of the effect so far."""
    above, below = (highest(log_evidence(groups, 0.0, sign)) for sign in (1, -1))
    total = np.cumsum(groups.sums)
    half = np.where(total > 0, above, np.where(total < 0, below, np.maximum(above, below)))
    return two_sided(half)


def equivalence_path(groups: Groups, margin: float) -> Floats:
    """The p of "beyond the margin" after each look.

    Below .05 exactly where the 95 % confidence sequence lies within the margin.
    """
    above = highest(log_evidence(groups, -margin, 1))
    below = highest(log_evidence(groups, margin, -1))
    return two_sided(np.minimum(above, below))


@dataclass(frozen=True)
class Wealth:
    """One question's evidence, a look at a time: `log_evidence` without the looks before.

    `logs` is the log of each bet's stake so far, `highest` the most evidence of any look.
    """

    mean: float
    sign: int
    logs: Floats | None = None
    highest: float = -math.inf

    def after(self, group: Groups, scale: float) -> Wealth:
        """One look later; `scale` is the size of the first group."""
        steps, shares = _steps(group, self.mean, self.sign, scale)
        logs = steps[0] if self.logs is None else self.logs + steps[0]
        now = float(log_total(logs, shares))
        return Wealth(self.mean, self.sign, logs, max(self.highest, now))


def p_beyond(groups: Groups, mean: float, sign: int) -> float:
    """One-sided anytime-valid p that the true mean lies above (`sign` 1) or below `mean`."""
    return float(np.exp(min(0.0, -float(log_evidence(groups, mean, sign).max()))))


def confidence_sequence(groups: Groups, level: float = 0.95) -> Interval | None:
    """All means that no look has refuted; in shares, within -1..1.

    None where every mean is refuted, which happens to data that drift, or by bad luck in no more
    than 1 - level of all experiments.
    """
    low, high = (bound(groups, (1 - level) / 2, sign) for sign in (1, -1))
    return Interval(low, high) if low <= high else None


def bound(groups: Groups, alpha: float, sign: int) -> float:
    """The mean that the true one is above (`sign` 1) or below, at one-sided level `alpha`."""
    bar = -math.log(alpha)
    return sign * _crossing(lambda at: float(log_evidence(groups, sign * at, sign).max()) - bar)


def looks_needed(groups: Groups, mean: float, sign: int, alpha: float) -> float:
    """After how many looks the evidence beyond `mean` would do, were all groups like these.

    Infinity where it would never grow, or not within a million times as many.
    """
    steps, shares = _steps(groups, mean, sign)
    total = steps.sum(axis=0)

    def surplus(times: float) -> float:
        return float(log_total(times * total, shares)) + math.log(alpha)

    if surplus(_FAR) <= 0:
        return math.inf
    return len(groups.sums) * float(optimize.brentq(surplus, 0.0, _FAR))


def _crossing(surplus: Callable[[float], float]) -> float:
    """The mean down to which the falling evidence is above the bar; -1 where it never is."""
    first, last = -1 + _EDGE, 1 - _EDGE
    if surplus(first) <= 0:
        return -1.0
    if surplus(last) > 0:
        return 1.0
    return float(optimize.brentq(surplus, first, last, xtol=1e-10))


def _steps(
    groups: Groups, mean: float, sign: int, scale: float | None = None
) -> tuple[Floats, Floats]:
    """What each look (row) adds to the log of each bet (column), and the shares of the bets."""
    if groups.are_singles:
        mixture = bet_mixture()
        # A stake below 1 / (1 + mean) survives a value of -1.
        stakes = mixture.bets / (1 + sign * mean)
        return np.log1p(sign * (groups.sums - mean)[:, None] * stakes), mixture.shares
    scale = float(groups.sizes[0]) if scale is None else scale
    mixture = flip_mixture(scale)
    values = sign * (groups.sums - groups.sizes * mean) / scale
    return log_flip_steps(values, mixture.bets), mixture.shares
