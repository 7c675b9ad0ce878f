"""Providers that think, one honest and four that misbehave, and a server that records requests.

Each gives the raw request and reply beside its output, as the runner's own providers do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    ModelAPI,
    ModelCall,
    ModelOutput,
    ModelUsage,
    modelapi,
)

from answering import Answering, answering

LEVELS = {"none": 0, "low": 300, "medium": 900, "high": 2500}
ANSWER_TOKENS = 3
CALLS: list[GenerateConfig] = []
"""Every call's settings; a test clears it first."""


class Honest(ModelAPI):
    """Thinks as much as it is told, not at all without a word, and says so."""

    def tokens(self, config: GenerateConfig) -> int:
        """Thinking tokens of a call."""
        if config.reasoning_tokens is not None:
            return round(0.9 * config.reasoning_tokens)
        return LEVELS[config.reasoning_effort or "none"]

    def reported(self, tokens: int) -> int | None:
        return tokens

    def temperature(self, config: GenerateConfig) -> float | None:
        """What the reply says that the temperature was."""
        return config.temperature

    def text(self, tokens: int) -> str:
        return "Yes"

    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> tuple[ModelOutput, ModelCall]:
        CALLS.append(config)
        tokens = self.tokens(config)
        output = ModelOutput.from_content(self.model_name, self.text(tokens))
        output.usage = ModelUsage(
            input_tokens=10,
            output_tokens=ANSWER_TOKENS + tokens,
            total_tokens=10 + ANSWER_TOKENS + tokens,
            reasoning_tokens=self.reported(tokens),
        )
        request = {
            "messages": [{"role": one.role, "content": one.text} for one in input],
            **config.model_dump(
                exclude_none=True,
                include={"temperature", "max_tokens", "reasoning_effort", "reasoning_tokens"},
            ),
        }
        reply = {"temperature": self.temperature(config)}
        return output, ModelCall.create(request, reply)

    def max_connections(self) -> int:
        return 2


class IgnoresOff(Honest):
    """Thinks a little even where it is told not to."""

    def tokens(self, config: GenerateConfig) -> int:
        return max(super().tokens(config), 120)


class IgnoresBudget(Honest):
    """Thinks for as long as it likes, however much it may."""

    def tokens(self, config: GenerateConfig) -> int:
        return 3000 if super().tokens(config) else 0


class ForcesTemperature(Honest):
    """Thinks at temperature 1, whatever was asked for."""

    def temperature(self, config: GenerateConfig) -> float | None:
        return 1.0 if self.tokens(config) else config.temperature


class Hides(Honest):
    """Thinks, is paid for it, and reports nothing."""

    def reported(self, tokens: int) -> int | None:
        return None


class Deaf(Honest):
    """Never thinks."""

    def tokens(self, config: GenerateConfig) -> int:
        return 0


class Aloud(Honest):
    """Thinks where it can be read: between tags, the tokens not reported."""

    def reported(self, tokens: int) -> int | None:
        return None

    def text(self, tokens: int) -> str:
        return f"<think>{'so ' * tokens}</think>Yes" if tokens else "Yes"


class Beside(Honest):
    """Thinks even when told not to, in a block beside its text, the tokens not reported."""

    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> tuple[ModelOutput, ModelCall]:
        output, call = await super().generate(input, tools, tool_choice, config)
        content: list[Content] = [ContentReasoning(reasoning="hm " * 40), ContentText(text="Yes")]
        message = ChatMessageAssistant(content=content)
        output.choices = [ChatCompletionChoice(message=message)]
        return output, call

    def reported(self, tokens: int) -> int | None:
        return None


class CutOff(Honest):
    """Thinks whatever it is told, hides it, and answers only where its limit leaves room."""

    def tokens(self, config: GenerateConfig) -> int:
        return min(300, (config.max_tokens or 1_000) - ANSWER_TOKENS)

    def reported(self, tokens: int) -> int | None:
        return None

    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> tuple[ModelOutput, ModelCall]:
        output, call = await super().generate(input, tools, tool_choice, config)
        if self.tokens(config) < 300:
            cut = ModelOutput.from_content(self.model_name, "", stop_reason="max_tokens")
            output.choices, output.completion = cut.choices, ""
        return output, call


PROVIDERS: dict[str, type[Honest]] = {
    "honest": Honest,
    "ignores_off": IgnoresOff,
    "ignores_budget": IgnoresBudget,
    "forces_temperature": ForcesTemperature,
    "hides": Hides,
    "deaf": Deaf,
    "aloud": Aloud,
    "beside": Beside,
    "cut_off": CutOff,
}
for _name, _provider in PROVIDERS.items():
    modelapi(name=_name)(_provider)


@contextmanager
def recording_server() -> Iterator[tuple[str, list[bytes]]]:
    """A server of this machine that speaks like OpenAI's: its address, and the bodies it got."""
    bodies: list[bytes] = []

    class Handler(Answering):
        def do_POST(self) -> None:  # noqa: N802 (the base class's name)
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.say(json.dumps(_completion(json.loads(bodies[-1]))).encode())

    with answering(Handler) as address:
        yield f"{address}/v1", bodies


def _completion(request: dict[str, Any]) -> dict[str, object]:  # Any: JSON values
    tokens = LEVELS[request.get("reasoning_effort", "none")]
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "Yes"},
            }
        ],
        "usage": {
            "prompt_tokens": 10,
            "completion_tokens": ANSWER_TOKENS + tokens,
            "total_tokens": 10 + ANSWER_TOKENS + tokens,
            "completion_tokens_details": {"reasoning_tokens": tokens},
        },
    }
