"""The arm around a task's own solver: whatever it asks, and however often, it asks in the arm.

While a sample is under way, every call of the model goes through here: the arm's settings are laid
over those of the call, the arm's words (if it has any) are put to the question, and the call gets
its place in the run's journal. The solver itself stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
)
from inspect_ai.util import LimitExceededError

from misstep.core.arms import NO_THINKING, Arm, Wording
from misstep.core.errors import BadInput
from misstep.core.seeds import stream
from misstep.core.templates import fields, filled
from misstep.runner.calls import thinking
from misstep.runner.calls.asking import Place, at, prompt_digest

SOLVING, SCORING = 0, 1
"""Turns of the journal: what the solver asks, and what the task's scorer does."""

MOST_CALLS = 1_000
"""Of one sample: what bounds a solver that asks for ever, and whose conversation does not grow."""

INSTRUCTIONS = {
    "direct": "Please ONLY answer with your final answer.",
    "cot": "Please reason about your answer before answering.",
}
"""After the wordings of Mind Your Step (A.2), for tasks of every kind."""


_PLACE = "\x00"  # stands for the question in a template, and in no text


class TooManyCalls(LimitExceededError):
    """A solver has asked `MOST_CALLS` times for one sample."""

    def __init__(self) -> None:
        super().__init__("custom", value=MOST_CALLS, limit=MOST_CALLS)


@dataclass
class Underway:
    """A sample that is being asked. It collects what its calls came to.

    `failure` is what the provider failed with: no fault of a scorer that asks it.
    """

    arm: Arm
    place: Place
    seed: int
    is_scoring: bool = False
    times: dict[str, int] = field(default_factory=dict)
    outputs: list[ModelOutput] = field(default_factory=list)
    asked: GenerateConfig | None = None
    question: int | None = None
    failure: BaseException | None = None


_underway: ContextVar[Underway | None] = ContextVar("misstep_underway", default=None)


@contextmanager
def underway(sample: Underway) -> Iterator[Underway]:
    token = _underway.set(sample)
    try:
        yield sample
    finally:
        _underway.reset(token)


def current() -> Underway | None:
    """The sample under way, where there is one."""
    return _underway.get()


def put_around(model: Model) -> None:
    """Lay the arm of the sample under way over every call of this model object, from now on."""
    own = model.generate

    async def generate(
        input: str | list[ChatMessage],  # noqa: A002 (the runner's own name)
        tools: Any = (),  # Any: passed on as it came
        tool_choice: Any = None,  # Any: passed on as it came
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 (as the runner has it; never changed)
        **further: Any,  # Any: passed on as it came
    ) -> ModelOutput:
        sample = _underway.get()
        if sample is None:
            return await own(input, tools, tool_choice, config, **further)
        messages: list[ChatMessage] = []
        messages += [ChatMessageUser(content=input)] if isinstance(input, str) else input
        if not sample.is_scoring:
            if len(sample.outputs) >= MOST_CALLS:
                raise TooManyCalls
            messages = _worded(sample, messages)
            config = _laid_over(model, sample, config)
        place, config = _placed(sample, messages, config)
        try:
            with at(place):
                output = await own(messages, tools, tool_choice, config, **further)
        except BaseException as error:
            sample.failure = error
            raise
        if not sample.is_scoring:
            sample.outputs.append(output)
        return output

    setattr(model, "generate", generate)  # noqa: B010 (a method may not be assigned to by name)


def _placed(
    sample: Underway, messages: Sequence[ChatMessage], config: GenerateConfig
) -> tuple[Place, GenerateConfig]:
    """Where the call stands: the how-maniest of the sample that says exactly this.

    So a run that is gone on with finds its replies again, in whatever order a solver that does
    several things at a time comes to ask. Repetitions have a seed of their own, the same in each
    arm.
    """
    turn = SCORING if sample.is_scoring else SOLVING
    asked = f"{turn}:{prompt_digest(messages)}"
    number = sample.times[asked] = sample.times.get(asked, -1) + 1
    place = replace(sample.place, turn=turn, call=number)
    if place.repetition > 1 and config.seed is None:
        item = place.item
        path = ("own call", item.id, place.repetition, turn, number)
        drawn = stream(item.family, item.version, sample.seed, *path).below(2**31)
        config = config.merge(GenerateConfig(seed=drawn))
    return place, config


