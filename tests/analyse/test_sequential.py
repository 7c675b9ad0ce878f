"""Looking all along: evidence by a slow road, exact validity on small cases, and what it saves."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special

from misstep.analyse.calibration.experiments import World
from misstep.analyse.calibration.looks import equivalent, refuted, stops
from misstep.analyse.sequential.evidence import (
    Groups,
    bet_mixture,
    confidence_sequence,
    equivalence_path,
    flip_mixture,
    log_evidence,
    p_beyond,
    p_path,
)
from misstep.analyse.sequential.ledger import Ledger

SIZE = 44
PATTERNS = list(product((-1, 1), repeat=8))
MAGNITUDES = np.array([0.31, 0.02, 0.0, 0.7, 0.18, 0.4, 0.11, 0.25])


def groups_of(means: list[float] | np.ndarray, size: float = SIZE) -> Groups:
    values = np.asarray(means, dtype=np.float64)
    return Groups(values * size, np.full(values.size, size), are_singles=False)


def singles(values: list[int]) -> Groups:
    return Groups(np.array(values, dtype=np.float64), np.ones(len(values)), are_singles=True)


def slow_step(value: float, bet: float) -> float:
    return math.exp(bet * value) / math.cosh(bet * value)


@pytest.mark.parametrize("size", [2, 12, 44, 400])
@pytest.mark.parametrize("mean", [0.0, -0.03, 0.1])
def test_the_flip_evidence_is_the_integral_over_log_normal_bets(size: int, mean: float) -> None:
    """Against quadrature over the density that the grid stands for, cut at the grid's ends."""
    values = [-0.1, 0.05, -0.2, -0.25, 0.02, -0.15]
    best = 0.15 / (0.15**2 + 0.12**2 + 0.35 / size)

    def product_at(z: float) -> float:
        bet = best * math.exp(0.6 * z)
        return math.exp(-z * z / 2) * math.prod(slow_step(mean - value, bet) for value in values)

    half = 2.5 + 5.0 / 64  # each node stands for the stretch half a step to either side
    above, _ = integrate.quad(product_at, -half, half, epsabs=1e-12, epsrel=1e-12)
    whole, _ = integrate.quad(lambda z: math.exp(-z * z / 2), -half, half)
    fast = math.exp(log_evidence(groups_of(values, size), mean, -1)[-1])
    assert fast == pytest.approx(above / whole, rel=2e-3)


def test_the_flip_evidence_is_the_sum_over_its_bets() -> None:
    values = [-0.1, 0.05, -0.2, -0.25]
    mixture = flip_mixture(SIZE)
    slow = sum(
        share * math.prod(slow_step(value, bet) for value in values)
        for bet, share in zip(mixture.bets, mixture.shares, strict=True)
    )
    fast = math.exp(log_evidence(groups_of(values), 0.0, 1)[-1])
    assert fast == pytest.approx(slow, rel=1e-12)


def test_a_group_counts_by_its_items_and_is_shifted_by_them() -> None:
    """Sums less items times the mean, on the scale of the first group, whatever came later."""
    sums, sizes, mean = [-3.0, 2.0, -9.0], [10.0, 4.0, 30.0], -0.1
    mixture = flip_mixture(10)
    slow = sum(
        share
        * math.prod(
            slow_step((total - size * mean) / 10, bet)
            for total, size in zip(sums, sizes, strict=True)
        )
        for bet, share in zip(mixture.bets, mixture.shares, strict=True)
    )
    groups = Groups(np.array(sums), np.array(sizes), are_singles=False)
    assert math.exp(log_evidence(groups, mean, 1)[-1]) == pytest.approx(slow, rel=1e-12)


@pytest.mark.parametrize(("gained", "lost"), [(0, 0), (3, 0), (5, 17), (40, 62), (130, 90)])
def test_single_items_give_the_exact_beta_binomial_on_discordant_pairs(
    gained: int, lost: int
) -> None:
    """Even shares from 1/2 to 1: an incomplete beta function over the binomial at 1/2."""
    values = [1] * gained + [0] * 5 + [-1] * lost
    upper = special.betaincc(gained + 1, lost + 1, 0.5)
    log_exact = (
        (gained + lost + 1) * math.log(2) + special.betaln(gained + 1, lost + 1) + math.log(upper)
    )
    assert log_evidence(singles(values), 0.0, 1)[-1] == pytest.approx(log_exact, abs=1e-9)


