"""Every closed form by another road: statsmodels, published examples, the likelihood itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar
from statsmodels.stats.weightstats import ttost_paired

from misstep.analyse.estimate import estimate
from misstep.analyse.inference import intervals
from misstep.analyse.inference.intervals import Floats
from misstep.analyse.inference.signflip import mcnemar
from misstep.core.measures import PASSES, SCORE


def scores(seed: int, groups: int, size: int) -> Floats:
    """Differences of scores with an effect of each group."""
    draws = np.random.default_rng(seed)
    effects = np.repeat(draws.normal(0.05, 0.1, groups), size)
    return np.clip(effects + draws.normal(0, 0.2, groups * size), -1, 1)


def test_cr2_of_groups_of_one_size_agrees_with_statsmodels() -> None:
    values, group = scores(1, 9, 4), np.repeat(np.arange(9), 4)
    fitted = sm.OLS(values, np.ones(values.size)).fit(
        cov_type="cluster", cov_kwds={"groups": group, "use_correction": True}, use_t=True
    )
    found = intervals.t_interval(intervals.clustered(values, group))
    low, high = fitted.conf_int()[0]
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize("margin", [2.0, 10.0, 25.0])
def test_equivalence_agrees_with_the_paired_tost_of_statsmodels(margin: float) -> None:
    first, second = scores(2, 30, 1) / 2 + 0.5, scores(3, 30, 1) / 2 + 0.5
    expected, _, _ = ttost_paired(second, first, -margin / 100, margin / 100)
    found = estimate(second - first, np.arange(30), margin, SCORE)
    assert found.equivalence_p == pytest.approx(expected, abs=1e-9)


def test_equivalence_in_passes_agrees_with_statsmodels_in_passes() -> None:
    first = np.random.default_rng(4).integers(1, 16, 40).astype(float)
    second = np.clip(first + np.random.default_rng(5).integers(-1, 2, 40), 1, 15)
    expected, _, _ = ttost_paired(second, first, -0.5, 0.5)
    found = estimate(second - first, np.arange(40), 0.5, PASSES)
    assert found.equivalence_p == pytest.approx(expected, abs=1e-9)
    assert found.effect == pytest.approx((second - first).mean(), abs=1e-12)


def test_students_sleep_data_give_the_published_interval_and_equivalence_p() -> None:
    # Student (1908), the soporifics of ten patients. R's manual prints the paired interval
    # .7001142 to 2.4598858; TOSTER's introduction prints p = .989 for bounds of half an hour.
    gained = np.array([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4])
    found = estimate(gained, np.arange(10), 0.5, PASSES)
    assert found.interval is not None
    assert found.equivalence_p is not None
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (0.7001142, 2.4598858), abs=5e-8
    )
    assert round(found.equivalence_p, 3) == 0.989


def test_mcnemar_and_mid_p_give_the_published_values_of_airway_reactivity() -> None:
    # Fagerland, Lydersen & Laake (2013): 1, 1, 7 and 12 of 21 children.
    assert round(mcnemar(lost=7, gained=1), 3) == 0.070
    assert round(mcnemar(lost=7, gained=1, mid_p=True), 3) == 0.039


@pytest.mark.parametrize(("lost", "gained"), [(14, 3), (0, 9), (40, 61), (5, 5)])
def test_mid_p_is_the_average_of_two_exact_ps(lost: int, gained: int) -> None:
    """Of the exact p and that of the next more extreme table, where that is more extreme."""
    exact = reference_mcnemar([[0, lost], [gained, 0]], exact=True).pvalue
    fewer = min(lost, gained)
    beyond = 2 * stats.binom.cdf(fewer - 1, lost + gained, 0.5)
    expected = (exact + beyond) / 2 if lost != gained else 1 - stats.binom.pmf(5, 10, 0.5)
    assert mcnemar(lost, gained, mid_p=True) == pytest.approx(expected, abs=1e-9)


def test_tangos_own_example_of_contact_lenses() -> None:
    # Tango (1998): a cross-over trial of lens disinfection, 43, 0, 1 and 0 of 44 patients;
    # at most .1 worse: z = 1.709.
    z = intervals.tango_z(gained=0, lost=1, n=44, difference=-0.1)
    assert round(z, 3) == 1.709


@pytest.mark.parametrize(("gained", "lost", "n"), [(3, 14, 66), (20, 40, 160), (1, 7, 21)])
def test_at_tangos_limits_the_likelihood_gives_a_score_of_exactly_z(
    gained: int, lost: int, n: int
) -> None:
    found = intervals.tango(gained, lost, n)
    z = stats.norm.ppf(0.975)
    for limit, expected in ((found.low, z), (found.high, -z)):
        # In log-odds of its place, so that the search need not know how near the ends it lies.
        lowest, highest = max(0.0, -limit), (1 - limit) / 2

        def place(at: float, lowest: float = lowest, highest: float = highest) -> float:
            return lowest + (highest - lowest) / (1 + math.exp(-at))

        def slope(at: float, limit: float = limit) -> float:
            share = place(at)
            rest = 1 - limit - 2 * share
            return gained / (share + limit) + lost / share - 2 * (n - gained - lost) / rest

        share = place(optimize.brentq(slope, -25, 25, xtol=1e-14))
        variance = n * (2 * share + limit * (1 - limit))
        assert (gained - lost - n * limit) / math.sqrt(variance) == pytest.approx(
            expected, abs=1e-7
        )


def test_one_sided_claims_of_groups_are_one_sided_t_tests() -> None:
    values, group = scores(6, 12, 5), np.repeat(np.arange(12), 5)
    means = values.reshape(12, 5).mean(axis=1)
    basis = estimate(values, group, 3.0, SCORE).basis
    assert basis is not None
    below = stats.ttest_1samp(means, 0.12, alternative="less").pvalue
    above = stats.ttest_1samp(means, -0.12, alternative="greater").pvalue
    assert basis.p_below(12.0) == pytest.approx(below, abs=1e-9)
    assert basis.p_above(-12.0) == pytest.approx(above, abs=1e-9)


def test_mcnemars_statistic_is_tangos_score_at_no_difference() -> None:
    expected = reference_mcnemar([[5, 14], [3, 9]], exact=False, correction=False)
    assert intervals.tango_z(3, 14, 31, 0.0) ** 2 == pytest.approx(expected.statistic, abs=1e-9)
