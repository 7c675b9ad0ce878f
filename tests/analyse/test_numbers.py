"""The paper's p, Holm, the ranking measure and the guess at what would decide."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportions_ztest

from misstep.analyse.estimate import Estimate, estimate
from misstep.analyse.inference.multiple import holm, holm_known
from misstep.analyse.inference.paper import pooled_z_p
from misstep.analyse.needed import items_to_decide
from misstep.analyse.ranking import area_under_curve, ranking
from misstep.core.outcomes import Outcome
from misstep.core.records import Record


@pytest.mark.parametrize(
    ("baseline", "arm", "n", "printed"),
    [
        (2_900, 2_979, 4_400, 0.963),
        (2_627, 2_548, 4_400, 0.044),
        (38, 40, 100, 0.61),
        (42, 38, 100, 0.28),
    ],
)
def test_the_papers_z_gives_the_values_it_printed(
    baseline: int, arm: int, n: int, printed: float
) -> None:
    found = pooled_z_p(baseline / n, arm / n, n)
    assert found is not None
    assert round(found, len(str(printed)) - 2) == printed


def test_the_papers_z_agrees_with_statsmodels() -> None:
    _, expected = proportions_ztest([51, 40], [66, 66], alternative="larger")
    assert pooled_z_p(51 / 66, 40 / 66, 66) == pytest.approx(expected, abs=1e-9)


def test_the_papers_z_is_unknown_where_all_are_right() -> None:
    assert pooled_z_p(1.0, 1.0, 24) is None


def test_holm_agrees_with_statsmodels() -> None:
    ps = [0.04, 0.001, 0.03, 0.5, 0.03, 0.9]
    assert holm(ps) == pytest.approx(list(multipletests(ps, method="holm")[1]), abs=1e-12)


def test_holm_leaves_unknown_ps_out_of_the_family() -> None:
    assert holm_known([0.01, None, 0.02]) == [0.02, None, 0.02]


def test_area_under_the_curve_is_scaled_mann_whitney() -> None:
    positive, negative = [0.2, 0.8, 0.5, 0.5], [0.1, 0.5, 0.4]
    expected = stats.mannwhitneyu(positive, negative).statistic / 12
    assert area_under_curve(positive, negative) == pytest.approx(expected, abs=1e-12)


def ranked(group: str, truth: str, **logprobs: float) -> Record:
    item = f"{group}-{truth}-{logprobs}"
    outcome = Outcome.CORRECT
    return Record(
        "f", 1, "m", item, group, "direct", 0, outcome, 1.0, truth=truth, answer_logprobs=logprobs
    )


def test_ranking_is_averaged_within_groups_so_that_a_shift_between_groups_is_harmless() -> None:
    records = [
        ranked("a", "Yes", Yes=-0.1, No=-3.0),
        ranked("a", "No", Yes=-0.2, No=-2.0),
        ranked("b", "Yes", Yes=-5.0, No=-0.01),
        ranked("b", "No", Yes=-9.0, No=-0.01),
    ]
    assert ranking(records, ("Yes", "No")) == 1.0


def test_ranking_of_letters_holds_the_right_one_against_each_other_one() -> None:
    records = [ranked("a", "B", A=-1.0, B=-1.5, C=-2.0, D=-3.0)]
    assert ranking(records, ("A", "B", "C", "D")) == pytest.approx(2 / 3)


def test_ranking_without_logprobs_is_none_not_zero() -> None:
    plain = dataclasses.replace(ranked("a", "Yes", Yes=-1.0, No=-1.0), answer_logprobs=None)
    assert ranking([plain], ("Yes", "No")) is None


def observed(effect: float, error: float) -> Estimate:
    return Estimate(effect, error, None, "", 0.5, None, None, None)


def test_the_guess_for_a_difference_has_eighty_percent_power() -> None:
    needed = items_to_decide(observed(-10.0, 8.0), margin=3.0, n=24, groups=12)
    assert needed is not None
    assert needed.by == "difference"
    assert needed.items == 2 * needed.groups
    error = 8.0 * np.sqrt(12 / (12 + needed.groups))
    assert stats.norm.cdf(10.0 / error - stats.norm.ppf(0.975)) == pytest.approx(0.8, abs=0.01)


def test_a_small_effect_is_nearer_to_equivalence() -> None:
    needed = items_to_decide(observed(0.0, 2.0), margin=3.0, n=440, groups=10)
    assert needed is not None
    assert needed.by == "equivalence"
    error = 2.0 * np.sqrt(10 / (10 + needed.groups))
    assert 2 * stats.norm.cdf(3.0 / error - stats.norm.ppf(0.95)) - 1 == pytest.approx(
        0.8, abs=0.03
    )


def test_too_few_groups_are_always_asked_up_to_six() -> None:
    needed = items_to_decide(observed(-40.0, 1.0), margin=3.0, n=8, groups=4)
    assert needed is not None
    assert (needed.groups, needed.items) == (2, 4)


def test_a_single_group_leaves_nothing_to_guess_from() -> None:
    found = estimate(np.array([1.0, 0.0, -1.0]), np.zeros(3, dtype=np.int64), margin=3.0)
    assert items_to_decide(found, 3.0, 3, 1) is None
