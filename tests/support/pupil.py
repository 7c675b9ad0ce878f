"""A provider that learns vehicles by heart from the conversation it is shown, and counts its calls.

What it is told, it reads: each plate, and the feedback that the next message begins with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    modelapi,
)

_PLATE = re.compile(r"License plate: (\S+)")
_TOLD = re.compile(r"The right class is ([AB])\.")


def learned(messages: Sequence[ChatMessage]) -> str:
    """The class that the last message's vehicle was said to have; A where nothing was said."""
    known: dict[str, str] = {}
    plate, answer = "", ""
    for message in messages:
        if isinstance(message, ChatMessageAssistant):
            # What is kept of an explanation is no answer.
            answer = message.text if message.text in ("A", "B") else answer
            continue
        told = _TOLD.search(message.text)
        if plate and (told or message.text.startswith("Correct.")):
            known[plate] = told[1] if told else answer
        found = _PLATE.search(message.text)
        plate = found[1] if found else plate
    return known.get(plate, "A")


@dataclass
class Pupil:
    """`says` makes the reply of the messages and of the number of the call, from 1."""

    requests: list[list[ChatMessage]] = field(default_factory=list)
    configs: list[GenerateConfig] = field(default_factory=list)
    says: Callable[[Sequence[ChatMessage], int], str | BaseException] = lambda asked, _: learned(
        asked
    )
    stop_reason: StopReason = "stop"

    def reset(self) -> None:
        self.__init__()  # type: ignore[misc]  # back to the defaults of its fields


PUPIL = Pupil()


@modelapi(name="pupil")
class PupilAPI(ModelAPI):
    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        PUPIL.requests.append(list(input))
        PUPIL.configs.append(config)
        said = PUPIL.says(input, len(PUPIL.requests))
        if isinstance(said, BaseException):
            raise said
        output = ModelOutput.from_content(self.model_name, said, stop_reason=PUPIL.stop_reason)
        output.usage = ModelUsage(input_tokens=10, output_tokens=3, total_tokens=13)
        return output

    def max_connections(self) -> int:
        return 1
