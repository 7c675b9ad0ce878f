"""A provider that charges: heavy-tailed replies up to the limit; some break off."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)

from misstep.core.prices import Price, Prices

MODEL = "spender/x"
PRICE = Price(1.0, 0.25, 1.25, 4.0, 6.0, "USD", "2026-11-30", "this test")
PRICES = Prices({MODEL: PRICE})


@dataclass
class Spending:
    """What the provider charged, its own reckoning in money, and how it behaves."""

    charged: float = 0.0
    calls: int = 0
    dice: random.Random = field(default_factory=lambda: random.Random(0))
    failing_call: int | None = None
    has_usage: bool = True

    def reset(self, seed: int = 0) -> None:
        self.charged, self.calls, self.dice = 0.0, 0, random.Random(seed)
        self.failing_call, self.has_usage = None, True


SPENDING = Spending()


class ReadTimeout(Exception):
    """The reply was charged for and never came."""


@modelapi(name="spender")
class SpenderAPI(ModelAPI):
    def __init__(self, model_name: str, connections: int = 4, **kwargs: Any) -> None:  # Any: passed
        super().__init__(model_name, **kwargs)
        self._connections = connections

    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        SPENDING.calls += 1
        call = SPENDING.calls
        limit = config.max_tokens or 1
        written = min(limit, round(SPENDING.dice.paretovariate(0.6)))
        thought = written // 2
        read = sum(len(message.text) for message in input)
        charge = (read * 1.0 + (written - thought) * 4.0 + thought * 6.0) / 1e6
        SPENDING.charged += charge
        await anyio.sleep(SPENDING.dice.random() / 500)
        if call == SPENDING.failing_call:
            raise ReadTimeout
        output = ModelOutput.from_content(self.model_name, "Yes")
        if SPENDING.has_usage:
            output.usage = ModelUsage(
                input_tokens=read, output_tokens=written, reasoning_tokens=thought
            )
        return output

    def should_retry(self, ex: BaseException) -> bool:
        return isinstance(ex, ReadTimeout)

    def max_connections(self) -> int:
        return self._connections
