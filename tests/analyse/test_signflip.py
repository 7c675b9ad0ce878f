"""The primary p against brute force, scipy and statsmodels."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as reference_mcnemar

from misstep.analyse.calibration.experiments import World
from misstep.analyse.calibration.levels import type_one_error
from misstep.analyse.inference.signflip import mcnemar, sign_flip, smallest_p


def brute_force(sums: list[int]) -> float:
    patterns = list(product((-1, 1), repeat=len(sums)))
    flipped = [abs(sum(s * x for s, x in zip(signs, sums, strict=True))) for signs in patterns]
    return sum(value >= abs(sum(sums)) for value in flipped) / len(patterns)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)
def test_sign_flip_counts_the_patterns_that_are_at_least_as_extreme(sums: list[int]) -> None:
    assert sign_flip(np.array(sums, dtype=float)) == pytest.approx(brute_force(sums), abs=1e-12)


def test_sign_flip_of_fractions_counts_ties_as_extreme() -> None:
    thirds = np.array([1 / 3, 2 / 3, -1 / 3, 1 / 3])
    assert sign_flip(thirds) == pytest.approx(brute_force([1, 2, -1, 1]), abs=1e-12)


def test_sign_flip_agrees_with_scipy_where_scipy_enumerates() -> None:
    sums = np.array([3.0, -1.0, 4.0, 2.0, 5.0, -2.0, 6.0, 1.0])
    found = stats.permutation_test(
        (sums,), np.sum, permutation_type="samples", n_resamples=np.inf, vectorized=False
    )
    assert sign_flip(sums) == pytest.approx(found.pvalue, abs=1e-9)


def test_drawn_signs_come_near_the_exact_binomial_of_equal_sums() -> None:
    # 40 groups with sums of 1: the sign-flip p is that of a binomial with 40 draws.
    sums = np.array([1.0] * 27 + [-1.0] * 13)
    exact = stats.binomtest(13, 40).pvalue
    assert sign_flip(sums) == pytest.approx(exact, abs=0.003)


def test_drawn_p_depends_neither_on_the_order_nor_on_the_direction() -> None:
    sums = np.random.default_rng(1).normal(0.3, 1, 30)
    assert sign_flip(sums) == sign_flip(sums[::-1]) == sign_flip(-sums)


def test_sign_flip_with_no_difference_at_all_is_one() -> None:
    assert sign_flip(np.zeros(30)) == 1.0


def test_five_groups_cannot_go_below_one_sixteenth() -> None:
    assert smallest_p(5) == 0.0625
    assert sign_flip(np.array([3.0, 9.0, 1.0, 4.0, 2.0])) == 0.0625


@pytest.mark.parametrize(("lost", "gained"), [(14, 3), (0, 0), (5, 5), (0, 9), (1, 0), (40, 61)])
def test_mcnemar_agrees_with_statsmodels(lost: int, gained: int) -> None:
    found = reference_mcnemar([[7, lost], [gained, 11]], exact=True)
    assert mcnemar(lost, gained) == pytest.approx(found.pvalue, abs=1e-9)


def test_the_paired_result_of_66_items_has_a_p_of_013() -> None:
    assert round(mcnemar(14, 3), 3) == 0.013


def test_mid_p_counts_the_observed_table_by_half() -> None:
    exact = stats.binomtest(3, 17).pvalue
    assert mcnemar(14, 3, mid_p=True) == pytest.approx(
        exact - stats.binom.pmf(3, 17, 0.5), abs=1e-12
    )


@pytest.mark.parametrize("groups", [6, 20])
def test_sign_flip_keeps_its_level_without_an_effect(groups: int) -> None:
    # 1,000 replications have a standard error of .007; 3 of them above .05 is .071.
    assert type_one_error(World(groups, between=0.1), 1_000) <= 0.071


def test_a_level_of_one_half_is_nearly_used_up() -> None:
    assert 0.45 <= type_one_error(World(20), 1_000, alpha=0.5) <= 0.55
