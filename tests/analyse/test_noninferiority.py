"""At most so much worse, and the cheapest arm of which that can be shown."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from misstep.analyse import Cheapest, Comparison, OneSided, cheapest, compare
from misstep.analyse.inference.intervals import tango_z
from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.measures import PASSES
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

Experiment = Callable[..., list[Record]]


def singles(
    experiment: Experiment, both: int, lost: int, gained: int, neither: int
) -> list[Record]:
    direct = "c " * both + "c " * lost + "w " * gained + "w " * neither
    cot = "c " * both + "w " * lost + "c " * gained + "w " * neither
    return experiment(direct=direct, cot=cot)


def claims(found: Comparison) -> tuple[OneSided, OneSided]:
    assert found.non_inferiority is not None
    return found.non_inferiority.baseline, found.non_inferiority.arm


def test_single_items_are_tested_by_tangos_score(experiment: Experiment, spec: Spec) -> None:
    records = singles(experiment, 60, 6, 4, 10)
    (found,) = compare(records, {"grammar": spec}, non_inferiority=5)
    direct, cot = claims(found)
    assert direct.p == pytest.approx(stats.norm.cdf(tango_z(4, 6, 80, 0.05)), abs=1e-12)
    assert cot.p == pytest.approx(stats.norm.sf(tango_z(4, 6, 80, -0.05)), abs=1e-12)


def test_groups_are_tested_by_t(experiment: Experiment, spec: Spec) -> None:
    records = experiment(
        direct="cccc ccww cccw cwww cccc ccww", cot="cccw ccww ccww ccww cccc cwww"
    )
    (found,) = compare(records, {"grammar": spec}, non_inferiority=10)
    means = np.array([-1, 0, -1, 1, 0, -1]) / 4
    direct, _ = claims(found)
    expected = stats.ttest_1samp(means, 0.1, alternative="less")
    assert direct.p == pytest.approx(expected.pvalue, abs=1e-9)
    assert direct.bound == pytest.approx(100 * expected.confidence_interval(0.95).high, abs=1e-9)


def test_the_margin_is_reached_exactly_where_the_bound_lies(
    experiment: Experiment, spec: Spec
) -> None:
    for records in (
        singles(experiment, 60, 3, 9, 10),
        experiment(direct="cccc ccww cccw cwww", cot="cccw cccw cccc ccww"),
    ):
        (found,) = compare(records, {"grammar": spec}, non_inferiority=10)
        bound = claims(found)[0].bound
        assert bound is not None
        (again,) = compare(records, {"grammar": spec}, non_inferiority=bound)
        assert claims(again)[0].p == pytest.approx(0.05, abs=1e-6)


def test_a_direct_arm_that_loses_nothing_is_shown_to_be_no_worse(
    experiment: Experiment, spec: Spec
) -> None:
    (found,) = compare(singles(experiment, 150, 12, 2, 40), {"grammar": spec}, non_inferiority=3)
    direct, cot = claims(found)
    assert direct.is_shown
    assert not cot.is_shown
    assert direct.bound is not None
    assert cot.bound is not None
    assert direct.bound < 0 < 3 < cot.bound


def test_in_passes_the_arm_with_more_of_them_is_the_worse(spec: Spec) -> None:
    records = [
        Record(
            "grammar", 1, "m", f"i{at}", f"g{at}", arm, 1, Outcome.CORRECT, float(base + at % 3)
        )
        for arm, base in (("direct", 2), ("cot", 6))
        for at in range(12)
    ]  # fmt: skip
    own = dataclasses.replace(spec, measure=PASSES, margin=0.5)
    changed = [
        dataclasses.replace(record, value=7.0) if record.item == "i0" and record.arm == "cot"
        else record
        for record in records
    ]  # fmt: skip
    (found,) = compare(changed, {"grammar": own}, non_inferiority=1)
    direct, cot = claims(found)
    assert direct.is_shown
    assert not cot.is_shown
    assert cot.bound is not None
    assert cot.bound > 4


def test_the_claims_of_several_models_are_adjusted_together(
    experiment: Experiment, spec: Spec
) -> None:
    records = [
        record
        for who in ("a", "b")
        for record in experiment(who=who, direct="cw " * 40, cot="cw " * 39 + "cc ")
    ]
    first, second = compare(records, {"grammar": spec}, non_inferiority=9)
    for one in (first, second):
        direct, _ = claims(one)
        assert direct.p is not None
        assert direct.p_adjusted == pytest.approx(2 * direct.p)


@pytest.mark.parametrize("margin", [0.0, -1.0, float("nan"), float("inf"), 100.0])
def test_a_margin_that_cannot_be_is_named(
    experiment: Experiment, spec: Spec, margin: float
) -> None:
    with pytest.raises(BadInput, match="--non-inferiority: "):
        compare(experiment(direct="cc", cot="cw"), {"grammar": spec}, non_inferiority=margin)


def test_one_margin_for_points_and_passes_is_refused(experiment: Experiment, spec: Spec) -> None:
    vehicles = [
        dataclasses.replace(record, family="vehicles", value=2.0)
        for record in experiment(direct="cc", cot="cc")
    ]
    specs = {"grammar": spec, "vehicles": dataclasses.replace(spec, measure=PASSES)}
    with pytest.raises(BadInput, match="3 would be points for grammar and passes for vehicles"):
        compare([*experiment(direct="cc", cot="cc"), *vehicles], specs, non_inferiority=3)


def budgets(experiment: Experiment, **arms: tuple[int, int | None]) -> list[Record]:
    """Of each arm, how many of 200 single items are right, and what a reply costs."""
    return [
        dataclasses.replace(record, output_tokens=tokens, input_tokens=10)
        for arm, (right, tokens) in arms.items()
        for record in experiment(**{arm: "c " * right + "w " * (200 - right)})
    ]


def chosen(records: list[Record], spec: Spec, margin: float = 5) -> Cheapest:
    (found,) = cheapest(records, {"grammar": spec}, margin)
    return found


def test_the_cheapest_arm_is_the_last_before_the_first_that_cannot_be_shown(
    experiment: Experiment, spec: Spec
) -> None:
    arms = {"direct": (150, 2), "low": (179, 100), "medium": (180, 500), "high": (181, 2000)}
    found = chosen(budgets(experiment, **arms), spec)
    assert (found.dearest, found.arm, found.by) == ("high", "low", "tokens")
    assert [(step.arm, step.is_shown) for step in found.steps] == [
        ("medium", True),
        ("low", True),
        ("direct", False),
    ]
    assert [step.effect for step in found.steps] == pytest.approx([-0.5, -1.0, -15.5])
    assert (found.dearest_price, found.steps[-1].price) == (2010, 12)


def test_nothing_is_claimed_after_a_step_that_failed(experiment: Experiment, spec: Spec) -> None:
    arms = {"direct": (181, 2), "low": (150, 100), "high": (180, 2000)}
    found = chosen(budgets(experiment, **arms), spec)
    assert found.arm == "high"
    last = found.steps[-1]
    assert last.arm == "direct"
    assert last.p is not None
    assert last.p < 0.05
    assert not last.is_shown


def test_money_goes_before_tokens(experiment: Experiment, spec: Spec) -> None:
    records = [
        dataclasses.replace(record, cost=0.5 if record.arm == "direct" else 0.1)
        for record in budgets(experiment, direct=(180, 2), cot=(180, 900))
    ]
    found = chosen(records, spec)
    assert (found.by, found.dearest, found.arm) == ("cost", "direct", "cot")


def test_without_cost_and_tokens_no_arm_is_called_the_cheapest(
    experiment: Experiment, spec: Spec
) -> None:
    found = chosen(budgets(experiment, direct=(180, 2), cot=(180, None)), spec)
    assert found.arm is None
    assert found.missing == "the records state neither cost nor tokens for every reply"


def test_the_baseline_is_the_cheaper_of_two_arms_at_one_price(
    experiment: Experiment, spec: Spec
) -> None:
    found = chosen(budgets(experiment, direct=(180, 5), cot=(180, 5)), spec)
    assert (found.dearest, found.arm) == ("cot", "direct")


def test_solvers_and_people_have_no_price(experiment: Experiment, spec: Spec) -> None:
    records = [
        record
        for who in ("ref/acs", "person/1")
        for record in experiment(who=who, direct="cc", cot="cc")
    ]
    assert cheapest(records, {"grammar": spec}, 3) == ()
