"""A provider for runs on several machines, which says by its arguments where it notes its calls.

`calls` is a file in which each call leaves a line: its node and the digest of its words.
`seconds` is how long it takes. The same words are answered alike everywhere.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
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

from steady import answer_to, words_of


def note(path: Path, words: str) -> None:
    digest = hashlib.sha256(words.encode()).hexdigest()[:12]
    with path.open("a") as file:
        file.write(f"{_node()} {digest}\n")


def _node() -> str:
    """The address of Ray's node, else this process."""
    if "ray" not in sys.modules:
        return str(os.getpid())
    from ray.util import get_node_ip_address

    return str(get_node_ip_address())  # type: ignore[no-untyped-call]  # Ray says no types here


@modelapi(name="distant")
class DistantAPI(ModelAPI):
    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 (the runner's own default)
        calls: str = "",
        seconds: float = 0.0,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self._calls, self._seconds = calls, seconds

    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        words = words_of(input)
        if self._calls:
            note(Path(self._calls), words)
        await asyncio.sleep(self._seconds)
        output = ModelOutput.from_content(self.model_name, answer_to(words, config))
        size = len(words) // 4
        output.usage = ModelUsage(input_tokens=size, output_tokens=4, total_tokens=size + 4)
        return output

    def max_connections(self) -> int:
        return 2
