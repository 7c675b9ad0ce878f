"""Dose and response over observed thinking: the order of the arms, the peak, and its proof."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest
from statsmodels.stats.contingency_tables import mcnemar

from misstep.analyse.dose import Curve, Peak, curves
from misstep.core.family import Spec
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

N = 60


def records(right: Mapping[str, int], tokens: Mapping[str, int | None]) -> list[Record]:
    """Sixty single items; in each arm the first so many are right."""
    return [_record(arm, at, at < right[arm], tokens[arm]) for arm in right for at in range(N)]


def _record(arm: str, at: int, is_right: bool, tokens: int | None) -> Record:
    return Record(
        family="grammar",
        version=1,
        who="lab/model",
        item=f"i{at}",
        group=f"g{at}",
        arm=arm,
        repetition=1,
        outcome=Outcome.CORRECT if is_right else Outcome.WRONG,
        value=float(is_right),
        reasoning_tokens=tokens,
        thinking=arm.removeprefix("think:") if arm.startswith("think:") else None,
    )


def only(found: tuple[Curve, ...]) -> Curve:
    (curve,) = found
    return curve


ASKED = {"think:high": 20, "direct": 25, "think:low": 45}
TOKENS = {"think:high": 4000, "direct": 0, "think:low": 300}


def test_doses_are_ordered_by_the_thinking_that_was_observed(spec: Spec) -> None:
    tokens = {"think:high": 200, "direct": 0, "think:low": 900}
    curve = only(curves(records(ASKED, tokens), {"grammar": spec}))
    assert [(one.arm, one.tokens) for one in curve.doses] == [
        ("direct", 0),
        ("think:high", 200),
        ("think:low", 900),
    ]
    assert curve.peak is Peak.HIGHEST
    assert curve.best == "think:low"


def test_a_peak_is_inside_where_both_ends_are_significantly_worse(spec: Spec) -> None:
    curve = only(curves(records(ASKED, TOKENS), {"grammar": spec}))
    assert curve.peak is Peak.INSIDE
    # The first 20, 25 and 45 are right: 20 and 25 discordant pairs, all one way.
    against = [mcnemar([[0, gained], [0, 0]], exact=True).pvalue for gained in (20, 25)]
    assert [one.p for one in curve.ends] == pytest.approx(against, abs=1e-12)
    assert curve.peak_p == pytest.approx(max(against), abs=1e-12)
    assert [one.effect for one in curve.ends] == pytest.approx([2000 / N, 2500 / N])


def test_the_peak_pays_for_every_inner_arm_that_could_have_been_best(spec: Spec) -> None:
    right = {"direct": 25, "think:low": 25, "think:medium": 45, "think:high": 20}
    tokens = {"direct": 0, "think:low": 100, "think:medium": 300, "think:high": 4000}
    curve = only(curves(records(right, tokens), {"grammar": spec}))
    one = mcnemar([[0, 20], [0, 0]], exact=True).pvalue
    assert curve.peak_p == pytest.approx(2 * one, abs=1e-12)
    assert [near.other for near in curve.neighbours] == ["think:low", "think:high"]


def test_an_inner_arm_that_beats_only_one_end_is_no_peak(spec: Spec) -> None:
    curve = only(curves(records(ASKED | {"think:high": 42}, TOKENS), {"grammar": spec}))
    assert curve.best == "think:low"
    assert curve.peak is Peak.NOT_SHOWN
    assert curve.peak_p == pytest.approx(mcnemar([[0, 3], [0, 0]], exact=True).pvalue)


def test_the_least_thinking_may_be_the_best(spec: Spec) -> None:
    curve = only(curves(records(ASKED | {"direct": 50}, TOKENS), {"grammar": spec}))
    assert (curve.peak, curve.peak_p) == (Peak.LOWEST, None)
    assert [one.other for one in curve.ends] == ["think:high"]


def test_equal_doses_that_are_best_count_as_the_least(spec: Spec) -> None:
    curve = only(curves(records(dict.fromkeys(ASKED, 30), TOKENS), {"grammar": spec}))
    assert curve.best == "direct"


def test_two_doses_are_no_curve(spec: Spec) -> None:
    two = {"direct": 25, "think:low": 45}
    assert curves(records(two, TOKENS), {"grammar": spec}) == ()
    same = {"think:high": 0, "direct": 0, "think:low": 300}
    assert curves(records(ASKED, same), {"grammar": spec}) == ()


def test_arms_whose_thinking_nobody_knows_have_no_place(spec: Spec) -> None:
    right = ASKED | {"think:medium": 30}
    curve = only(curves(records(right, TOKENS | {"think:medium": None}), {"grammar": spec}))
    assert curve.without_tokens == ("think:medium",)
    assert len(curve.doses) == 3


def test_an_arm_told_in_words_to_reason_is_no_dose(spec: Spec) -> None:
    right = ASKED | {"cot": 30}
    curve = only(curves(records(right, TOKENS | {"cot": 0}), {"grammar": spec}))
    assert "cot" not in [one.arm for one in curve.doses]


def test_only_items_that_every_dose_answered_count(spec: Spec) -> None:
    some = [one for one in records(ASKED, TOKENS) if (one.arm, one.item) != ("direct", "i0")]
    curve = only(curves(some, {"grammar": spec}))
    assert (curve.n, curve.groups) == (N - 1, N - 1)
    assert [one.mean for one in curve.doses] == pytest.approx([24 / 59, 44 / 59, 19 / 59])


def test_reference_solvers_have_no_curve(spec: Spec) -> None:
    solved = [dataclasses.replace(one, who="ref/x") for one in records(ASKED, TOKENS)]
    assert curves(solved, {"grammar": spec}) == ()
