"""A provider for runs in several processes: the same words are answered alike in every one.

`STEADY_SECONDS` is how long it takes; in the file `STEADY_CALLS`, if named, each call leaves a line
with the process and the words' digest. `STEADY_FAILS_AT`: that call of a process is refused;
`STEADY_SPENT_AT`: that one and all that follow. With `STEADY_TAIL` replies are as long as their
words say, up to the limit, most of them short. A call's line has its tokens too, read and written.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import sys
from itertools import count
from pathlib import Path
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)

_CALLS = count(1)


def words_of(messages: list[ChatMessage]) -> str:
    return "\n".join(message.text for message in messages)


def answer_to(words: str, config: GenerateConfig) -> str:
    """Yes or No, or nothing that can be read, by the words and the seed alone."""
    place = hashlib.sha256(f"{words} {config.seed}".encode()).digest()[0] % 10
    return "Perhaps." if place == 0 else f"My answer is {'Yes' if place < 6 else 'No'}"


def _note(words: str, read: int, written: int) -> None:
    if "STEADY_CALLS" in os.environ:
        digest = hashlib.sha256(words.encode()).hexdigest()[:12]
        with Path(os.environ["STEADY_CALLS"]).open("a") as file:
            file.write(f"{os.getpid()} {digest} {read} {written}\n")


def _length(words: str, config: GenerateConfig) -> int:
    """Tokens of the reply."""
    if "STEADY_TAIL" not in os.environ:
        return 4
    return min(config.max_tokens or 4, round(4 * random.Random(words).paretovariate(0.6)))


@modelapi(name="steady")
class SteadyAPI(ModelAPI):
    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        words = words_of(input)
        size, written = len(words) // 4, _length(words, config)
        _note(words, size, written)
        await asyncio.sleep(float(os.environ.get("STEADY_SECONDS", "0")))
        number = next(_CALLS)
        if str(number) == os.environ.get("STEADY_FAILS_AT"):
            raise RuntimeError("too long a question")
        if number >= int(os.environ.get("STEADY_SPENT_AT", sys.maxsize)):
            raise RuntimeError("the key is spent")
        output = ModelOutput.from_content(self.model_name, answer_to(words, config))
        output.usage = ModelUsage(
            input_tokens=size, output_tokens=written, total_tokens=size + written
        )
        return output

    def max_connections(self) -> int:
        return 2
