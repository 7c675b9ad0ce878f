"""A provider that keeps every request as JSON, and answers as the test tells it to."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolCall, ToolInfo

Json = dict[str, Any]  # Any: JSON values
Answer = Callable[[list[ChatMessage]], ModelOutput]


def said(text: str, stop_reason: Any = "stop") -> ModelOutput:  # Any: the runner's literal
    output = ModelOutput.from_content("x", text, stop_reason)
    output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return output


def called(function: str, **arguments: object) -> ModelOutput:
    """A reply that calls a tool, by an id that is the same every time."""
    call = ToolCall(id=f"call-{function}", function=function, arguments=arguments)
    message = ChatMessageAssistant(content="", tool_calls=[call])
    choice = ChatCompletionChoice(message=message, stop_reason="tool_calls")
    usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return ModelOutput(model="x", choices=[choice], usage=usage)


def results(messages: list[ChatMessage]) -> int:
    """How many tools have given something back."""
    return sum(isinstance(message, ChatMessageTool) for message in messages)


@dataclass
class Recorder:
    requests: list[Json] = field(default_factory=list)
    answer: Answer = field(default_factory=lambda: lambda _messages: said("Answer: 5"))
    fails_at: int | None = None

    def reset(self) -> None:
        self.requests.clear()
        self.answer = lambda _messages: said("Answer: 5")
        self.fails_at = None

    def bodies(self, *left_out: str) -> list[str]:
        """The requests as text, in an order of their own, without the fields left out."""
        plain = ({k: v for k, v in one.items() if k not in left_out} for one in self.requests)
        return sorted(json.dumps(one, sort_keys=True) for one in plain)


RECORDER = Recorder()


@modelapi(name="recorder")
class RecorderAPI(ModelAPI):
    async def generate(
        self,
        input: list[ChatMessage],
        tools: list[ToolInfo],
        tool_choice: Any,  # Any: the runner's literal
        config: GenerateConfig,
    ) -> ModelOutput:
        settings = config.model_dump(exclude_none=True, exclude={"max_connections"})
        RECORDER.requests.append(
            settings
            | {
                "messages": [
                    one.model_dump(exclude_none=True, exclude={"id", "metadata", "source", "model"})
                    for one in input
                ],
                "tools": [tool.model_dump(exclude_none=True) for tool in tools],
                "tool_choice": str(tool_choice),
            }
        )
        if RECORDER.fails_at is not None and len(RECORDER.requests) >= RECORDER.fails_at:
            raise OSError("the line is dead")
        return RECORDER.answer(input)

    def max_connections(self) -> int:
        return 1
