"""The usual tests of two shares, each against another road to the same p."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest, test_proportions_2indep

from misstep.analyse.comparison import Interval
from misstep.analyse.inference.paper import pooled_z_bounds, pooled_z_p, usual_tests

# Else pytest takes statsmodels' function for a test of ours.
two_independent = test_proportions_2indep
del test_proportions_2indep

CASES = [(2900, 2979, 4400), (79, 69, 500), (35, 36, 100), (39, 31, 100), (5, 1, 7)]


def found(baseline: int, arm: int, n: int) -> dict[str, float]:
    return {test.name: test.p for test in usual_tests(baseline / n, arm / n, n)}


@pytest.mark.parametrize(("baseline", "arm", "n"), CASES)
def test_z_agrees_with_statsmodels(baseline: int, arm: int, n: int) -> None:
    sides = (("one-sided", "larger"), ("other side", "smaller"), ("two-sided", "two-sided"))
    for side, alternative in sides:
        counts = [baseline, arm], [n, n]
        _, pooled = proportions_ztest(*counts, alternative=alternative)
        unpooled = two_independent(
            baseline, n, arm, n, method="wald", compare="diff", alternative=alternative
        ).pvalue
        assert found(baseline, arm, n)[f"pooled z, {side}"] == pytest.approx(pooled, abs=1e-9)
        assert found(baseline, arm, n)[f"unpooled z, {side}"] == pytest.approx(unpooled, abs=1e-9)


@pytest.mark.parametrize(("baseline", "arm", "n"), CASES)
def test_t_is_students_on_the_answers_themselves(baseline: int, arm: int, n: int) -> None:
    answers = [np.repeat([1.0, 0.0], [right, n - right]) for right in (baseline, arm)]
    sides = (("one-sided", "greater"), ("other side", "less"), ("two-sided", "two-sided"))
    for side, alternative in sides:
        expected = stats.ttest_ind(*answers, alternative=alternative).pvalue
        assert found(baseline, arm, n)[f"t, {side}"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("baseline", "arm", "n"), CASES[1:])
def test_fisher_sums_the_tables_as_far_out(baseline: int, arm: int, n: int) -> None:
    total = baseline + arm
    ways = {
        k: math.comb(n, k) * math.comb(n, total - k)
        for k in range(max(0, total - n), min(n, total) + 1)
    }
    whole = sum(ways.values())
    ours = found(baseline, arm, n)
    above = sum(way for k, way in ways.items() if k >= baseline) / whole
    below = sum(way for k, way in ways.items() if k <= baseline) / whole
    as_rare = sum(way for way in ways.values() if way <= ways[baseline]) / whole
    assert ours["Fisher, one-sided"] == pytest.approx(above, abs=1e-9)
    assert ours["Fisher, other side"] == pytest.approx(below, abs=1e-9)
    assert ours["Fisher, two-sided"] == pytest.approx(as_rare, abs=1e-9)


@pytest.mark.parametrize(("baseline", "arm", "n"), CASES)
def test_the_corrected_chi_square_is_yates(baseline: int, arm: int, n: int) -> None:
    wrong = 2 * n - baseline - arm
    distance = max(0.0, abs(baseline - arm) * n - n)
    chi_square = 2 * n * distance**2 / (n * n * (baseline + arm) * wrong)
    expected = stats.chi2.sf(chi_square, 1)
    assert found(baseline, arm, n)["chi-square, corrected"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("right", [0, 24])
def test_there_is_no_test_where_all_agree(right: int) -> None:
    assert usual_tests(right / 24, right / 24, 24) == ()
    assert pooled_z_p(right / 24, right / 24, 24) is None


def test_all_right_against_all_wrong_leaves_the_tests_that_there_are() -> None:
    names = set(found(24, 0, 24))
    assert {"pooled z, one-sided", "Fisher, one-sided", "chi-square, corrected"} <= names
    assert all(math.isfinite(p) for p in found(24, 0, 24).values())


def test_bounds_hold_the_p_of_every_pair_of_counts_within() -> None:
    bounds = pooled_z_bounds(Interval(0.40, 0.44), Interval(0.36, 0.40), 100)
    assert bounds is not None
    ps = [pooled_z_p(a / 100, b / 100, 100) for a in range(40, 45) for b in range(36, 41)]
    known = [p for p in ps if p is not None]
    assert (bounds.low, bounds.high) == (min(known), max(known))


def test_bounds_of_shares_that_leave_no_variance_are_unknown() -> None:
    assert pooled_z_bounds(Interval(1, 1), Interval(1, 1), 10) is None
