"""A provider that thinks at a price: heavy-tailed thinking up to the limit, and right more or less
often with thinking than without. The right answer is Yes."""

from __future__ import annotations

import random
from dataclasses import dataclass
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

MODEL = "payer/x"
INPUT, OUTPUT = 2.0, 10.0
"""Its price for a million tokens."""


@dataclass
class Paying:
    """What was charged, by the provider's own reckoning, and how often it is right."""

    charged: float = 0.0
    calls: int = 0
    plain: float = 0.6
    thinking: float = 0.9
    median: float = 300.0
    tail: float = 1.2

    def reset(self, **settings: float) -> None:
        self.__init__(**settings)  # type: ignore[misc]  # all fields as at first


PAYING = Paying()


@modelapi(name="payer")
class PayerAPI(ModelAPI):
    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        PAYING.calls += 1
        words = input[-1].text
        thinks = config.reasoning_effort not in (None, "none")
        dice = random.Random(f"{words} {thinks}")
        limit = config.max_tokens or 1
        thought = round(PAYING.median * dice.paretovariate(PAYING.tail)) if thinks else 0
        written = min(limit, 3 + thought)
        read = len(words)
        PAYING.charged += (read * INPUT + written * OUTPUT) / 1e6
        await anyio.sleep(dice.random() / 1_000)
        is_right = dice.random() < (PAYING.thinking if thinks else PAYING.plain)
        output = ModelOutput.from_content(self.model_name, "Yes" if is_right else "No")
        output.usage = ModelUsage(
            input_tokens=read, output_tokens=written, reasoning_tokens=max(0, written - 3)
        )
        return output

    def max_tokens(self) -> int | None:
        return 8_000
