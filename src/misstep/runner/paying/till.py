"""Paying: what a call costs by the model's price; calls wait until the purse holds their worst."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ContentImage,
    ContentText,
    GenerateConfig,
    Model,
    ModelCost,
    ModelOutput,
    ModelUsage,
    compute_model_cost,
)
from inspect_ai.tool import ToolInfo

from misstep.core.errors import BadInput, MisstepError
from misstep.core.prices import MILLION, Price, Prices
from misstep.runner.paying.purse import Purse, Reservation

# No token is shorter than a byte; each message has some markup around it.
MARKUP_TOKENS = 32
# The dearest way of counting a large picture known to us comes to somewhat less.
PICTURE_TOKENS = 50_000
# An hour's cache costs 1.6 times what five minutes' does.
_LONGER_CACHE = 1.6
BATCH = "batch"
"""Of a reply's metadata: whether a batch interface answered, at the price of one."""
_CUT_OFF = ("timeout", "connection", "readerror", "protocolerror", "incompleteread")
_NEVER_SENT = ("connecterror", "connecttimeout", "pooltimeout", "connectionrefused")


class OutOfMoney(MisstepError):
    """The next call may cost more than is left, and no other call is under way."""


class Till:
    """A purse with a queue, for the calls of one run; `purse` may outlive it.

    First come, first served: else cheap calls would slip past a dear one as long as there is
    anything left, and the last of the money would buy one side of many pairs.
    """

    def __init__(self, purse: Purse) -> None:
        self.purse = purse
        self._settled: anyio.Event | None = None
        self._queue: list[object] = []

    async def reserve(self, worst: float) -> Reservation:
        """Wait until it is this call's turn and it fits. Raises OutOfMoney where it never will."""
        place = object()
        self._queue.append(place)
        try:
            while (reservation := self._served(place, worst)) is None:
                # Made where it is waited for: each run has an event loop of its own.
                self._settled = self._settled or anyio.Event()
                # The others wait for the first.
                is_first = self._queue[0] is place
                with anyio.move_on_after(self.purse.look_again if is_first else math.inf):
                    await self._settled.wait()
            return reservation
        finally:
            self._queue.remove(place)
            if not self._queue:
                self.purse.leave()
            self.wake()

    def _served(self, place: object, worst: float) -> Reservation | None:
        purse = self.purse
        is_first = self._queue[0] is place
        if is_first and (reservation := purse.reserve(worst)) is not None:
            return reservation
        if is_first and purse.is_idle and not purse.is_closed:
            purse.close(worst)
        if purse.is_closed:
            raise OutOfMoney(f"a call may cost {worst:.6g}, and {purse.left:.6g} is left")
        return None

    def wake(self) -> None:
        """Something was settled: whoever waits looks again."""
        settled, self._settled = self._settled, None
        if settled is not None:
            settled.set()


@dataclass
class Bill:
    """What a call turned out to cost; None as long as that is not known."""

    cost: float | None = field(default=None)


@dataclass(frozen=True)
class Account:
    """One model's calls at one till, by its price."""

    model: Model
    price: Price
    till: Till

    @asynccontextmanager
    async def paying(
        self,
        messages: Sequence[ChatMessage],
        config: GenerateConfig,
        tools: Sequence[ToolInfo] = (),
    ) -> AsyncIterator[Bill]:
        """Set the worst case aside for the call within; settle by what the bill says after it.

        A call that is tried again is another call: each try has its own worst case.
        """
        reservation = await self.till.reserve(self.worst(messages, config, tools))
        purse, bill = self.till.purse, Bill()
        try:
            yield bill
        except BaseException as error:
            self._break_off(reservation, bill, error)
            raise
        else:
            # A provider that does not say what was used may have used all of it.
            worst = reservation.worst
            purse.settle(reservation, worst if bill.cost is None else bill.cost)
        finally:
            self.till.wake()

    def note(
        self,
        messages: Sequence[ChatMessage],
        config: GenerateConfig,
        tools: Sequence[ToolInfo] = (),
    ) -> None:
        """A call that is paid for already says how dear one like it may be."""
        self.till.purse.note(self.worst(messages, config, tools))

    def charge(self, output: ModelOutput) -> float | None:
        """What the reply costs, put down in its usage; None where no usage came with it."""
        if output.usage is None:
            return None
        cost = cost_of(self.price, output.usage, self.model.api.cache_write_ttl())
        is_of_batch = bool((output.metadata or {}).get(BATCH))
        output.usage.total_cost = cost * (self.price.batch if is_of_batch else 1.0)
        return output.usage.total_cost

    def worst(
        self,
        messages: Sequence[ChatMessage],
        config: GenerateConfig,
        tools: Sequence[ToolInfo] = (),
    ) -> float:
        """The most that the call may cost: all its bytes tokens, its reply as long as it may be."""
        if self.price.is_free or not math.isfinite(self.till.purse.budget):
            return 0.0
        limit = reply_limit(self.model, config)
        if limit is None:
            raise BadInput(
                f"--budget: {self.model}: --max-tokens is needed, as the provider states no limit "
                "of a reply"
            )
        ttl = _LONGER_CACHE if self.model.api.cache_write_ttl() == "1h" else 1.0
        tokens = sum(_most_tokens(message) for message in messages)
        tokens += sum(MARKUP_TOKENS + len(tool.model_dump_json()) for tool in tools)
        if config.response_schema is not None:
            tokens += MARKUP_TOKENS + len(config.response_schema.model_dump_json())
        money = tokens * self.price.dearest_input * ttl
        money += limit * (config.num_choices or 1) * self.price.dearest_output
        return money / MILLION * (self.price.batch if config.batch else 1.0)

    def _break_off(self, reservation: Reservation, bill: Bill, error: BaseException) -> None:
        if bill.cost is not None:
            self.till.purse.settle(reservation, bill.cost)
        elif may_be_charged(error):
            self.till.purse.lose(reservation)
        else:
            self.till.purse.release(reservation)