def _laid_over(model: Model, sample: Underway, config: GenerateConfig) -> GenerateConfig:
    """The call's settings with the arm's over them: nothing but what the arm says, and forces."""
    arm = sample.arm
    own = thinking.settings(model, arm)
    if arm.max_tokens is None and config.max_tokens is not None:
        is_raised = arm.thinking not in (None, NO_THINKING)
        room = thinking.room(arm.thinking) if is_raised else 0
        own.max_tokens = config.max_tokens + room
    laid = config.merge(own)
    if sample.asked is None:
        sample.asked = _before_thinking(model, arm, config)
    return laid


def _before_thinking(model: Model, arm: Arm, config: GenerateConfig) -> GenerateConfig:
    """What the arm asks for before thinking forces another temperature or limit."""
    asked = thinking.asked(model, arm, GenerateConfig(max_tokens=arm.max_tokens))
    if arm.temperature is None and config.temperature is not None:
        asked.temperature = config.temperature
    if arm.max_tokens is None and config.max_tokens is not None:
        asked.max_tokens = config.max_tokens
    return asked


def _worded(sample: Underway, messages: list[ChatMessage]) -> list[ChatMessage]:
    """The messages with the arm's words at the question: the user's last message of the first
    call, which stays the question however long the conversation becomes."""
    wording = _wording(sample.arm)
    if wording is None:
        return messages
    users = [place for place, one in enumerate(messages) if isinstance(one, ChatMessageUser)]
    if not users:
        return messages
    if sample.question is None:
        sample.question = users[-1]
    place = sample.question if sample.question in users else users[-1]
    question = messages[place]
    said = question.model_copy(update={"content": _around(question.content, wording)})
    system = [ChatMessageSystem(content=wording.system)] if wording.system else []
    return [*system, *messages[:place], said, *messages[place + 1 :]]


def _wording(arm: Arm) -> Wording | None:
    """The words of an arm: those of its prompt, the user's own in their place or around them."""
    own = arm.wording or Wording()
    usual = INSTRUCTIONS.get(arm.prompt)
    whole = replace(own, instruction=own.instruction or usual)
    return None if whole == Wording() else whole


def check_template(arm: Arm) -> None:
    """BadInput where a template of the user's has no place for the task's own question."""
    own = arm.wording.template if arm.wording else None
    if own is None:
        return
    where = f"--arms-file: arm {arm.name!r}: template:"
    known = ("question", "instruction", "prompt")
    strange = [name for name in fields(own) if name not in known]
    if strange:
        listed = ", ".join(f"{{{name}}}" for name in known)
        raise BadInput(f"{where} a task has no field {{{strange[0]}}}; known: {listed}")
    if "instruction" in fields(own) and arm.prompt not in INSTRUCTIONS:
        raise BadInput(f'{where} {arm.prompt} has no {{instruction}}; say base = "direct" or cot')
    if len(_halves(own, "")) != 2:
        raise BadInput(f"{where} should name the question once, as {{question}} or {{prompt}}")


def _halves(template: str, instruction: str) -> list[str]:
    """What stands before and after the question."""
    prompt = f"{_PLACE}\n{instruction}" if instruction else _PLACE
    values = {"question": _PLACE, "prompt": prompt, "instruction": instruction}
    return filled(template, values).split(_PLACE)


def _around(content: str | list[Content], wording: Wording) -> str | list[Content]:
    before = [wording.before] if wording.before else []
    after = [one for one in (wording.instruction, wording.after) if one]
    between = "\n"
    if wording.template is not None:
        start, end = _halves(wording.template, wording.instruction or "")
        before, after, between = [start] if start else [], [end] if end else [], ""
    if isinstance(content, str):
        return between.join([*before, content, *after])
    first: list[Content] = [ContentText(text=one) for one in before]
    last: list[Content] = [ContentText(text=one) for one in after]
    return [*first, *content, *last]
