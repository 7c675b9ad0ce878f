"""A provider that answers sums, and thinks its way to another answer now and then."""

from __future__ import annotations

import re
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)

_SUM = re.compile(r"(\d+) \+ (\d+)")


def said(first: int, second: int, *, thinks: bool) -> str:
    """Right without thinking but for sums that end in 3; with it but for those of fives or sevens.

    Both are wrong, each in its own way, where the sum is 33.
    """
    total = first + second
    if total == 33:
        return "about 30" if thinks else "34"
    if not thinks:
        return str(total + 1 if total % 10 == 3 else total)
    return f"That makes {total - 1 if total % 5 == 0 or total % 7 == 0 else total}."


class Wavering(ModelAPI):
    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        found = _SUM.search(input[-1].text)
        assert found is not None
        thinks = config.reasoning_effort not in (None, "none")
        text = said(int(found[1]), int(found[2]), thinks=thinks)
        output = ModelOutput.from_content(self.model_name, text)
        tokens = 300 if thinks else 0
        output.usage = ModelUsage(
            input_tokens=10,
            output_tokens=3 + tokens,
            total_tokens=13 + tokens,
            reasoning_tokens=tokens,
        )
        return output


modelapi(name="wavering")(Wavering)
