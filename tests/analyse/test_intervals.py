"""Intervals against published examples, matrices and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from misstep.analyse.estimate import estimate
from misstep.analyse.inference import intervals
from misstep.analyse.inference.intervals import Floats, Ints


def cr2_by_matrices(values: Floats, group: Ints) -> float:
    """The textbook sandwich: (X'X)^-1 sum X' A e e' A' X (X'X)^-1, A = (I - H)^(-1/2)."""
    x = np.ones((values.size, 1))
    bread = np.linalg.inv(x.T @ x)
    residuals = values - values.mean()
    meat = np.zeros((1, 1))
    for number in range(group.max() + 1):
        own = group == number
        leverage = np.eye(own.sum()) - x[own] @ bread @ x[own].T
        eigenvalues, vectors = np.linalg.eigh(leverage)
        adjusted = vectors @ np.diag(eigenvalues**-0.5) @ vectors.T @ residuals[own]
        meat += x[own].T @ np.outer(adjusted, adjusted) @ x[own]
    return math.sqrt(max(0.0, (bread @ meat @ bread).item()))


def tango_by_polynomial(gained: int, lost: int, n: int) -> tuple[float, float]:
    """Tango's interval by scanning his statistic, with the nuisance found by maximisation."""
    z = stats.norm.ppf(0.975)

    def statistic(difference: float) -> float:
        lowest = max(0.0, -difference)
        grid = np.linspace(lowest + 1e-9, (1 - difference) / 2 - 1e-9, 20_001)
        rest = 1 - difference - 2 * grid
        log_likelihood = (
            gained * np.log(grid + difference)
            + lost * np.log(grid)
            + (n - gained - lost) * np.log(rest)
        )
        nuisance = grid[np.argmax(log_likelihood)]
        variance = n * (2 * nuisance + difference * (1 - difference))
        return float((gained - lost - n * difference) / math.sqrt(variance))

    inside = [at for at in np.linspace(-0.995, 0.995, 1_991) if abs(statistic(at)) <= z]
    return min(inside), max(inside)


@given(st.data())
@settings(max_examples=30, deadline=None)
def test_cr2_of_a_mean_equals_the_sandwich_of_matrices(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 6), min_size=2, max_size=6))
    group = np.repeat(np.arange(len(sizes)), sizes)
    values = np.array(
        data.draw(st.lists(st.integers(-1, 1), min_size=group.size, max_size=group.size)),
        dtype=float,
    )
    found = intervals.clustered(values, group)
    # Where the groups do not differ the matrices leave the square root of a rounding error.
    assert found.error == pytest.approx(cr2_by_matrices(values, group), rel=1e-9, abs=1e-7)


def test_cr2_with_one_item_a_group_is_the_ordinary_standard_error() -> None:
    values = np.array([1.0, 0.5, 0.0, -1.0, 0.5])
    found = intervals.t_interval(intervals.clustered(values, np.arange(5)))
    low, high = stats.t.interval(0.95, 4, values.mean(), stats.sem(values))
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)


def test_a_single_group_has_no_interval() -> None:
    assert (
        intervals.t_interval(intervals.clustered(np.ones(4), np.zeros(4, dtype=np.int64))) is None
    )


def test_tango_reproduces_the_published_example_of_airway_reactivity() -> None:
    # Fagerland, Lydersen & Laake (2014), Table V: 1, 1, 7, 12 of 21 children.
    found = intervals.tango(gained=1, lost=7, n=21)
    assert (round(found.low, 3), round(found.high, 3)) == (-0.517, -0.026)


@pytest.mark.parametrize(("gained", "lost", "n"), [(12, 2, 50), (3, 14, 66), (6, 16, 161)])
def test_tango_agrees_with_a_scan_of_the_likelihood(gained: int, lost: int, n: int) -> None:
    found = intervals.tango(gained, lost, n)
    assert (found.low, found.high) == pytest.approx(
        tango_by_polynomial(gained, lost, n), abs=1.1e-3
    )


def test_tango_without_discordant_pairs_has_its_closed_form() -> None:
    z2 = stats.norm.ppf(0.975) ** 2
    found = intervals.tango(0, 0, 24)
    assert (found.low, found.high) == pytest.approx((-z2 / (24 + z2), z2 / (24 + z2)), abs=1e-9)


def test_tango_reaches_one_where_every_pair_is_gained() -> None:
    found = intervals.tango(24, 0, 24)
    assert found.high == 1.0
    assert 0.5 < found.low < 1


@pytest.mark.parametrize(("right", "n"), [(18, 24), (0, 10), (10, 10), (3_401, 4_400)])
def test_wilson_agrees_with_statsmodels(right: int, n: int) -> None:
    found = intervals.wilson(right / n, n)
    expected = proportion_confint(right, n, method="wilson")
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-9)


def test_groups_that_all_agree_do_not_give_an_interval_of_no_width() -> None:
    found = estimate(np.zeros(24), np.repeat(np.arange(12), 2), margin=3.0)
    assert found.interval is not None
    assert found.interval.high - found.interval.low > 40
    assert found.equivalence_p is not None
    assert found.equivalence_p > 0.05


def test_equivalence_is_two_one_sided_t_tests_of_the_groups() -> None:
    sums = np.array([0.0, 1.0, -1.0, 2.0, 0.0, -1.0, 1.0, 0.0])
    values = np.concatenate([[s, 0, 0, 0] for s in sums]) / 4
    group = np.repeat(np.arange(8), 4)
    means = values.reshape(8, 4).mean(axis=1)
    below = stats.ttest_1samp(means, -0.10, alternative="greater").pvalue
    above = stats.ttest_1samp(means, 0.10, alternative="less").pvalue
    found = estimate(values, group, margin=10.0)
    assert found.equivalence_p == pytest.approx(max(below, above), abs=1e-9)


def test_the_established_margin_is_where_equivalence_reaches_five_percent() -> None:
    values = np.random.default_rng(2).integers(-1, 2, 60).astype(float)
    for group in (np.repeat(np.arange(12), 5), np.arange(60)):
        margin = estimate(values, group, margin=3.0).established_margin
        assert margin is not None
        assert estimate(values, group, margin=margin).equivalence_p == pytest.approx(0.05, abs=1e-6)
