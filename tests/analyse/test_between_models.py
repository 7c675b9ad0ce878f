"""One model against another in each arm, over the items that both were asked."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from misstep.analyse import Comparison, Verdict, compare
from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.records import Record

Experiment = Callable[..., list[Record]]


def two(experiment: Experiment) -> list[Record]:
    first = experiment(who="a", direct="cc " * 8, cot="cw " * 8)
    return first + experiment(who="b", direct="cw " * 8, cot="cw " * 8)


def between(records: list[Record], spec: Spec, baseline: str | None = None) -> list[Comparison]:
    return list(compare(records, {"grammar": spec}, between="models", baseline=baseline))


def test_each_arm_is_compared_by_itself(experiment: Experiment, spec: Spec) -> None:
    found = between(two(experiment), spec)
    assert [(one.other, one.one, one.arm, one.baseline) for one in found] == [
        ("a", "b", "direct", "direct"),
        ("a", "b", "cot", "cot"),
    ]
    assert [one.effect for one in found] == [-50, 0]
    assert found[0].verdict is Verdict.HURTS
    assert found[0].p == 2 / 2**8


def test_another_baseline_turns_the_sign(experiment: Experiment, spec: Spec) -> None:
    found = between(two(experiment), spec, baseline="b")
    assert [(one.other, one.effect) for one in found] == [("b", 50), ("b", 0)]


def test_models_are_paired_by_item_in_any_order(experiment: Experiment, spec: Spec) -> None:
    records = two(experiment)
    assert between(records[::-1], spec, "a")[0].p == between(records, spec, "a")[0].p


def test_holm_runs_over_arms_and_models(experiment: Experiment, spec: Spec) -> None:
    found = between(two(experiment), spec)
    assert found[0].p_adjusted == pytest.approx(2 * 2 / 2**8)


def test_items_of_one_model_only_are_counted_and_not_used(
    experiment: Experiment, spec: Spec
) -> None:
    records = experiment(who="a", direct="ccc ccc") + experiment(who="b", direct="cc cc")
    (found,) = between(records, spec)
    assert (found.n, found.unpaired) == (4, 2)
    assert "2 items have replies on one side only and were left out." in found.warnings


def test_variants_and_versions_are_never_held_against_each_other(
    experiment: Experiment, spec: Spec
) -> None:
    own = experiment(who="b", direct="cc " * 8)
    for other in (
        [dataclasses.replace(record, version=2) for record in own],
        [dataclasses.replace(record, variant="x=1") for record in own],
    ):
        assert between(experiment(who="a", direct="cc " * 8) + other, spec) == []


def test_levels_of_a_factor_follow_the_whole(experiment: Experiment, spec: Spec) -> None:
    records = experiment(who="a", direct="cc cc") + experiment(who="b", direct="cw cw")
    found = compare(records, {"grammar": spec}, "length", between="models")
    assert [(one.level, one.effect) for one in found] == [(None, -50), (3, 0), (4, -100)]


def test_a_reference_solver_is_never_the_baseline_unless_named(
    experiment: Experiment, spec: Spec
) -> None:
    records = experiment(who="ref/acs", direct="cc cc") + two(experiment)
    assert {one.other for one in between(records, spec)} == {"a"}
    assert {one.other for one in between(records, spec, "ref/acs")} == {"ref/acs"}


def test_items_of_one_name_that_differ_are_refused(experiment: Experiment, spec: Spec) -> None:
    other = [
        dataclasses.replace(record, truth="Maybe") for record in experiment(who="b", direct="cc")
    ]
    with pytest.raises(BadInput, match="'g0/0' has the truth 'Yes' in a, direct, and 'Maybe'"):
        between(experiment(who="a", direct="cc") + other, spec)


def test_a_single_model_cannot_be_compared_between_models(
    experiment: Experiment, spec: Spec
) -> None:
    with pytest.raises(BadInput, match="the records hold only 'model'; another is needed"):
        between(experiment(direct="cc", cot="cc"), spec)


def test_an_unknown_baseline_is_named_with_those_known(experiment: Experiment, spec: Spec) -> None:
    with pytest.raises(BadInput, match="--baseline: 'c' is not among a, b"):
        between(two(experiment), spec, baseline="c")


def test_a_baseline_between_arms_is_refused(experiment: Experiment, spec: Spec) -> None:
    with pytest.raises(BadInput, match="--baseline: 'a' is for --between models only"):
        compare(two(experiment), {"grammar": spec}, baseline="a")
