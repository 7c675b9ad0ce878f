"""What a call's settings came to: read from the request that went out, where the provider shows it.

A provider that thinks may drop a temperature, force another, or leave a setting out. The runner
keeps the raw request and reply of most providers; where it doesn't, the settings as they were
handed over are all that is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from inspect_ai.model import GenerateConfig, ModelCall
from pydantic import JsonValue

_TEMPERATURE = ("temperature",)
_CAPS = (
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "max_new_tokens",
    "maxTokens",
    "maxOutputTokens",
    "n_predict",
)
_THINKING = (
    "reasoning",
    "reasoning_effort",
    "reasoning_tokens",
    "reasoning_config",
    "reasoningConfig",
    "thinking",
    "thinking_config",
    "thinkingConfig",
    "output_config",
    "chat_template_kwargs",
)
_WORDS = ("messages", "input", "contents", "prompt", "system", "instructions", "tools")
_DEEPEST = 4


@dataclass(frozen=True)
class Effect:
    """Temperature and token limit as they took effect; `thinking` is what was sent about it.

    None: nothing was sent, so the provider's own holds; for `thinking`: it isn't known.
    """

    temperature: float | None
    max_tokens: int | None
    thinking: Mapping[str, JsonValue] | None

    def plain(self) -> dict[str, object]:
        thinking = None if self.thinking is None else dict(self.thinking)
        return {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "thinking": thinking,
        }


def effect(config: GenerateConfig, call: object) -> Effect:
    """`call` is what the provider gave beside its output, if anything."""
    if not isinstance(call, ModelCall) or not call.request:
        return Effect(config.temperature, config.max_tokens, None)
    sent = list(_fields(call.request, _DEEPEST))
    said = list(_fields(call.response or {}, 1))
    temperature = _first(said, _TEMPERATURE)
    if temperature is None:
        temperature = _first(sent, _TEMPERATURE)
    cap = _first(sent, _CAPS)
    thinking = {name: value for name, value in sent if name in _THINKING and value is not None}
    return Effect(temperature, None if cap is None else int(cap), thinking)


def _fields(plain: Mapping[str, JsonValue], depth: int) -> Iterator[tuple[str, JsonValue]]:
    """The fields of a request, those of its inner tables after its own; no words of a prompt."""
    own = [(name, value) for name, value in plain.items() if name not in _WORDS]
    yield from own
    if depth > 1:
        for name, value in own:
            if isinstance(value, dict) and name not in _THINKING:
                yield from _fields(value, depth - 1)


def _first(fields: list[tuple[str, JsonValue]], names: tuple[str, ...]) -> float | None:
    for name, value in fields:
        if name in names and isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
    return None
