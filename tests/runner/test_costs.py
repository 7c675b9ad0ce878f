"""Costs before a run: by hand on small items, and around what a run then really takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from misstep.core.arms import Arm, resolve
from misstep.core.family import select
from misstep.core.records import Record
from misstep.models import store
from misstep.runner.paying.costs import ArmCost, Asked, estimate, left_to_pay, total
from misstep.runner.paying.lengths import NO_HISTORY, assumed, history
from misstep.runner.paying.tokens import Counter, Range, counter_for
from misstep.runner.run import JOURNAL, Request, carry_out, plan
from misstep.runner.shards.journals import WORKERS
from oracle import FAMILY, Oracle, prompt
from spender import MODEL, PRICE, PRICES, SPENDING

RULE = Counter("by characters")
ITEMS = list(select(FAMILY, "paper", 8, 0, {}))


def cost(
    arm: str, items: int = 8, records: list[Record] | None = None, model: str = MODEL
) -> ArmCost:
    arms = resolve([arm], FAMILY.spec.arms)
    past = history(records, "parity") if records is not None else NO_HISTORY
    (found,) = estimate(Asked(FAMILY, arms, ITEMS[:items], model), PRICE, RULE, past)
    return found


def test_one_call_an_answer_by_hand() -> None:
    found = cost("direct")
    chars = sum(len(prompt(item, "direct")) for item in ITEMS)
    truth = sum(len(item.truth) for item in ITEMS)
    assert (found.answers, found.calls) == (8, Range(8, 8))
    assert found.input == Range(chars / 5 + 8 * 4, chars / 2 + 8 * 16)
    assert found.output.low == pytest.approx(truth / 5)
    assert found.output.high == pytest.approx(2 * truth / 2 + 8 * 50)
    assert found.money is not None
    assert found.money.low == pytest.approx((found.input.low + 4 * found.output.low) / 1e6)
    assert found.money.high == pytest.approx((found.input.high + 6 * found.output.high) / 1e6)


def test_votes_are_as_many_calls_of_the_same_words() -> None:
    once, votes = cost("cot"), cost("cot+vote5")
    assert votes.calls == Range(40, 40)
    assert votes.input == once.input.times(5)
    assert votes.output == once.output.times(5)


def test_a_tree_is_thoughts_and_as_many_votes_that_read_them_all() -> None:
    found, once = cost("tot"), cost("cot")
    assert found.calls == Range(80, 80)
    assert found.input.high > 5 * 5 * once.output.high, "each of five votes reads five thoughts"


def test_feedback_takes_one_call_or_all_its_rounds() -> None:
    found, once = cost("feedback"), cost("direct")
    assert found.calls == Range(8, 24)
    assert found.input.low == once.input.low
    assert found.input.high > 3 * once.input.high, "later rounds read the earlier ones"
    assert found.output == Range(once.output.low, 3 * once.output.high)


def test_repetitions_multiply_all() -> None:
    arms = resolve(["direct"], FAMILY.spec.arms)
    (found,) = estimate(Asked(FAMILY, arms, ITEMS, MODEL, repeat=3), PRICE, RULE)
    assert found.calls == Range(24, 24)
    assert found.input == cost("direct").input.times(3)


def test_a_token_limit_caps_what_is_assumed_but_not_what_is_thought() -> None:
    arm = Arm("think:1000", "", "direct", thinking="1000")
    assert assumed(arm, Range(10, 10), True, 15) == Range(10 + 100, 15 + 1_000)
    assert assumed(replace(arm, thinking="none"), Range(1, 1), False, None) == Range(101, 1_002)
    assert assumed(replace(arm, thinking="high"), Range(0, 0), True, None).high == 50 + 16_000


def test_an_unknown_price_is_unknown_and_makes_the_sum_unknown() -> None:
    arms = FAMILY.spec.default_arms
    found = estimate(Asked(FAMILY, arms, ITEMS, "other/y"), PRICES.of("other/y"), RULE)
    assert [one.money for one in found] == [None, None]
    assert total([*found, cost("direct")]) is None
    assert total([cost("direct")]) == cost("direct").money


def earlier(make: Callable[..., Request], **settings: object) -> list[Record]:
    usual: dict[str, object] = {"model": MODEL, "max_tokens": 300, "limit": 8, "scale": "paper"}
    SPENDING.reset()
    return list(carry_out(plan(make("direct", "cot", **usual | settings))).records)


def test_earlier_answers_of_the_model_say_how_long_its_replies_are(
    request_for: Callable[..., Request],
) -> None:
    records = earlier(request_for)
    found = cost("cot", records=records)
    really = sum(record.output_tokens or 0 for record in records if record.arm == "cot")
    assert found.output.low < really < found.output.high
    assert found.basis == "8 earlier answers"
    assert cost("cot", items=4, records=records).output == found.output.times(0.5)


def test_other_models_answers_are_halved_and_doubled(
    request_for: Callable[..., Request],
) -> None:
    records = earlier(request_for)
    own, other = cost("cot", records=records), cost("cot", records=records, model="other/y")
    assert other.output == Range(own.output.low / 2, own.output.high * 2)
    assert other.basis == "other models' answers, halved and doubled"


def test_what_the_journal_holds_is_not_to_be_paid_again(
    oracle: Oracle, request_for: Callable[..., Request]
) -> None:
    usual = {"model": MODEL, "prices": PRICES, "max_tokens": 300, "scale": "paper"}
    carry_out(plan(request_for("direct", limit=8, **usual)))
    request = request_for("direct", "cot", limit=16, **usual)
    direct, cot = left_to_pay(request, plan(request))
    assert (direct.answers, cot.answers) == (8, 16)
    assert direct.calls == Range(8, 8)
    again = request_for("direct", limit=8, **usual)
    made = plan(again)
    assert total(left_to_pay(again, made)) == Range(0, 0)
    # As workers leave it whose run was killed.
    left = made.folder / WORKERS / "1-of-2" / JOURNAL
    left.parent.mkdir(parents=True)
    (made.folder / JOURNAL).rename(left)
    assert total(left_to_pay(again, made)) == Range(0, 0)


@pytest.mark.model
def test_an_embedded_tokenizer_counts_better_than_the_rule() -> None:
    if store.cached(store.SMALL) is None:
        pytest.skip(f"the small model is not fetched; run: misstep models get {store.SMALL}")
    own, rule = counter_for(f"embedded/{store.SMALL}"), RULE
    texts = ["How many blocks stand on the table after the second action?"] * 3
    counted = own.tokens(texts)
    assert own.is_own
    assert rule.tokens(texts).low <= counted.low == counted.high <= rule.tokens(texts).high


def test_a_second_reader_may_read_a_fifth_of_the_answers(
    request_for: Callable[..., Request],
) -> None:
    settings = {"model": MODEL, "prices": PRICES, "limit": 8, "max_tokens": 200, "scale": "paper"}
    alone = left_to_pay(asked := request_for("direct", "cot", **settings), plan(asked))
    with_reader = replace(asked, reader=MODEL)
    *arms, reading = left_to_pay(with_reader, plan(with_reader))
    assert arms == alone
    assert (reading.arm, reading.calls) == ("second reading", Range(0, 0.2 * 16))
    assert reading.input.high > 0.2 * sum(arm.output.high for arm in arms)
    assert reading.money is not None
    assert reading.money.low == 0 < reading.money.high