@pytest.mark.parametrize("mean", [-0.3, 0.0, 0.2])
@pytest.mark.parametrize("sign", [1, -1])
def test_single_items_are_bet_on_as_by_quadrature(mean: float, sign: int) -> None:
    values = [1, 0, -1, -1, 0, 0, 1, -1]

    def wealth(bet: float) -> float:
        return math.prod(1 + bet * sign * (x - mean) / (1 + sign * mean) for x in values)

    slow, _ = integrate.quad(wealth, 0, 1, epsabs=1e-13)
    assert log_evidence(singles(values), mean, sign)[-1] == pytest.approx(math.log(slow), abs=1e-9)


@pytest.mark.parametrize("size", [1, 2, 44])
@pytest.mark.parametrize("sign", [1, -1])
def test_over_all_patterns_of_signs_the_evidence_is_1_on_average(size: int, sign: int) -> None:
    e_values = [
        np.exp(log_evidence(groups_of(MAGNITUDES * pattern, size), 0.0, sign))
        for pattern in PATTERNS
    ]
    assert np.mean(e_values, axis=0) == pytest.approx(np.ones(8), rel=1e-12)


@pytest.mark.parametrize("mean", [-0.4, 0.0, 0.25])
def test_a_bet_on_single_items_is_fair_at_the_mean_that_is_true(mean: float) -> None:
    """All outcomes of four items whose difference is `mean` on average, weighed as they occur."""
    gain, loss = (0.5 + mean) / 2, (0.5 - mean) / 2
    chances = {1: gain, -1: loss, 0: 1 - gain - loss}
    for sign in (1, -1):
        fair = sum(
            math.prod(chances[x] for x in values)
            * math.exp(log_evidence(singles(list(values)), mean, sign)[-1])
            for values in product((-1, 0, 1), repeat=4)
        )
        assert fair == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("magnitudes", [MAGNITUDES, np.ones(8), np.full(8, 0.3)])
@pytest.mark.parametrize("size", [1, 44])
def test_no_more_than_5_percent_of_all_sign_patterns_are_ever_significant(
    magnitudes: np.ndarray, size: int
) -> None:
    ps = [p_path(groups_of(magnitudes * pattern, size)).min() for pattern in PATTERNS]
    assert np.mean(np.array(ps) < 0.05) <= 0.05


def test_some_pattern_of_eight_equal_signs_is_significant() -> None:
    assert p_path(groups_of(np.full(8, 0.9)))[-1] < 0.05
    assert p_path(singles([1] * 20))[-1] < 0.001


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(-44, 44), min_size=1, max_size=30),
    st.floats(0.01, 0.3),
    st.sampled_from([True, False]),
)
def test_interval_and_ps_never_disagree(sums: list[int], margin: float, is_single: bool) -> None:
    groups = (
        singles([int(np.sign(one)) for one in sums])
        if is_single
        else groups_of(np.array(sums) / SIZE)
    )
    interval = confidence_sequence(groups)
    if interval is None:
        return
    is_within = -margin < interval.low and interval.high < margin
    assert is_within is bool(equivalence_path(groups, margin)[-1] < 0.05)
    is_on_effects_side = interval.low > 0 if groups.mean > 0 else interval.high < 0
    assert is_on_effects_side is bool(p_path(groups)[-1] < 0.05)
    assert (p_beyond(groups, -margin, 1) <= 0.025) is (interval.low > -margin)


def test_the_interval_only_shrinks_and_covers_the_item_weighted_mean() -> None:
    sums = np.array([-4.0, -9.0, 2.0, -6.0, -1.0, -12.0, -3.0, -5.0, 0.0, -7.0] * 3)
    sizes = np.array([20.0, 44.0, 12.0, 44.0, 8.0, 60.0, 30.0, 44.0, 20.0, 44.0] * 3)
    before = -1.0, 1.0
    for look in range(1, 31):
        groups = Groups(sums[:look], sizes[:look], are_singles=False)
        found = confidence_sequence(groups)
        assert found is not None
        assert before[0] - 1e-9 <= found.low <= groups.mean <= found.high <= before[1] + 1e-9
        before = found.low, found.high
    assert before[1] - before[0] < 0.4


