"""Calls to a model: each at a named place of the run, and through the journal if there is one."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput

from misstep.core.family import Family
from misstep.core.items import Item
from misstep.runner.journal import Journal, Question

# What the provider's generate takes and gives is the runner's affair.
Generate = Callable[..., Awaitable[Any]]  # Any: an output, or a pair of output and call record
_UNASKED = ("max_retries", "timeout", "max_connections", "adaptive_connections", "cache", "batch")


@dataclass(frozen=True)
class Place:
    """Where in a run a call stands: `turn` of a conversation, `call` within the turn."""

    family: Family[Any]  # Any: the runner serves families of every payload
    item: Item[Any]  # Any: likewise
    arm: str
    repetition: int
    turn: int = 0
    call: int = 0


_place: ContextVar[Place] = ContextVar("misstep_place")


def current_place() -> Place | None:
    """The place of the call under way, for providers that answer items rather than words."""
    return _place.get(None)


@contextmanager
def at(place: Place) -> Iterator[None]:
    token = _place.set(place)
    try:
        yield
    finally:
        _place.reset(token)


def seconds_of(output: ModelOutput) -> float | None:
    """How long the provider took when it was really asked, whether or not that was in this run."""
    seconds = (output.metadata or {}).get("seconds")
    return float(seconds) if seconds is not None else None


def attach(journal: Journal, model: Model) -> None:
    """Send the calls of this one model object through the journal.

    The provider's own method is wrapped, beneath the runner's retries and above the network, so
    that a reply is on disk before the runner sees it.
    """
    ask = _with_journal(journal, str(model), model.api.generate)
    setattr(model.api, "generate", ask)  # noqa: B010 (a method may not be assigned to by name)


def _with_journal(journal: Journal, model: str, generate: Generate) -> Generate:
    async def ask(
        input: list[ChatMessage],  # noqa: A002 (the provider's own name)
        tools: Any,  # Any: passed on as it came
        tool_choice: Any,  # Any: passed on as it came
        config: GenerateConfig,
    ) -> Any:  # Any: see Generate
        question = _question(model, input, config)
        known = journal.find(question)
        if known is not None:
            return ModelOutput.model_validate_json(known)
        journal.begin(question)
        began = time.monotonic()
        answer = await generate(input=input, tools=tools, tool_choice=tool_choice, config=config)
        output = answer[0] if isinstance(answer, tuple) else answer
        if isinstance(output, ModelOutput):
            taken = round(time.monotonic() - began, 4)
            output.metadata = {**(output.metadata or {}), "seconds": taken}
            journal.put(question, output.model_dump_json(exclude_none=True))
        return answer

    return ask


def _question(model: str, messages: list[ChatMessage], config: GenerateConfig) -> Question:
    place = _place.get()
    settings = config.model_dump(exclude_none=True, exclude=set(_UNASKED))
    words = [[message.role, _words(message)] for message in messages]
    return Question(
        model=model,
        settings=_digest(settings),
        prompt=_digest(words),
        item=place.item.id,
        arm=place.arm,
        repetition=place.repetition,
        turn=place.turn,
        call=place.call,
    )


def _words(message: ChatMessage) -> object:
    if isinstance(message.content, str):
        return message.content
    return [part.model_dump(exclude_none=True) for part in message.content]


def _digest(plain: object) -> str:
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
