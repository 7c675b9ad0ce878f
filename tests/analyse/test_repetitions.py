"""Sampling and item variance: unbiased by enumeration, and as an analysis of variance has them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import statsmodels.api as sm

from misstep.analyse import compare
from misstep.analyse.inference.repetitions import MORE_ITEMS, MORE_REPETITIONS, repeated
from misstep.analyse.pairing import Paired
from misstep.core.outcomes import Outcome
from misstep.core.records import Record


def reply(item: str, arm: str, repetition: int, value: float) -> Record:
    outcome = Outcome.CORRECT if value >= 0.5 else Outcome.WRONG
    return Record("f", 1, "m", item, item, arm, repetition, outcome, value)


def arm_of(name: str, values: list[list[float]]) -> dict[str, list[Record]]:
    return {
        f"i{at}": [reply(f"i{at}", name, number, value) for number, value in enumerate(own, 1)]
        for at, own in enumerate(values)
    }


def paired(direct: list[list[float]], cot: list[list[float]]) -> Paired:
    return Paired(arm_of("direct", direct), arm_of("cot", cot), 0)


def within(values: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    """The residual mean square of a one-way analysis of variance by item."""
    items, repetitions = values.shape
    dummies = np.repeat(np.eye(items), repetitions, axis=0)
    return float(sm.OLS(values.ravel(), dummies).fit().mse_resid)


def test_the_components_are_those_of_an_analysis_of_variance() -> None:
    draws = np.random.default_rng(7)
    direct, cot = draws.uniform(0, 1, (6, 4)), draws.uniform(0, 1, (6, 4))
    found = repeated(paired(direct.tolist(), cot.tolist()), error=None)
    assert found is not None
    assert found.baseline_sampling == pytest.approx(1e4 * within(direct), abs=1e-9)
    assert found.arm_sampling == pytest.approx(1e4 * within(cot), abs=1e-9)
    differences = cot.mean(axis=1) - direct.mean(axis=1)
    between = differences.var(ddof=1) - (within(direct) + within(cot)) / 4
    assert found.items == pytest.approx(1e4 * between, abs=1e-9)


def test_the_item_variance_is_unbiased_over_all_outcomes_of_two_items_asked_twice() -> None:
    direct, cot = (0.9, 0.4), (0.3, 0.6)
    chances = [share for side in (direct, cot) for share in side for _ in range(2)]
    expected = 0.0
    for outcome in product((0.0, 1.0), repeat=8):
        found = repeated(
            paired(
                [list(outcome[:2]), list(outcome[2:4])], [list(outcome[4:6]), list(outcome[6:])]
            ),
            error=None,
        )
        assert found is not None
        weight = np.prod([p if hit else 1 - p for p, hit in zip(chances, outcome, strict=True)])
        expected += float(weight) * found.items
    true = np.var(np.subtract(cot, direct), ddof=1)
    assert expected == pytest.approx(1e4 * true, abs=1e-9)


def test_an_item_asked_once_borrows_the_variance_of_the_others() -> None:
    found = repeated(paired([[1, 0], [1, 0], [1]], [[1, 1], [1, 1], [1]]), error=None)
    assert found is not None
    in_means = (0.5 / 2 + 0.5 / 2 + 0.5) / 3
    assert found.items == pytest.approx(1e4 * (np.var([0.5, 0.5, 0.0], ddof=1) - in_means))


def test_items_that_all_differ_alike_ask_for_more_repetitions_and_others_for_more_items() -> None:
    draws = np.random.default_rng(8)
    noise = draws.integers(0, 2, (2, 30, 3)).astype(float)
    alike = repeated(paired(noise[0].tolist(), noise[1].tolist()), error=8.0)
    steady = [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    apart = repeated(paired(steady, [[0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [1.0, 0.0]]), error=40.0)
    assert alike is not None
    assert apart is not None
    assert alike.helps == MORE_REPETITIONS
    assert apart.helps == MORE_ITEMS


def test_the_share_of_sampling_is_what_more_repetitions_would_take_from_the_error() -> None:
    draws = np.random.default_rng(9)
    direct, cot = (draws.integers(0, 2, (40, 2)).astype(float) for _ in range(2))
    found = repeated(paired(direct.tolist(), cot.tolist()), error=9.0)
    assert found is not None
    of_mean = (within(direct) + within(cot)) / 2 / 40
    assert found.sampling_share == pytest.approx(1e4 * of_mean / 81, abs=1e-9)


def test_a_single_reply_to_each_item_has_no_sampling_to_show() -> None:
    records = [reply(f"i{at}", arm, 1, 1.0) for arm in ("direct", "cot") for at in range(8)]
    (found,) = compare(records, {})
    assert found.repeated is None
