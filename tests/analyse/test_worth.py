"""Worth, advice and exchanges, from records made by hand."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from misstep.analyse.inference.fieller import Pays
from misstep.analyse.worth.advice import Advice, Why
from misstep.analyse.worth.answer import Answer, answer, answer_to_json
from misstep.analyse.worth.worth import Worth, check_volume, worth
from misstep.core.errors import BadInput
from misstep.core.records import Record
from own_records import own_records

GAINS = "c" * 40 + "w" * 20
LOSES = "c" * 20 + "w" * 40


def asked(
    direct: str, cot: str, costs: tuple[float, float] | None = (0.001, 0.009), margin: float = 3
) -> Answer:
    first, second = costs or (None, None)
    records = [
        *own_records("direct", direct, cost=first),
        *own_records("cot", cot, cost=second, tokens=90),
    ]
    return answer(records, {}, margin)


def advised(direct: str, cot: str, **settings: float) -> Advice:
    (found,) = asked(direct, cot, **settings).advice  # type: ignore[arg-type]  # one option
    return found


def only(records: list[Record]) -> Worth:
    (found,) = worth(records, {})
    return found


def pays(one: Worth) -> list[Pays]:
    assert one.break_even is not None
    return [stretch.pays for stretch in one.break_even.stretches]


def test_money_is_the_paired_mean_with_its_interval() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.gamma(2, 0.001, 30), rng.gamma(2, 0.01, 30)
    found = only(
        own_records("direct", "c" * 30, cost=first.tolist())
        + own_records("cot", "c" * 30, cost=second.tolist())
    )
    assert found.money is not None
    assert found.money.interval is not None
    paired = stats.ttest_rel(second, first).confidence_interval()
    assert found.money.difference == pytest.approx(float((second - first).mean()))
    assert found.money.interval.low == pytest.approx(paired.low)
    assert found.money.interval.high == pytest.approx(paired.high)


def test_the_break_even_price_is_cost_over_gain() -> None:
    found = only(own_records("direct", LOSES, cost=0.001) + own_records("cot", GAINS, cost=0.009))
    assert found.break_even is not None
    assert found.break_even.price == pytest.approx(0.008 / (20 / 60))
    assert pays(found) == [Pays.BASELINE, Pays.OPEN, Pays.ARM]
    low, high = found.break_even.interval or (0, 0)
    assert low < 0.024 < (high or 0)


def test_an_arm_that_is_dearer_and_not_shown_better_has_no_price_that_pays() -> None:
    found = only(
        own_records("direct", "cw" * 20, cost=0.001) + own_records("cot", "cw" * 20, cost=0.009)
    )
    assert found.break_even is not None
    assert found.break_even.price is None
    assert pays(found) == [Pays.BASELINE, Pays.OPEN]
    assert found.break_even.interval is not None
    assert found.break_even.interval[1] is None


def test_where_mcnemar_does_not_show_a_gain_neither_does_the_price() -> None:
    """Five gained of forty, none lost: p = .0625, though t would be significant."""
    found = only(
        own_records("direct", "w" * 5 + "c" * 35, cost=0.001)
        + own_records("cot", "c" * 40, cost=0.009)
    )
    assert pays(found)[-1] is Pays.OPEN


def test_without_prices_there_is_no_money_and_no_price_of_an_error() -> None:
    (found,) = asked(LOSES, GAINS, None).worths
    assert found.money is None
    assert found.break_even is None
    assert (found.baseline_tokens, found.arm_tokens) == (30, 110)


def test_one_reply_without_a_cost_leaves_the_money_unknown() -> None:
    records = own_records("direct", "cc", cost=0.1) + own_records("cot", "cc", cost=0.2)
    records[0] = dataclasses.replace(records[0], cost=None)
    assert only(records).money is None


def test_a_single_group_has_no_price_of_an_error() -> None:
    found = only(
        own_records("direct", "cw", cost=0.1, size=2) + own_records("cot", "cc", cost=0.2, size=2)
    )
    assert found.money is not None
    assert found.money.interval is None
    assert found.break_even is None


def test_a_run_that_could_stop_has_a_wider_set_of_prices() -> None:
    def of(*, looks: bool) -> tuple[float, float]:
        found = only(
            own_records("direct", "cwwwww" * 10, cost=0.001, looks=looks)
            + own_records("cot", "cccccw" * 10, cost=0.009, looks=looks)
        )
        assert found.is_sequential is looks
        assert found.break_even is not None
        low, high = found.break_even.interval or (0.0, None)
        return low, high or math.inf

    fixed, stopped = of(looks=False), of(looks=True)
    assert stopped[0] < fixed[0] < fixed[1] < stopped[1]


def test_repetitions_are_averaged_within_the_item() -> None:
    again = [
        dataclasses.replace(record, repetition=2, cost=3 * (record.cost or 0))
        for record in own_records("cot", "cwcw", cost=0.01)
    ]
    found = only(
        own_records("direct", "cwcw", cost=0.01) + own_records("cot", "cwcw", cost=0.01) + again
    )
    assert found.money is not None
    assert found.money.arm == pytest.approx(0.02)


@pytest.mark.parametrize("volume", [0.0, -3.0, math.nan, math.inf])
def test_a_volume_that_is_none_is_refused(volume: float) -> None:
    with pytest.raises(BadInput, match="--volume"):
        check_volume(volume)


def test_the_cheap_arm_is_enough_where_it_is_shown_to_be_no_worse() -> None:
    found = advised("cw" * 150, "cw" * 150)
    assert (found.why, found.arm, found.cheap, found.dear) == (
        Why.ENOUGH, "direct", "direct", "cot",
    )  # fmt: skip
    assert found.share == pytest.approx(1 / 9)
    assert 0 < (found.worse or 0) < 3


def test_the_dear_arm_is_taken_where_it_is_better() -> None:
    found = advised(LOSES, GAINS)
    assert (found.why, found.arm, found.dear) == (Why.BETTER, "cot", "cot")
    assert found.effect == pytest.approx(100 / 3)
    assert found.break_even is not None


def test_a_dear_arm_that_is_worse_is_not_taken() -> None:
    found = advised(GAINS, LOSES)
    assert (found.why, found.arm) == (Why.WORSE, "direct")


def test_too_few_items_decide_nothing() -> None:
    found = advised("cwcwcwcw", "cwcwcwwc")
    assert (found.why, found.arm) == (Why.OPEN, None)


def test_a_baseline_that_is_the_dear_one_is_advised_against_like_any_other() -> None:
    found = advised(GAINS, LOSES, costs=(0.009, 0.001))  # type: ignore[arg-type]  # a pair
    assert (found.why, found.arm, found.cheap, found.dear) == (
        Why.BETTER, "direct", "cot", "direct",
    )  # fmt: skip
    assert found.break_even is not None
    assert found.break_even.stretches[-1].pays is Pays.ARM


def test_of_several_levels_the_cheapest_that_is_no_worse_is_taken() -> None:
    arms = {"think:none": "w" * 200, "think:low": "cw" * 100, "think:high": "cw" * 100}
    records = [
        dataclasses.replace(record, thinking=arm.removeprefix("think:"))
        for cost, (arm, letters) in zip((0.001, 0.004, 0.02), arms.items(), strict=True)
        for record in own_records(arm, letters, cost=cost)
    ]
    (found,) = answer(records, {}, 3).advice
    assert (found.why, found.arm, found.dear) == (Why.ENOUGH, "think:low", "think:high")


def test_lost_and_gained_are_counted_by_level_and_shown_by_the_reply_that_differs() -> None:
    (found,) = asked("ccwwcc", "wcwccc").exchanges
    assert [one.item for one in found.lost] == ["q000"]
    assert [one.item for one in found.gained] == ["q003"]
    assert [(one.level, one.n, one.lost, one.gained) for one in found.factors["kind"]] == [
        ("even", 3, 1, 0),
        ("odd", 3, 0, 1),
    ]
    assert (found.lost[0].baseline.outcome, found.lost[0].arm.outcome) == ("correct", "wrong")


def test_the_repetition_that_differs_is_the_one_to_show() -> None:
    def repeated(arm: str, letters: str) -> list[Record]:
        return [
            dataclasses.replace(own_records(arm, letter)[0], repetition=number)
            for number, letter in enumerate(letters, 1)
        ]

    (found,) = answer(repeated("direct", "ccc") + repeated("cot", "cwc"), {}, 3).exchanges
    assert found.items[0].arm.repetition == 2
    assert found.items[0].baseline.repetition == 2


def test_the_json_says_what_a_thousand_calls_and_a_month_cost() -> None:
    found: Any = answer_to_json(  # Any: plain values, as JSON has them
        dataclasses.replace(asked(LOSES, GAINS), volume=50_000.0, currency="USD")
    )
    (one,) = found["worth"]
    assert one["per_thousand"]["arm"] == pytest.approx(9)
    assert one["per_month"]["difference"] == pytest.approx(400)
    assert [stretch["pays"] for stretch in one["break_even"]["stretches"]] == [
        "baseline", "open", "arm",
    ]  # fmt: skip
    assert found["currency"] == "USD"
    (advice,) = found["advice"]
    assert (advice["why"], advice["arm"]) == ("better", "cot")
