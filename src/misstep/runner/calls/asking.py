"""Calls to a model: each at a named place of the run, and through the journal if there is one."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Model,
    ModelOutput,
)
from inspect_ai.tool import ToolInfo

from misstep.core.family import Family
from misstep.core.hiding import Secrets, hidden_from_logs, secrets_in
from misstep.core.items import Item
from misstep.runner.calls.effect import effect
from misstep.runner.calls.marks import marked
from misstep.runner.calls.patience import Patience, patient
from misstep.runner.journal import Journal, Question
from misstep.runner.logged.letters import writable
from misstep.runner.paying.till import BATCH, Account, paying
from misstep.runner.pictures import Drawn

# What the provider's generate takes and gives is the runner's affair.
Generate = Callable[..., Awaitable[Any]]  # Any: an output, or a pair of output and call record
_UNASKED = (
    "max_retries",
    "timeout",
    "attempt_timeout",
    "max_connections",
    "adaptive_connections",
    "cache",
    "batch",
)


@dataclass(frozen=True)
class Place:
    """Where in a run a call stands: `turn` of a conversation, `call` within the turn.

    `pictures` are those of the item, as they are sent. `is_single`: the prompt is sent once, and
    nothing goes on from it.
    """

    family: Family[Any]  # Any: the runner serves families of every payload
    item: Item[Any]  # Any: likewise
    arm: str
    repetition: int
    turn: int = 0
    call: int = 0
    pictures: tuple[Drawn, ...] = ()
    is_single: bool = False


_place: ContextVar[Place] = ContextVar("misstep_place")


def current_place() -> Place | None:
    """The place of the call under way, for providers that answer items rather than words."""
    return _place.get(None)


def pictures_asked() -> tuple[Drawn, ...]:
    """Those of the question whose call is under way."""
    place = current_place()
    return () if place is None else place.pictures


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


@contextmanager
def attached(
    journal: Journal,
    *models: Model,
    accounts: Mapping[str, Account] | None = None,
    patience: Patience | None = None,
) -> Iterator[None]:
    """Send the calls of these model objects through the journal, for as long as it is open.

    The provider's own method is wrapped, beneath the runner's retries and above the network, so
    that a reply is on disk before the runner sees it. Models with an account are paid for; not
    again for a reply that the journal knows. The secrets of the environment are taken out of
    replies, errors and lines of logs here, before anything is kept. How often a call that fails is
    tried again is the `patience` of the run.
    """
    secrets = secrets_in(os.environ)
    own = [model.api.generate for model in models]
    waiting = patience or Patience()
    for model, generate in zip(models, own, strict=True):
        account = (accounts or {}).get(str(model))
        through = _Through(journal, model, account, secrets, waiting)
        _set_generate(model, _with_journal(through, generate))
    try:
        with hidden_from_logs(secrets), patient(models):
            yield
    finally:
        for model, generate in zip(models, own, strict=True):
            _set_generate(model, generate)


def _set_generate(model: Model, generate: Generate) -> None:
    setattr(model.api, "generate", generate)  # noqa: B010 (a method may not be assigned to by name)


@dataclass(frozen=True)
class _Through:
    """What the calls of one model go through."""

    journal: Journal
    model: Model
    account: Account | None
    secrets: Secrets
    patience: Patience


def _with_journal(through: _Through, generate: Generate) -> Generate:
    journal, account = through.journal, through.account

    async def ask(
        input: list[ChatMessage],  # noqa: A002 (the provider's own name)
        tools: Any,  # Any: passed on as it came
        tool_choice: Any,  # Any: passed on as it came
        config: GenerateConfig,
    ) -> Any:  # Any: see Generate
        question = _question(str(through.model), input, tools, config)
        known = journal.find(question)
        if known is not None:
            if account is not None:
                account.note(input, config, tools)
            return _priced(ModelOutput.model_validate_json(known), account)

        async def call() -> Any:  # Any: see Generate
            async with paying(account, input, config, tools) as bill:
                journal.begin(question)
                began = time.monotonic()
                with through.secrets:
                    said, settings = _to_send(question.model, input, config)
                    told = await generate(
                        input=said, tools=tools, tool_choice=tool_choice, config=settings
                    )
                answer: Any = writable(told, through.secrets)  # Any: see Generate
                output = answer[0] if isinstance(answer, tuple) else answer
                if not isinstance(output, ModelOutput):
                    bill.cost = 0.0  # refused as a bad request, which nobody charges for
                    raise output
                taken = round(time.monotonic() - began, 4)
                seen = effect(config, answer[1] if isinstance(answer, tuple) else None)
                # A batch's time is that of its queue.
                when = {BATCH: True} if config.batch else {"seconds": taken}
                output.metadata = {**(output.metadata or {}), **when, "effect": seen.plain()}
                bill.cost = account.charge(output) if account else None
                await journal.put(question, output.model_dump_json(exclude_none=True))
            return answer

        return await through.patience.trying(through.model, question.key, config, call)

    return ask


def _to_send(
    model: str, messages: list[ChatMessage], config: GenerateConfig
) -> tuple[list[ChatMessage], GenerateConfig]:
    """With what the provider is to cache, where that is known."""
    return marked(model, messages, config) if _place.get().is_single else (messages, config)


def _priced(output: ModelOutput, account: Account | None) -> ModelOutput:
    """A reply of an earlier process, at today's price."""
    if account is not None:
        account.charge(output)
    return output


def _question(
    model: str, messages: list[ChatMessage], tools: Sequence[ToolInfo], config: GenerateConfig
) -> Question:
    place = _place.get()
    settings = config.model_dump(exclude_none=True, exclude=set(_UNASKED))
    if tools:
        settings["tools"] = [tool.model_dump(exclude_none=True) for tool in tools]
    return Question(
        model=model,
        settings=_digest(settings),
        prompt=prompt_digest(messages),
        item=place.item.id,
        arm=place.arm,
        repetition=place.repetition,
        turn=place.turn,
        call=place.call,
    )


def prompt_digest(messages: Sequence[ChatMessage]) -> str:
    """Names a conversation by its words, pictures and calls of tools; no id is part of it."""
    return _digest([[message.role, *_said(message)] for message in messages])


def _said(message: ChatMessage) -> list[object]:
    calls = message.tool_calls if isinstance(message, ChatMessageAssistant) else None
    if not calls:
        return [_words(message)]
    return [_words(message), [[call.function, call.arguments] for call in calls]]


def _words(message: ChatMessage) -> object:
    if isinstance(message.content, str):
        return message.content
    return [part.model_dump(exclude_none=True) for part in message.content]


def _digest(plain: object) -> str:
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
