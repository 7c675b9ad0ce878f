"""Latency: against numpy, a slow bootstrap of its own, and simulated coverage."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

import numpy as np
import pytest

from misstep.analyse.pairing import pair
from misstep.analyse.worth.latency import Latency, latency
from misstep.core.outcomes import Outcome
from misstep.core.records import Record


def record(arm: str, place: int, seconds: float | None, group: int | None = None) -> Record:
    return Record(
        family="ab:tickets", version=1, who="model", item=str(place),
        group=str(place if group is None else group), arm=arm, repetition=1,
        outcome=Outcome.CORRECT, value=1.0, seconds=seconds,
    )  # fmt: skip


def timed(
    direct: Sequence[float | None], cot: Sequence[float | None], size: int = 1
) -> Latency | None:
    records = [
        record(arm, place, one, place // size)
        for arm, each in (("direct", direct), ("cot", cot))
        for place, one in enumerate(each)
    ]
    return latency(pair(records, "direct", "cot"))


def test_median_and_percentile_are_numpys() -> None:
    rng = np.random.default_rng(1)
    direct, cot = rng.lognormal(0, 1, 37), rng.lognormal(2, 1, 37)
    found = timed(direct.tolist(), cot.tolist())
    assert found is not None
    assert found.baseline_median == np.median(direct)
    assert found.arm_p95 == np.quantile(cot, 0.95)
    assert found.difference == np.median(cot) - np.median(direct)
    assert (found.replies, found.of) == (74, 74)


def slow_interval(direct: np.ndarray, cot: np.ndarray, size: int) -> tuple[float, float]:
    """Groups drawn one by one, their replies laid side by side, numpy's median of them."""
    rng = np.random.default_rng(7)
    groups = direct.size // size
    first, second = direct.reshape(groups, size), cot.reshape(groups, size)
    found = []
    for _ in range(4_000):
        drawn = rng.integers(groups, size=groups)
        found.append(np.median(second[drawn]) - np.median(first[drawn]))
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def test_the_interval_is_that_of_a_slow_bootstrap() -> None:
    rng = np.random.default_rng(2)
    direct, cot = rng.normal(1, 0.2, 120), rng.normal(3, 0.6, 120)
    found = timed(direct.tolist(), cot.tolist(), size=4)
    assert found is not None
    assert found.interval is not None
    low, high = slow_interval(direct, cot, 4)
    assert found.interval.low == pytest.approx(low, abs=0.02)
    assert found.interval.high == pytest.approx(high, abs=0.02)


def test_the_interval_holds_the_true_difference() -> None:
    rng = np.random.default_rng(4)
    runs, kept = 120, 0
    for _ in range(runs):
        item = rng.normal(0, 0.5, 60)
        direct = np.exp(item + rng.normal(0, 0.3, 60))
        cot = np.exp(1 + item + rng.normal(0, 0.3, 60))
        found = timed(direct.tolist(), cot.tolist())
        assert found is not None
        assert found.interval is not None
        kept += found.interval.low <= math.e - 1 <= found.interval.high
    assert 0.89 <= kept / runs <= 1


def test_the_same_records_give_the_same_interval() -> None:
    direct, cot = [0.1 * n for n in range(1, 13)], [0.3 * n for n in range(1, 13)]
    assert timed(direct, cot) == timed(direct, cot)


def test_few_groups_have_no_interval() -> None:
    found = timed([1.0] * 10, [2.0] * 10, size=2)
    assert found is not None
    assert found.interval is None
    assert found.difference == 1.0


def test_replies_without_a_time_are_counted_and_not_used() -> None:
    found = timed([1.0, None, 3.0], [5.0, 6.0, 7.0])
    assert found is not None
    assert found.baseline_median == 2.0
    assert (found.replies, found.of) == (5, 6)


def test_an_arm_without_any_time_has_no_latency() -> None:
    assert timed([None, None], [1.0, 2.0]) is None


def test_replies_of_items_that_one_arm_lacks_do_not_count() -> None:
    records = [record("direct", 0, 1.0), record("cot", 0, 2.0), record("cot", 1, 99.0)]
    found = latency(pair(records, "direct", "cot"))
    assert found is not None
    assert found.arm_p95 == 2.0


def test_a_longer_seconds_moves_only_the_tail() -> None:
    cot = [2.0] * 19 + [2.0]
    slow = dataclasses.asdict(_some(timed([1.0] * 20, [*cot[:-1], 50.0])))
    even = dataclasses.asdict(_some(timed([1.0] * 20, cot)))
    assert slow["arm_median"] == even["arm_median"]
    assert slow["arm_p95"] > even["arm_p95"]


def _some(found: Latency | None) -> Latency:
    assert found is not None
    return found
