"""Arms at the levels of a factor: the right items, the numbers of a comparison of these alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from misstep.analyse import compare
from misstep.analyse.breakdown import MOST_LEVELS, Factor, Level, break_down, factor_names
from misstep.core.items import Scalar
from misstep.core.measures import ACCURACY, PASSES
from misstep.core.outcomes import Outcome
from misstep.core.records import Record


def record(
    arm: str, item: int, value: float | None, group: int | None = None, **factors: Scalar
) -> Record:
    return Record(
        family="toy",
        version=1,
        who="m",
        item=f"i{item}",
        group=f"g{item if group is None else group}",
        arm=arm,
        repetition=1,
        outcome=Outcome.UNPARSED
        if value is None
        else (Outcome.CORRECT if value == 1 else Outcome.WRONG),
        value=value,
        truth="Yes",
        factors=factors,
    )


def both(size: int, per_group: int = 1) -> list[Record]:
    """Sizes "small" and "large" in turn; `cot` fails at large items and now and then."""
    return [
        record(
            arm,
            item,
            float(arm == "direct" or (item % 2 == 0 and item % 6 != 0)),
            item // per_group,
            size="large" if item % 2 else "small",
        )
        for arm in ("direct", "cot")
        for item in range(size)
    ]


def names(values: Sequence[Scalar]) -> list[str]:
    records = [record("direct", at, 1.0, factor=value) for at, value in enumerate(values)]
    (found,) = break_down(records, ["factor"], ["direct"], ACCURACY)
    return [level.name for level in found.levels]


@pytest.mark.parametrize("per_group", [1, 4])
def test_a_level_has_the_numbers_of_a_comparison_of_its_items_alone(per_group: int) -> None:
    records = both(48, per_group)
    (factor,) = break_down(records, ["size"], ["direct", "cot"], ACCURACY)
    assert [level.name for level in factor.levels] == ["small", "large"]
    alone = {str(one.level): one for one in compare(records, {}, by="size") if one.factor}
    for level in factor.levels:
        direct, cot = level.arms
        one = alone[level.name]
        assert (direct.mean, direct.interval) == (
            one.baseline_summary.accuracy,
            one.baseline_summary.interval,
        )
        assert (cot.mean, cot.interval) == (one.arm_summary.accuracy, one.arm_summary.interval)
        assert cot.n == one.n
        assert cot.effect == pytest.approx(one.effect)
        assert cot.effect_interval is not None
        assert one.interval is not None
        assert cot.effect_interval.low == pytest.approx(one.interval.low)
        assert cot.effect_interval.high == pytest.approx(one.interval.high)
        assert direct.effect is None


def test_numbers_stand_in_their_order_and_names_as_first_met() -> None:
    assert names([10, 9, 2.5, 9]) == ["2.5", "9", "10"]
    assert names(["b", "a", "b"]) == ["b", "a"]
    assert names([True, False, None]) == ["yes", "no", "none"]
    assert names([3, None, 1]) == ["1", "3", "none"]


def test_many_numbers_make_ranges_of_about_equal_size_and_equal_numbers_stay_together() -> None:
    values: list[Scalar] = [number for number in range(40) for _ in range(2)]
    records = [record("direct", at, 1.0, factor=value) for at, value in enumerate(values)]
    (found,) = break_down(records, ["factor"], ["direct"], ACCURACY)
    assert [level.name for level in found.levels] == [
        "0–4", "5–9", "10–14", "15–19", "20–24", "25–29", "30–34", "35–39",
    ]  # fmt: skip
    assert [level.arms[0].n for level in found.levels] == [10] * 8
    skewed = [0] * 90 + list(range(1, 12))
    assert names(skewed)[0] == "0"


def test_many_names_leave_the_rare_ones_together() -> None:
    values = [f"n{at}" for at in range(20)] + ["n7", "n7"]
    found = names(values)
    assert len(found) == MOST_LEVELS
    assert found[-1] == "all others"
    assert "n7" in found


def test_a_factor_that_never_differs_is_left_out() -> None:
    records = [record("direct", at, 1.0, same=1, other=at % 2) for at in range(4)]
    assert factor_names(records) == ("same", "other")
    found = break_down(records, ["same", "absent", "other"], ["direct"], ACCURACY)
    assert [factor.name for factor in found] == ["other"]
    assert break_down([], ["other"], [], ACCURACY) == ()


def test_one_group_at_a_level_has_no_interval_and_an_arm_without_items_no_row() -> None:
    records = [
        record("direct", 0, 1.0, size="a"),
        record("direct", 1, 1.0, group=9, size="b"),
        record("direct", 2, 0.0, group=9, size="b"),
        record("cot", 0, None, size="a"),
    ]
    found = break_down(records, ["size"], ["direct", "cot"], ACCURACY)
    first, second = found[0].levels
    assert [(one.arm, one.mean, one.effect) for one in first.arms] == [
        ("direct", 1.0, None),
        ("cot", 0.0, -100.0),
    ]
    assert first.arms[1].effect_interval is None
    assert [(one.arm, one.mean, one.interval) for one in second.arms] == [("direct", 0.5, None)]


def test_passes_are_capped_and_their_effects_are_in_passes() -> None:
    records = [
        dataclasses.replace(
            record(arm, item, float(passes), size="ab"[item % 2]), outcome=Outcome.CORRECT
        )
        for arm, passes in (("direct", 4), ("cot", 40))
        for item in range(4)
    ]
    (factor,) = break_down(records, ["size"], ["direct", "cot"], PASSES)
    assert isinstance(factor, Factor)
    assert isinstance(factor.levels[0], Level)
    assert [(one.mean, one.effect) for one in factor.levels[0].arms] == [(4.0, None), (15.0, 11.0)]