def open_accounts(
    models: Sequence[Model],
    prices: Prices,
    till: Till | None,
    max_tokens: int | None,
    limits: Sequence[int | None] = (),
) -> dict[str, Account]:
    """An account for each model whose price is known, by its name.

    With a budget every model must have a price, and a limit of its replies; BadInput else. The
    limits of the arms of the first model, if they all state one, do for it. None where neither
    prices nor a budget were given.
    """
    if till is None and not prices.models:
        return {}
    has_budget = till is not None and math.isfinite(till.purse.budget)
    open_till = till or Till(Purse())
    accounts: dict[str, Account] = {}
    for model in models:
        price = prices.of(str(model))
        if price is not None:
            accounts[str(model)] = Account(model, price, open_till)
        elif has_budget:
            raise BadInput(f"--budget: the price of {model} is unknown; --prices FILE gives it")
    own = max_tokens or (max(filter(None, limits)) if limits and all(limits) else None)
    for number, account in enumerate(accounts.values() if has_budget else ()):
        account.worst([], GenerateConfig(max_tokens=max_tokens if number else own))
    return accounts


@asynccontextmanager
async def paying(
    account: Account | None,
    messages: Sequence[ChatMessage],
    config: GenerateConfig,
    tools: Sequence[ToolInfo] = (),
) -> AsyncIterator[Bill]:
    """As the account's; without one, nothing is known of prices and nothing is paid."""
    if account is None:
        yield Bill()
        return
    async with account.paying(messages, config, tools) as bill:
        yield bill


def may_be_charged(error: BaseException) -> bool:
    """Whether a call that ended so may stand on the provider's bill: it was cut while it ran.

    Each provider's library has classes of its own for timeouts and broken connections; their names
    agree. What never got through to the provider isn't charged for.
    """
    if not isinstance(error, Exception):
        return True
    chain: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and at not in chain:
        chain.append(at)
        at = at.__cause__ or at.__context__
    names = [type(one).__name__.lower() for one in chain]
    if any(word in name for name in names for word in _NEVER_SENT):
        return False
    return any(word in names[0] for word in _CUT_OFF)


def reply_limit(model: Model, config: GenerateConfig) -> int | None:
    """The most tokens of a reply, thinking included; None where nothing limits it.

    The limit that goes out with a call is that of thinking and answer together, at every provider
    (`runner.calls.thinking` raises it by what an arm may think); without one, the provider's own.
    """
    return config.max_tokens or model.api.max_tokens_for_config(config) or model.api.max_tokens()


def cost_of(price: Price, usage: ModelUsage, cache_ttl: str | None = None) -> float:
    """Money for a call's usage. The runner's formula, and thinking at a price of its own."""
    rates = ModelCost(
        input=price.input,
        output=price.output,
        input_cache_write=price.cache_write,
        input_cache_read=price.cached_input,
    )
    thinking = (usage.reasoning_tokens or 0) * (price.reasoning - price.output) / MILLION
    return compute_model_cost(rates, usage, cache_ttl) + thinking


def _most_tokens(message: ChatMessage) -> int:
    if isinstance(message.content, str):
        return MARKUP_TOKENS + len(message.content.encode()) + _of_calls(message)
    return (
        MARKUP_TOKENS
        + _of_calls(message)
        + sum(
            PICTURE_TOKENS
            if isinstance(part, ContentImage)
            else len(part.text.encode())
            if isinstance(part, ContentText)
            else len(part.model_dump_json())
            for part in message.content
        )
    )


def _of_calls(message: ChatMessage) -> int:
    """A conversation with tools is sent again with all calls that were made in it."""
    calls = message.tool_calls if isinstance(message, ChatMessageAssistant) else None
    said = [
        json.dumps([call.id, call.function, call.arguments], default=str) for call in calls or ()
    ]
    return sum(MARKUP_TOKENS + len(one) for one in said)
