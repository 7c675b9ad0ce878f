"""Money under many hands: a thousand runs of heavy-tailed calls through the real till."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import anyio
import anyio.lowlevel
import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolInfo

import payer
from misstep.core.errors import BadInput
from misstep.core.prices import NO_PRICES, Price, priced
from misstep.runner.paying.purse import Purse
from misstep.runner.paying.till import Account, OutOfMoney, Till, may_be_charged, reply_limit

QUESTION = [ChatMessageUser(content="Is number 7 even?")]


class ReadTimeout(Exception):
    """The reply was charged for and never came."""


class RateLimitError(Exception):
    """Refused, and nobody charges for it."""


@dataclass
class Provider:
    """What it charged, in money, whether or not the reply came; order of the calls' ends."""

    account: Account
    limit: int
    dice: random.Random
    charged: float = 0.0
    pairs: int = 0
    ended: list[tuple[int, bool]] = field(default_factory=list)

    async def call(self, number: int, *, thinks: bool) -> None:
        """Tried again as the runner does."""
        config = GenerateConfig(max_tokens=self.limit if thinks else 5)
        while True:
            try:
                async with self.account.paying(QUESTION, config) as bill:
                    bill.cost = await self._reply(config)
                break
            except (ReadTimeout, RateLimitError):
                continue
        self.ended.append((number, thinks))

    async def _reply(self, config: GenerateConfig) -> float | None:
        dice, fate = self.dice, self.dice.random()
        for _ in range(dice.randrange(3)):
            await anyio.lowlevel.checkpoint()
        if fate < 0.05:
            raise RateLimitError
        assert config.max_tokens
        written = min(config.max_tokens, round(20 * dice.paretovariate(0.8)))
        output = ModelOutput.from_content("x", "Yes")
        output.usage = ModelUsage(input_tokens=17, output_tokens=written)
        cost = self.account.charge(output)
        assert cost is not None
        self.charged += cost
        if fate < 0.1:
            raise ReadTimeout
        return None if fate < 0.13 else cost


async def spend(provider: Provider, items: int, hands: int) -> None:
    """Pairs in their order, by as many hands as a run has connections."""
    waiting = iter(range(items))

    async def work() -> None:
        for number in waiting:
            for thinks in (False, True):
                await provider.call(number, thinks=thinks)
            provider.pairs += 1

    async def hand() -> None:
        try:
            await work()
        except OutOfMoney:
            return

    async with anyio.create_task_group() as group:
        for _ in range(hands):
            group.start_soon(hand)


@pytest.fixture(scope="module")
def model() -> Model:
    return get_model(payer.MODEL, memoize=False)


def price_of(dice: random.Random) -> Price:
    """Heavy-tailed as well."""
    into, out = (dice.paretovariate(1.0) for _ in range(2))
    found = priced(NO_PRICES, payer.MODEL, f"{into},{out}").of(payer.MODEL)
    assert found is not None
    return found


def test_heavy_tailed_lengths_and_prices_never_pass_the_budget_in_a_thousand_runs(
    model: Model,
) -> None:
    dice, pairs = random.Random(8), 0
    for _ in range(1_000):
        price, limit = price_of(dice), dice.choice([100, 1_000, 8_000])
        budget = (limit * price.dearest_output + 200 * price.input) / 1e6 * dice.uniform(1, 6)
        purse = Purse(budget)
        provider = Provider(Account(model, price, Till(purse)), limit, dice)
        anyio.run(spend, provider, 25, dice.choice([1, 4, 10]))
        assert provider.charged <= purse.spent + 1e-12 <= budget * (1 + 1e-6)
        assert purse.is_idle
        pairs += provider.pairs
    assert pairs > 3_000, "money was spent"


def test_calls_are_served_in_the_order_in_which_they_came(model: Model) -> None:
    """A cheap call that comes later does not take the money that a dear one waits for."""
    till = Till(Purse(1.0))
    served: list[str] = []

    async def ask(name: str, worst: float, start: int) -> None:
        for _ in range(start):
            await anyio.lowlevel.checkpoint()
        held = await till.reserve(worst)
        served.append(name)
        for _ in range(5):
            await anyio.lowlevel.checkpoint()
        till.purse.settle(held, 0.0)
        till.wake()

    async def three() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(ask, "first", 0.6, 0)
            group.start_soon(ask, "dear", 0.9, 1)
            group.start_soon(ask, "cheap", 0.1, 2)

    anyio.run(three)
    assert served == ["first", "dear", "cheap"]


def test_the_limit_of_a_reply_is_that_of_thinking_and_answer_together(model: Model) -> None:
    assert reply_limit(model, GenerateConfig(max_tokens=5_000, reasoning_tokens=4_000)) == 5_000
    assert reply_limit(model, GenerateConfig()) == 8_000, "the provider's own"


def test_tools_and_calls_of_tools_are_part_of_the_worst_case(model: Model) -> None:
    price = price_of(random.Random(0))
    account = Account(model, price, Till(Purse(1.0)))
    config = GenerateConfig(max_tokens=10)
    call = ToolCall(id="1", function="search", arguments={"words": "x" * 1_000})
    said = ChatMessageAssistant(content="", tool_calls=[call])
    longer: list[ChatMessage] = [*QUESTION, said]
    tool = ToolInfo(name="search", description="y" * 2_000)
    plain = account.worst(QUESTION, config)
    assert account.worst(longer, config) > plain + 1_000 * price.input / 1e6
    assert account.worst(QUESTION, config, [tool]) > plain + 2_000 * price.input / 1e6


def test_a_call_that_cost_more_than_its_worst_widens_what_is_set_aside_from_then_on() -> None:
    purse = Purse(10.0)
    held = purse.reserve(1.0)
    assert held is not None
    purse.settle(held, 3.0)
    assert purse.reserve(2.5) is None, "it may cost 7.5, and 7 is left"
    next_one = purse.reserve(2.0)
    assert next_one is not None
    assert next_one.worst == pytest.approx(6.0)
    purse.settle(next_one, 6.0)
    assert purse.overrun == pytest.approx(3.0)


def _caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


class APIConnectionError(Exception):
    """As providers' libraries name it."""


class ConnectError(Exception):
    """Nobody was there."""


@pytest.mark.parametrize(
    ("error", "charged"),
    [
        (ReadTimeout(), True),
        (APIConnectionError(), True),
        (_caused(APIConnectionError(), ConnectError()), False),
        (RateLimitError(), False),
        (ValueError(), False),
        (KeyboardInterrupt(), True),
    ],
)
def test_what_broke_off_while_it_ran_may_be_charged(error: BaseException, charged: bool) -> None:
    assert may_be_charged(error) is charged


def test_a_price_said_by_hand_is_one_of_that_model_alone() -> None:
    found = priced(NO_PRICES, "a/b", "2, 8,EUR")
    price = found.of("a/b")
    assert price is not None
    assert (price.input, price.output, price.reasoning, found.currency) == (2.0, 8.0, 8.0, "EUR")
    assert found.of("a/c") is None


@pytest.mark.parametrize("words", ["2", "2,", "2,8,EUR,x", "2,-1", "two,8", "nan,1"])
def test_a_price_that_is_none_is_refused(words: str) -> None:
    with pytest.raises(BadInput, match="--price: "):
        priced(NO_PRICES, "a/b", words)
