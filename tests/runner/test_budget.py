"""A budget is never passed, nothing paid is lost, and records carry what was paid."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from inspect_ai.model import ModelUsage, get_model

from misstep.core.errors import BadInput
from misstep.core.prices import NO_PRICES, Price, Prices
from misstep.runner.failures import BudgetReached
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.paying.purse import Purse, Reservation
from misstep.runner.paying.till import Till, cost_of, open_accounts
from misstep.runner.run import Request, carry_out, plan
from spender import MODEL, PRICE, PRICES, SPENDING

Make = Callable[..., Request]
BUDGET = 0.016


@pytest.fixture(autouse=True)
def _fresh() -> None:
    SPENDING.reset()


def asked(make: Make, budget: float, **settings: object) -> Request:
    usual: dict[str, object] = {
        "model": MODEL, "prices": PRICES, "max_tokens": 2_000, "limit": 40, "scale": "paper",
        "till": Till(Purse(budget)),
    }  # fmt: skip
    return make("direct", "cot+vote3", **usual | settings)


@pytest.mark.parametrize("seed", range(4))
def test_heavy_tails_never_pass_the_budget(request_for: Make, seed: int) -> None:
    SPENDING.reset(seed)
    request = asked(request_for, BUDGET)
    with pytest.raises(BudgetReached):
        carry_out(plan(request))
    assert request.till is not None
    assert SPENDING.charged == pytest.approx(request.till.purse.spent)
    assert BUDGET - 0.0125 < SPENDING.charged <= BUDGET, "it stops within one call of the budget"


def test_every_thought_and_every_vote_is_paid_for_on_its_own(request_for: Make) -> None:
    request = asked(request_for, 1.0, limit=8)
    request = replace(request, arms=("self-consistency:3", "tot:2"))
    done = carry_out(plan(request))
    assert request.till is not None
    assert request.till.purse.calls == SPENDING.calls == 8 * (3 + 4)
    assert request.till.purse.spent == pytest.approx(SPENDING.charged)
    assert sum(record.cost or 0 for record in done.records) == pytest.approx(SPENDING.charged)


@pytest.mark.parametrize("arm", ["tot:3", "self-consistency:3"])
def test_a_tree_never_passes_the_budget_and_goes_on_where_it_stopped(
    request_for: Make, arm: str
) -> None:
    request = replace(asked(request_for, BUDGET), arms=(arm,))
    with pytest.raises(BudgetReached):
        carry_out(plan(request))
    assert SPENDING.charged <= BUDGET
    calls = SPENDING.calls
    more = replace(asked(request_for, 10.0), arms=(arm,))
    done = carry_out(plan(more))
    assert more.till is not None
    assert SPENDING.calls - calls == more.till.purse.calls
    assert SPENDING.calls == sum(record.calls or 0 for record in done.records)


def test_a_call_that_timed_out_counts_at_its_worst(request_for: Make) -> None:
    SPENDING.failing_call = 3
    request = asked(request_for, 1.0, limit=8)
    carry_out(plan(request))
    assert request.till is not None
    purse = request.till.purse
    assert purse.lost == pytest.approx(2_000 * 6 / 1e6, rel=0.02)
    assert SPENDING.charged < purse.spent < SPENDING.charged + purse.lost


def test_a_run_that_stopped_at_its_budget_goes_on_with_another_and_pays_nothing_twice(
    request_for: Make,
) -> None:
    with pytest.raises(BudgetReached, match="the same command goes on from there"):
        carry_out(plan(asked(request_for, BUDGET)))
    first, calls = SPENDING.charged, SPENDING.calls
    request = asked(request_for, 10.0)
    done = carry_out(plan(request))
    assert request.till is not None
    assert done.manifest.asked_again == 0, "a call that was never paid was not begun"
    assert SPENDING.calls == 40 + 3 * 40
    assert request.till.purse.calls == SPENDING.calls - calls
    assert request.till.purse.spent == pytest.approx(SPENDING.charged - first)
    assert sum(record.cost or 0 for record in done.records) == pytest.approx(SPENDING.charged)


def test_what_was_finished_before_the_budget_was_reached_can_be_compared(request_for: Make) -> None:
    with pytest.raises(BudgetReached) as stopped:
        carry_out(plan(asked(request_for, BUDGET)))
    assert read_records(log_files([stopped.value.folder]))


def test_without_a_budget_a_price_only_counts(request_for: Make) -> None:
    done = carry_out(plan(asked(request_for, 1.0, till=None, limit=8)))
    assert sum(record.cost or 0 for record in done.records) == pytest.approx(SPENDING.charged)


def test_without_a_price_the_cost_is_unknown_and_not_nought(request_for: Make) -> None:
    done = carry_out(plan(asked(request_for, 1.0, till=None, prices=NO_PRICES, limit=8)))
    assert {record.cost for record in done.records} == {None}


def test_a_budget_without_a_price_is_refused_before_the_first_call(request_for: Make) -> None:
    with pytest.raises(BadInput, match="price of spender/x is unknown"):
        plan(asked(request_for, 1.0, prices=NO_PRICES))
    assert SPENDING.calls == 0


def test_a_budget_without_a_limit_of_replies_is_refused(request_for: Make) -> None:
    with pytest.raises(BadInput, match="--max-tokens is needed"):
        plan(asked(request_for, 1.0, max_tokens=None))


def test_a_provider_that_is_silent_on_usage_is_paid_the_worst(request_for: Make) -> None:
    SPENDING.has_usage = False
    request = asked(request_for, BUDGET)
    with pytest.raises(BudgetReached):
        carry_out(plan(request))
    assert request.till is not None
    assert SPENDING.charged < request.till.purse.spent <= BUDGET + 1e-9


def test_one_purse_serves_several_runs(request_for: Make) -> None:
    till = Till(Purse(0.02))
    first = asked(request_for, 0.0, till=till, limit=8)
    carry_out(plan(first))
    spent = till.purse.spent
    assert 0 < spent == pytest.approx(SPENDING.charged)
    with pytest.raises(BudgetReached):
        carry_out(plan(asked(request_for, 0.0, till=till, seed=1, limit=80)))
    assert SPENDING.charged <= 0.02


def test_a_purse_never_promises_more_than_it_holds() -> None:
    dice = random.Random(4)
    for _ in range(200):
        purse = Purse(dice.uniform(0, 10))
        open_calls: list[Reservation] = []
        for _ in range(100):
            reservation = purse.reserve(dice.paretovariate(1.0) / 10)
            if reservation is not None:
                open_calls.append(reservation)
            if open_calls and dice.random() < 0.5:
                ended = open_calls.pop(dice.randrange(len(open_calls)))
                end = dice.choice((purse.lose, purse.release))
                if dice.random() < 0.7:
                    purse.settle(ended, ended.worst * dice.random())
                else:
                    end(ended)
            assert purse.spent + purse.aside <= purse.budget + 1e-6


def test_a_closed_purse_pays_nothing_however_little() -> None:
    purse = Purse(1.0)
    purse.close(2.0)
    assert purse.reserve(0.0) is None


def test_what_was_set_aside_for_a_call_that_broke_off_counts_as_spent_and_lost() -> None:
    purse = Purse(1.0)
    held = purse.reserve(0.6)
    assert held is not None
    assert purse.reserve(0.5) is None
    purse.lose(held)
    assert (purse.spent, purse.lost, purse.is_idle) == (0.6, 0.6, True)


def test_cost_is_each_kind_of_token_at_its_own_price() -> None:
    usage = ModelUsage(
        input_tokens=1_000, input_tokens_cache_read=400, input_tokens_cache_write=200,
        output_tokens=300, reasoning_tokens=100,
    )  # fmt: skip
    # 1000 at 1, 400 at .25, 200 at 1.25, 200 at 4 and 100 at 6, a million each
    assert cost_of(PRICE, usage) == pytest.approx((1000 + 100 + 250 + 800 + 600) / 1e6)
    assert cost_of(PRICE, usage, "1h") == pytest.approx((1000 + 100 + 400 + 800 + 600) / 1e6)


def test_embedded_models_and_reference_solvers_are_free_and_others_are_unknown() -> None:
    price = Prices({}).of("embedded/smollm2-135m")
    assert price is not None
    assert price.is_free
    assert Prices({}).of("ref/yes") is not None
    assert Prices({}).of("openai/some-model") is None
    assert isinstance(PRICES.of(MODEL), Price)


@pytest.mark.parametrize(("limits", "fits"), [((None, 50), False), ((50, 80), True)])
def test_limits_of_all_arms_do_where_the_provider_states_none(
    limits: tuple[int | None, ...], fits: bool
) -> None:
    model = get_model(MODEL, memoize=False)
    till = Till(Purse(1.0))
    if fits:
        assert set(open_accounts([model], PRICES, till, None, limits)) == {MODEL}
    else:
        with pytest.raises(BadInput, match="--max-tokens is needed"):
            open_accounts([model], PRICES, till, None, limits)
