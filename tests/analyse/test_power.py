"""Power: against simulation, statsmodels, and enumeration; and what follows from it."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from misstep.analyse.before.design import design_of, outlook, source, too_few_groups, usual
from misstep.analyse.before.observed import between_groups, observe
from misstep.analyse.before.power import (
    Assumptions,
    Design,
    detectable_effect,
    difference_power,
    equivalence_power,
    groups_needed,
    least_groups,
    mcnemar_power,
    noninferiority_power,
    repetitions_needed,
    sign_flip_power,
    standard_error,
)
from misstep.analyse.calibration.powers import simulated_equivalence, simulated_power
from misstep.analyse.inference.signflip import mcnemar
from misstep.core.measures import ACCURACY, PASSES
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

USUAL = Assumptions()


def test_mcnemar_power_is_the_sum_over_every_table_that_there_can_be() -> None:
    n, discordance, effect = 9, 0.5, -0.3
    gained, lost = (discordance + effect) / 2, (discordance - effect) / 2
    shares = {1: gained, -1: lost, 0: 1 - discordance}
    whole = sum(
        math.prod(shares[one] for one in table)
        for table in product(shares, repeat=n)
        if mcnemar(table.count(-1), table.count(1)) < 0.05
    )
    assert mcnemar_power(n, discordance, effect) == pytest.approx(whole, abs=1e-12)


def test_mcnemar_power_under_the_null_is_the_size_of_the_test_and_below_alpha() -> None:
    assert all(mcnemar_power(n, 0.35, 0.0) <= 0.05 for n in (10, 33, 100, 501))


def test_mcnemar_power_does_not_care_which_arm_is_better() -> None:
    assert mcnemar_power(120, 0.3, 0.1) == pytest.approx(mcnemar_power(120, 0.3, -0.1))


@pytest.mark.parametrize("groups", [20, 100, 240])
@pytest.mark.parametrize("power", [0.3, 0.8])
def test_power_without_ties_agrees_with_statsmodels_t_test(groups: int, power: float) -> None:
    size = TTestPower().solve_power(nobs=groups, alpha=0.05, power=power)
    found = sign_flip_power(groups, size * math.sqrt(groups))
    assert found == pytest.approx(power, abs=0.002)


@pytest.mark.parametrize("groups", [20, 100, 240])
@pytest.mark.parametrize("between", [0.0, 0.2])
def test_power_is_as_promised_within_two_points(groups: int, between: float) -> None:
    design, assumed = Design(groups, 44), Assumptions(between=between)
    effect = detectable_effect(design, assumed, 0.8)
    assert effect is not None
    assert simulated_power(design, assumed, -effect, 5_000) == pytest.approx(0.8, abs=0.02)


def test_power_of_single_items_is_as_promised() -> None:
    design = Design(240)
    promised = difference_power(design, USUAL, 10)
    assert simulated_power(design, USUAL, 10, 5_000) == pytest.approx(promised, abs=0.02)


def test_six_groups_decide_only_if_all_agree() -> None:
    design = Design(6, 44)
    promised = difference_power(design, USUAL, 20)
    assert simulated_power(design, USUAL, 20, 5_000) == pytest.approx(promised, abs=0.03)


@pytest.mark.parametrize("effect", [0.0, 2.0])
def test_power_of_equivalence_is_as_promised(effect: float) -> None:
    design = Design(100, 44)
    promised = equivalence_power(design, USUAL, 4.0, effect)
    found = simulated_equivalence(design, USUAL, 4.0, 5_000, effect)
    assert found == pytest.approx(promised, abs=0.02)
    assert 0.2 < promised < 0.9


def test_equivalence_at_the_margin_itself_is_the_error_rate() -> None:
    assert equivalence_power(Design(100, 44), USUAL, 6.0, 6.0) == pytest.approx(0.05, abs=0.001)
    assert noninferiority_power(Design(100, 44), USUAL, 6.0, -6.0) == pytest.approx(0.05, abs=0.001)
    assert equivalence_power(Design(2_000), USUAL, 6.0, 6.0) == pytest.approx(0.05, abs=0.005)


def test_non_inferiority_is_easier_than_equivalence() -> None:
    for design in (Design(50, 10), Design(400)):
        assert noninferiority_power(design, USUAL, 5) > equivalence_power(design, USUAL, 5)


def test_the_groups_needed_are_the_fewest_that_reach_the_power() -> None:
    design = Design(12, 44)
    groups = groups_needed(design, USUAL, difference_power, 8.0)
    assert groups is not None
    assert difference_power(Design(groups, 44), USUAL, 8.0) >= 0.8
    assert difference_power(Design(groups - 1, 44), USUAL, 8.0) < 0.8


def test_repetitions_help_only_as_far_as_replies_are_chance() -> None:
    design, fixed = Design(100), Assumptions(sampling_share=0.0)
    assert repetitions_needed(design, fixed, difference_power, 10.0) is None
    chancy = Assumptions(sampling_share=1.0)
    needed = repetitions_needed(design, chancy, difference_power, 10.0)
    assert needed is not None
    assert needed > 1
    once, often = (standard_error(Design(100, 1.0, k), chancy, 10.0) for k in (1, 4))
    assert often == pytest.approx(once / 2)


def test_the_standard_error_is_that_of_groups_and_items_by_hand() -> None:
    assumed = Assumptions(discordance=0.3, between=0.1)
    by_hand = math.sqrt((0.1**2 + (0.3 - 0.05**2 - 0.1**2) / 10) / 25)
    assert standard_error(Design(25, 10), assumed, 5.0) == pytest.approx(by_hand)


def test_groups_of_uneven_size_tell_less() -> None:
    even = design_of(
        [str(n // 10) for n in range(100)], repetitions=1, comparisons=1, measure=ACCURACY
    )
    uneven = design_of(
        ["0"] * 55 + [str(1 + n // 5) for n in range(45)],
        repetitions=1, comparisons=1, measure=ACCURACY,
    )  # fmt: skip
    assert (even.groups, even.size, even.unevenness) == (10, 10.0, 1.0)
    assert uneven.unevenness > 2
    assert standard_error(uneven, USUAL, 0) > standard_error(even, USUAL, 0)


@pytest.mark.parametrize(("comparisons", "least"), [(1, 6), (2, 7), (3, 7), (4, 8), (10, 9)])
def test_holm_raises_the_fewest_groups(comparisons: int, least: int) -> None:
    assert least_groups(comparisons) == least
    assert too_few_groups(least, comparisons) is None
    assert too_few_groups(least - 1, comparisons) is not None


def test_a_design_that_cannot_decide_is_refused_with_the_reason() -> None:
    found = outlook(Design(5, 44), USUAL, 3.0)
    assert found.refusal is not None
    assert "cannot go below 0.0625" in found.refusal
    assert found.detectable is None
    assert difference_power(Design(5, 44), USUAL, 100.0) == 0.0


def test_an_outlook_says_whether_items_or_repetitions_help_more() -> None:
    found = outlook(Design(40, 5), USUAL, 3.0, effect=8.0)
    assert found.with_twice_groups is not None
    assert found.with_twice_repetitions is not None
    assert found.detectable is not None
    assert found.with_twice_groups < found.with_twice_repetitions < found.detectable
    assert found.at_effect is not None
    assert found.at_effect.items == (found.at_effect.groups or 0) * 5


def test_passes_are_reckoned_in_passes() -> None:
    design = design_of(map(str, range(40)), repetitions=1, comparisons=1, measure=PASSES)
    assert not design.is_mcnemar
    found = detectable_effect(design, usual(PASSES))
    assert found is not None
    assert 0.5 < found < 5


def test_sequential_designs_stop_early_where_the_effect_is_large() -> None:
    found = outlook(Design(100, 44), USUAL, 3.0, effect=23.0, is_sequential=True)
    assert found.early is not None
    assert found.early.share < 0.15
    assert found.early.stopped > 0.99


def test_the_spread_between_groups_is_found_again() -> None:
    draws = np.random.default_rng(1)
    means = draws.normal(0, 0.2, 2_000)
    values = (means[:, None] + draws.normal(0, 0.5, (2_000, 8))).ravel()
    assert between_groups(values, np.repeat(np.arange(2_000), 8)) == pytest.approx(0.2, abs=0.01)
    assert between_groups(values[:5], np.arange(5)) is None


def record(item: int, arm: str, repetition: int, right: bool) -> Record:
    outcome = Outcome.CORRECT if right else Outcome.WRONG
    return Record("f", 1, "m/x", str(item), str(item // 4), arm, repetition, outcome, float(right))


def test_discordance_and_chance_in_replies_are_found_in_earlier_records() -> None:
    draws = np.random.default_rng(2)
    chances = draws.beta(2, 2, (800, 2))
    records = [
        record(item, arm, repetition, bool(draws.random() < chances[item, number]))
        for item in range(800)
        for number, arm in enumerate(("direct", "cot"))
        for repetition in (1, 2, 3)
    ]
    found = observe(records, "direct", "cot", ACCURACY)
    assert found is not None
    p, q = chances.T
    assert found.discordance == pytest.approx(np.mean(p * (1 - q) + q * (1 - p)), abs=0.02)
    noise, whole = np.mean(p * (1 - p) + q * (1 - q)), np.mean(p + q - 2 * p * q)
    assert found.sampling_share == pytest.approx(noise / whole, abs=0.04)
    assert found.between is not None
    assert found.between < 0.1
    assert (found.pairs, found.models) == (800, ("m/x",))


def test_what_is_asked_for_goes_before_what_was_seen_and_that_before_defaults() -> None:
    records = [record(item, arm, 1, True) for item in range(8) for arm in ("direct", "cot")]
    found = source(USUAL, observe(records, "direct", "cot", ACCURACY), between=0.05)
    assert found.assumed.discordance == pytest.approx(0.1), "one more of either kind"
    assert (found.assumed.between, found.assumed.sampling_share) == (0.05, 0.5)
    assert dict(found.sources) == {
        "discordance": "from the logs", "between": "as asked", "sampling_share": "default",
    }  # fmt: skip
    assert observe(records, "direct", "tot", ACCURACY) is None


@pytest.mark.parametrize("size", [1.0, 2.0])
def test_without_a_pair_that_differs_power_is_that_of_the_comparison(size: float) -> None:
    """Of 12 groups that all agree, Tango's bound is z² / (12 + z²), 18.4 points."""
    design, none = Design(12, size), Assumptions(discordance=0.0)
    for power in (equivalence_power, noninferiority_power):
        assert power(design, none, 18.3) == 0.0
        assert power(design, none, 18.5) == pytest.approx(1.0)
    found = outlook(design, none, 3.0)
    assert found.equivalence == pytest.approx(18.4, abs=0.05)
    assert found.at_margin.groups == 88
