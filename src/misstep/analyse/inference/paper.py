"""The p as the paper reckons it, and what the usual other tests make of the same two shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

from scipy import stats

from misstep.analyse.comparison import Interval


@dataclass(frozen=True)
class UsualTest:
    """A test of two shares that is blind to the pairing, and its p."""

    name: str
    p: float


def pooled_z_p(baseline: float, arm: float, n: float) -> float | None:
    """One-sided p that the arm's accuracy lies below the baseline's, each a share of n items.

    A pooled two-proportion z. None where both are 0 or both are 1, since the pooled variance is
    then 0.
    """
    z = _z(baseline, arm, _pooled_variance(baseline, arm), n)
    return None if z is None else float(stats.norm.sf(z))


def pooled_z_bounds(baseline: Interval, arm: Interval, n: float) -> Interval | None:
    """The least and the largest p that shares within these bounds have, the bounds' corners."""
    corners = product((baseline.low, baseline.high), (arm.low, arm.high))
    ps = [p for left, right in corners if (p := pooled_z_p(left, right, n)) is not None]
    return Interval(min(ps), max(ps)) if ps else None


def usual_tests(baseline: float, arm: float, n: int) -> tuple[UsualTest, ...]:
    """Every usual test of two shares of n items each, one-sided ones for the arm lying below.

    Chi-square without correction is the two-sided pooled z. Fisher's test and the corrected
    chi-square need counts, so they take the nearest ones. Empty where no item or every item was
    right in both, for then there is nothing to test.
    """
    right = round(baseline * n), round(arm * n)
    if _pooled_variance(baseline, arm) <= 0 or sum(right) in (0, 2 * n):
        return ()
    tests = _z_tests(baseline, arm, n) + _count_tests(*right, n) + _t_tests(baseline, arm, n)
    return tuple(tests)


def _pooled_variance(baseline: float, arm: float) -> float:
    pooled = (baseline + arm) / 2
    return 2 * pooled * (1 - pooled)


def _separate_variance(baseline: float, arm: float) -> float:
    return baseline * (1 - baseline) + arm * (1 - arm)


def _z(baseline: float, arm: float, variance: float, n: float) -> float | None:
    return (baseline - arm) / math.sqrt(variance / n) if variance > 0 else None


def _z_tests(baseline: float, arm: float, n: int) -> list[UsualTest]:
    kinds = (
        ("pooled z", _pooled_variance(baseline, arm)),
        ("unpooled z", _separate_variance(baseline, arm)),
    )
    found = []
    for name, variance in kinds:
        z = _z(baseline, arm, variance, n)
        if z is not None:
            found += [
                UsualTest(f"{name}, one-sided", float(stats.norm.sf(z))),
                UsualTest(f"{name}, other side", float(stats.norm.cdf(z))),
                UsualTest(f"{name}, two-sided", float(2 * stats.norm.sf(abs(z)))),
            ]
    return found


def _count_tests(baseline: int, arm: int, n: int) -> list[UsualTest]:
    table = [[baseline, n - baseline], [arm, n - arm]]
    sides = (("one-sided", "greater"), ("other side", "less"), ("two-sided", "two-sided"))
    corrected = float(stats.chi2_contingency(table, correction=True).pvalue)
    return [UsualTest("chi-square, corrected", corrected)] + [
        UsualTest(f"Fisher, {side}", float(stats.fisher_exact(table, alternative).pvalue))
        for side, alternative in sides
    ]


def _t_tests(baseline: float, arm: float, n: int) -> list[UsualTest]:
    """Student's on the answers as zeros and ones; with equal n Welch's differs in its freedom
    alone, which these n make no matter."""
    variance = _separate_variance(baseline, arm)
    if n < 2 or variance <= 0:
        return []
    t = (baseline - arm) / math.sqrt(variance / (n - 1))
    freedom = 2 * n - 2
    return [
        UsualTest("t, one-sided", float(stats.t.sf(t, freedom))),
        UsualTest("t, other side", float(stats.t.cdf(t, freedom))),
        UsualTest("t, two-sided", float(2 * stats.t.sf(abs(t), freedom))),
    ]
