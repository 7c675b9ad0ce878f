"""The provider `slow`, for runs to be killed: it notes every call, then answers after a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi

CONNECTIONS = 2


@dataclass
class Slow:
    """What every model of the provider says, where it notes calls, and how long it takes."""

    says: Callable[[list[ChatMessage]], str] = lambda messages: "My answer is Yes"
    counts: Path = Path("calls")
    seconds: float = 0.01

    def note(self) -> None:
        with self.counts.open("a") as file:
            file.write("call\n")


SLOW = Slow()


@modelapi(name="slow")
class SlowAPI(ModelAPI):
    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        SLOW.note()
        await asyncio.sleep(SLOW.seconds)
        return ModelOutput.from_content(self.model_name, SLOW.says(input))

    def max_connections(self) -> int:
        return CONNECTIONS
