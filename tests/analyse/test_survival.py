"""Passes as times: log-rank against a published data set and statsmodels, curves by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from statsmodels.duration.survfunc import survdiff

from misstep.analyse.inference.survival import (
    Flags,
    Times,
    learning,
    learning_curve,
    log_rank,
    solving,
)
from misstep.core.items import Scalar
from misstep.core.measures import PASSES
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

# Weeks in remission (Freireich et al. 1963); a minus sign marks those that were still in it.
MERCAPTOPURINE = (
    6, 6, 6, -6, 7, -9, 10, -10, -11, 13, 16, -17, -19, -20, 22, 23, -25, -32, -32, -34, -35,
)  # fmt: skip
PLACEBO = (1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23)


def sample(weeks: tuple[int, ...]) -> tuple[Times, Flags]:
    return np.abs(np.array(weeks, dtype=float)), np.array(weeks) > 0


def passed(arm: str, *passes: int, cap: int = 15) -> list[Record]:
    return [
        Record(
            "vehicles", 1, "m", f"list{at}", f"list{at}", arm, 1,
            Outcome.CORRECT if number < cap else Outcome.WRONG, float(number),
        )
        for at, number in enumerate(passes)
    ]  # fmt: skip


def test_log_rank_gives_the_published_chi_square_of_the_leukaemia_trial() -> None:
    first, second = sample(MERCAPTOPURINE), sample(PLACEBO)
    found = log_rank((first[0], second[0]), (first[1], second[1]))
    assert found is not None
    assert round(found.chi_square, 2) == 16.79


def test_log_rank_agrees_with_statsmodels() -> None:
    draws = np.random.default_rng(3)
    times = [np.minimum(draws.integers(1, 20, size), 15).astype(float) for size in (40, 33)]
    events = [time < 15 for time in times]
    side = np.repeat([0, 1], [40, 33])
    expected = survdiff(np.concatenate(times), np.concatenate(events).astype(int), side)
    found = log_rank(times, events)
    assert found is not None
    assert (found.chi_square, found.p) == pytest.approx(expected, abs=1e-9)


def test_log_rank_agrees_with_statsmodels_down_to_the_last_two_at_risk() -> None:
    times = [np.array([1.0, 3.0, 6.0]), np.array([2.0, 4.0, 5.0])]
    expected = survdiff(np.concatenate(times), np.ones(6, dtype=int), np.repeat([0, 1], 3))
    found = log_rank(times, [np.ones(3, dtype=bool)] * 2)
    assert found is not None
    assert (found.chi_square, found.p) == pytest.approx(expected, abs=1e-9)


def test_log_rank_says_nothing_where_nobody_solved() -> None:
    times = np.full(4, 15.0)
    assert log_rank((times, times), (times < 15, times < 15)) is None


def test_the_curve_is_the_share_that_has_solved_by_each_pass() -> None:
    times, events = np.array([1.0, 3.0, 3.0, 4.0]), np.array([True, True, False, True])
    assert learning_curve(times, events, 4) == (0.25, 0.25, 0.5, 0.75)


def test_the_share_solved_counts_what_never_was() -> None:
    found = solving(passed("direct", 2, 15, 4, 1), PASSES)
    assert found.solved == 0.75
    assert len(found.curve) == 15
    assert found.curve[-1] == 0.75


def test_a_stated_detail_solved_goes_before_the_outcome() -> None:
    record = Record(
        "vehicles", 1, "m", "a", "a", "direct", 1, Outcome.WRONG, 15.0, details={"solved": True}
    )
    assert solving([record], PASSES).solved == 1.0


def test_both_arms_are_described_with_the_log_rank_between_them() -> None:
    direct, cot = passed("direct", 2, 3, 2, 4), passed("cot", 9, 15, 8, 15)
    found = learning(direct, cot, PASSES)
    assert (found.baseline.solved, found.arm.solved) == (1.0, 0.5)
    assert found.log_rank is not None
    assert found.log_rank.p < 0.05


def detailed(arm: str, *details: dict[str, Scalar]) -> list[Record]:
    return [
        replace(record, details=own)
        for record, own in zip(passed(arm, *[15] * len(details)), details, strict=True)
    ]


def test_right_answers_by_pass_count_a_solved_list_as_right_and_leave_out_what_was_not_made() -> (
    None
):
    solved: dict[str, Scalar] = {"right_1": 7, "right_2": 10, "pass_size": 10, "solved": True}
    plateau: dict[str, Scalar] = {f"right_{at}": 8 for at in range(1, 16)}
    cut: dict[str, Scalar] = {"right_1": 3, "pass_size": 10, "solved": False}
    records = detailed("cot", solved, plateau | {"pass_size": 10, "solved": False}, cut)
    found = solving(records, PASSES)
    assert found.pass_size == 10
    assert found.right == (6.0, *[9.0] * 14)
    assert solving(records[2:], PASSES).right == (3.0, *[None] * 14)


def test_the_share_of_errors_that_follow_the_lure_is_over_all_errors() -> None:
    some: dict[str, Scalar] = {"errors": 10, "lure_errors": 9}
    none: dict[str, Scalar] = {"errors": 0, "lure_errors": 0}
    found = solving(detailed("cot", some, none, {"errors": 30.0, "lure_errors": 1.0}), PASSES)
    assert (found.errors, found.lure_share) == (40, 0.25)
    spotless = solving(detailed("cot", none), PASSES)
    assert (spotless.errors, spotless.lure_share) == (0, None)


def test_records_without_these_details_have_none_of_it() -> None:
    found = solving(passed("direct", 2, 3), PASSES)
    assert (found.right, found.pass_size, found.errors, found.lure_share) == ((), None, None, None)
