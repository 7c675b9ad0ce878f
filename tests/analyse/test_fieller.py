"""Fieller's set of prices: against the textbook's formula, simulation, and cases known by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from misstep.analyse.inference.fieller import (
    Joint,
    Pays,
    Stretch,
    anytime_stretches,
    joint,
    stretches,
    widened,
)

SURE = Joint(0.02, 0.1, 1e-6, 4e-4, 1e-5, 99)


def shape(found: tuple[Stretch, ...]) -> list[Pays]:
    return [one.pays for one in found]


def textbook(one: Joint) -> tuple[float, float]:
    """Fieller's limits of a/b as books print them, with g = t² v22 / b² below 1."""
    t = float(stats.t.ppf(0.975, one.freedom))
    ratio = one.cost / one.gain
    g = t**2 * one.gain_variance / one.gain**2
    inside = (
        one.cost_variance
        - 2 * ratio * one.covariance
        + ratio**2 * one.gain_variance
        - g * (one.cost_variance - one.covariance**2 / one.gain_variance)
    )
    centre = ratio - g * one.covariance / one.gain_variance
    reach = t / abs(one.gain) * math.sqrt(inside)
    return (centre - reach) / (1 - g), (centre + reach) / (1 - g)


@pytest.mark.parametrize("covariance", [-1.5e-5, 0.0, 1e-5])
@pytest.mark.parametrize("freedom", [7, 99])
def test_the_open_prices_are_the_textbooks_limits(covariance: float, freedom: int) -> None:
    one = Joint(0.02, 0.1, 1e-6, 4e-4, covariance, freedom)
    found = stretches(one)
    assert shape(found) == [Pays.BASELINE, Pays.OPEN, Pays.ARM]
    assert (found[1].low, found[1].high) == pytest.approx(textbook(one), rel=1e-12)


def test_a_cost_that_is_known_exactly_has_the_limits_of_the_gain_alone() -> None:
    found = stretches(Joint(0.02, 0.1, 0.0, 4e-4, 0.0, 99))
    reach = float(stats.t.ppf(0.975, 99)) * 0.02
    assert found[1].low == pytest.approx(0.02 / (0.1 + reach))
    assert found[1].high == pytest.approx(0.02 / (0.1 - reach))


def test_dearer_and_perhaps_better_is_open_without_end() -> None:
    found = stretches(Joint(0.02, 0.01, 1e-6, 4e-4, 0.0, 99))
    assert shape(found) == [Pays.BASELINE, Pays.OPEN]
    assert found[-1].high is None


def test_dearer_and_worse_pays_at_no_price() -> None:
    assert stretches(Joint(0.02, -0.1, 1e-6, 4e-4, 0.0, 99)) == (Stretch(0.0, None, Pays.BASELINE),)


def test_cheaper_and_worse_pays_below_a_price() -> None:
    found = stretches(Joint(-0.02, -0.1, 1e-6, 4e-4, 0.0, 99))
    assert shape(found) == [Pays.ARM, Pays.OPEN, Pays.BASELINE]


def test_an_unknown_cost_difference_is_open_from_0() -> None:
    found = stretches(Joint(0.0001, 0.1, 1e-6, 4e-4, 0.0, 99))
    assert shape(found) == [Pays.OPEN, Pays.ARM]
    assert stretches(Joint(0.0001, 0.01, 1e-6, 4e-4, 0.0, 99)) == (Stretch(0.0, None, Pays.OPEN),)


def test_of_free_arms_the_better_pays() -> None:
    assert shape(stretches(Joint(0.0, 0.1, 0.0, 4e-4, 0.0, 99))) == [Pays.ARM]


def test_the_covariance_is_that_of_the_groups_sums() -> None:
    rng = np.random.default_rng(5)
    cost, gain = rng.normal(size=12), rng.normal(size=12)
    group = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    found = joint(cost, gain, group)
    assert found is not None
    # Of equal groups CR2 of a mean is the usual variance of the groups' means.
    means = np.array([cost.reshape(4, 3).mean(axis=1), gain.reshape(4, 3).mean(axis=1)])
    usual = np.cov(means) / 4
    assert found.cost_variance == pytest.approx(usual[0, 0])
    assert found.gain_variance == pytest.approx(usual[1, 1])
    assert found.covariance == pytest.approx(usual[0, 1])
    assert found.freedom == 3
    assert joint(cost, gain, np.zeros(12, dtype=np.int64)) is None


def test_a_p_above_5_percent_leaves_no_price_that_pays() -> None:
    assert shape(stretches(SURE))[-1] is Pays.ARM
    assert shape(stretches(widened(SURE, None, 0.0625)))[-1] is Pays.OPEN
    assert stretches(widened(SURE, None, 0.001)) == stretches(SURE)


def test_items_that_all_agree_leave_room_for_a_difference() -> None:
    same = Joint(0.02, 0.0, 1e-6, 0.0, 0.0, 39)
    assert shape(stretches(same)) == [Pays.BASELINE]
    assert shape(stretches(widened(same, 0.03, 1.0))) == [Pays.BASELINE, Pays.OPEN]


def simulated(rng: np.random.Generator, groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Sums of groups of five: gains of 12 points, costs that rise with what a group gains."""
    lean = rng.normal(0.12, 0.15, size=(groups, 1))
    gain = np.clip(np.round(lean + rng.normal(0, 0.5, size=(groups, 5))), -1, 1)
    cost = 0.03 + 0.02 * lean + rng.gamma(2.0, 0.01, size=(groups, 5))
    return cost, gain


def test_the_true_price_is_open_in_95_percent_of_simulations() -> None:
    rng = np.random.default_rng(11)
    costs, gains = simulated(rng, 200_000)
    true = float(costs.mean() / gains.mean())
    runs, groups = 1_000, 40
    number = np.repeat(np.arange(groups), 5)
    kept = 0
    for _ in range(runs):
        cost, gain = simulated(rng, groups)
        found = joint(cost.ravel(), gain.ravel(), number)
        assert found is not None
        kept += any(
            one.pays is Pays.OPEN and one.low <= true and (one.high is None or true <= one.high)
            for one in stretches(found)
        )
    assert kept / runs == pytest.approx(0.95, abs=0.02)


def test_looking_after_every_group_claims_the_wrong_arm_in_5_percent_at_most() -> None:
    rng = np.random.default_rng(3)
    costs, gains = simulated(rng, 200_000)
    true = float(costs.mean() / gains.mean())
    runs, groups, wrong = 60, 40, 0
    for _ in range(runs):
        cost, gain = (each.sum(axis=1) for each in simulated(rng, groups))
        found = anytime_stretches(cost, gain, np.full(groups, 5.0))
        at = next(one for one in found if one.high is None or true <= one.high)
        wrong += at.pays is not Pays.OPEN
    assert wrong / runs <= 0.08


def test_a_clear_gain_has_a_price_also_where_the_run_could_stop() -> None:
    gain = np.array([1.0, 1.0, 0.0] * 20)
    found = anytime_stretches(np.full(60, 0.02), gain, np.ones(60))
    assert shape(found) == [Pays.BASELINE, Pays.OPEN, Pays.ARM]
    assert found[1].low < 0.02 / gain.mean() < (found[1].high or 0)


def test_without_any_cost_nothing_is_claimed_of_a_run_that_could_stop() -> None:
    zeros = np.zeros(8)
    assert anytime_stretches(zeros, np.ones(8), np.ones(8)) == (Stretch(0.0, None, Pays.OPEN),)