def test_arms_swapped_the_evidence_changes_sides() -> None:
    values = np.array([-0.1, 0.05, -0.2, -0.25, 0.02, -0.15, -0.3, -0.1, -0.2])
    for make in (groups_of, lambda x: singles([int(np.sign(one)) for one in x])):
        one, other = make(values), make(-values)
        assert p_path(one) == pytest.approx(p_path(other))
        here, there = confidence_sequence(one), confidence_sequence(other)
        assert here is not None
        assert there is not None
        assert (here.low, here.high) == pytest.approx((-there.high, -there.low))


def test_no_difference_at_all_is_no_evidence_of_one() -> None:
    for groups in (groups_of([0.0] * 50), singles([0] * 50)):
        assert p_path(groups)[-1] == 1.0


def test_data_that_turn_round_can_refute_every_mean() -> None:
    assert confidence_sequence(groups_of([-0.5] * 20 + [0.5] * 60)) is None


def test_shares_of_the_mixtures_sum_to_1() -> None:
    for mixture in (bet_mixture(), flip_mixture(1), flip_mixture(44)):
        assert mixture.shares.sum() == pytest.approx(1.0, abs=1e-12)
        assert mixture.bets.min() > 0


@pytest.mark.parametrize(
    ("effect", "between", "most"),
    [(-0.08, 0.1, 0.35), (-0.23, 0.1, 0.10), (-0.08, 0.2, 0.62), (-0.23, 0.2, 0.15)],
)
def test_stopping_early_saves_what_it_promises(effect: float, between: float, most: float) -> None:
    found = stops(World(100, effect, between), 400)
    assert found.share <= most
    assert found.wrong_way <= 0.005


@pytest.mark.parametrize("groups", [6, 20, 100, 240])
@pytest.mark.parametrize("between", [0.0, 0.1, 0.2])
def test_false_verdicts_stay_below_5_percent_under_looks_after_every_group(
    groups: int, between: float
) -> None:
    # Two standard errors of a simulation of 600 experiments beside 5 %.
    assert stops(World(groups, between=between), 600).stopped <= 0.05 + 2 * 0.009


def test_equivalence_is_rarely_claimed_of_a_difference_at_the_margin() -> None:
    assert equivalent(World(240, -0.03), 600, margin=0.03).wrong_way <= 0.05 + 2 * 0.009


def test_the_true_mean_is_rarely_refuted_by_any_look() -> None:
    assert refuted(World(100, -0.08, 0.1), 600) <= 0.05 + 2 * 0.009


@pytest.mark.parametrize("kind", ["groups", "singles", "singles, then groups"])
def test_a_ledger_says_at_every_look_what_all_groups_at_once_say(kind: str) -> None:
    sums = np.array([1.0, -1.0, -1.0, 0.0, -1.0, -1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 0.0, 1.0, -1.0])
    sizes = np.ones(14)
    if kind == "groups":
        sums, sizes = sums * 7, sizes * np.array([20.0, 44.0] * 7)
    if kind == "singles, then groups":
        sizes[8:] = 3.0
    ledger = Ledger(0.03)
    for look in range(1, 15):
        is_single = sizes[look - 1] == 1
        ledger.add(Groups(sums[look - 1 : look], sizes[look - 1 : look], is_single))
        whole = Groups(sums[:look], sizes[:look], bool(np.all(sizes[:look] == 1)))
        assert ledger.p == pytest.approx(float(p_path(whole)[-1]), rel=1e-9)
        equivalence_p = float(equivalence_path(whole, 0.03)[-1])
        assert ledger.equivalence_p == pytest.approx(equivalence_p, rel=1e-9)
        assert ledger.looks == look
        assert ledger.mean == pytest.approx(whole.mean)
