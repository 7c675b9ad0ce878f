"""An arm's thinking as settings of the runner, and what it forces, set where it can be seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from inspect_ai.model import GenerateConfig, Model

# What holds for the sample under way, the task's and the command's settings together; not among
# the runner's public names.
from inspect_ai.model._generate_config import active_generate_config

from misstep.core.arms import LEVELS, NO_THINKING, Arm, Strategy
from misstep.core.errors import BadInput
from misstep.runner.calls.strategies import SAMPLING_TEMPERATURE
from misstep.runner.calls.switches import OWN_TEMPERATURE, Off, Switch, switch

ROOM: Mapping[str, int] = {NO_THINKING: 0, "low": 4096, "medium": 10_000, "high": 16_000}
"""Tokens that a level may take: the runner's own table, by which it turns levels into budgets."""


def settings(model: Model, arm: Arm) -> GenerateConfig:
    """What the arm's calls are asked with beyond what holds for the whole task.

    Per call, so that arms of one task differ in it. The token limit is raised by what thinking may
    take, and a temperature that thinking forces is stated. BadInput where the model can't be told.
    """
    found = GenerateConfig(temperature=arm.temperature, max_tokens=arm.max_tokens)
    if arm.thinking is None:
        return found
    known = _switch(model)
    _check(str(model), known, arm)
    if arm.thinking in LEVELS and known.converts:
        found.reasoning_tokens = ROOM[arm.thinking]
    elif arm.thinking in LEVELS or arm.thinking == NO_THINKING:
        found.reasoning_effort = cast("Literal['none', 'low', 'medium', 'high']", arm.thinking)
    else:
        found.reasoning_tokens = int(arm.thinking)
    if arm.thinking != NO_THINKING:
        found.max_tokens = _raised(model, arm, found)
        found.temperature = known.temperature if known.temperature is not None else arm.temperature
    return found


def asked(model: Model, arm: Arm, own: GenerateConfig) -> GenerateConfig:
    """Temperature and token limit of the arm before thinking forces any other."""
    task = active_generate_config()
    samples = arm.strategy in (Strategy.VOTE, Strategy.TREE)
    usual = SAMPLING_TEMPERATURE if samples else task.temperature
    return GenerateConfig(
        temperature=usual if arm.temperature is None else arm.temperature,
        max_tokens=own.max_tokens or task.max_tokens or model.api.max_tokens(),
    )


def is_batched() -> bool:
    """Whether the sample under way is asked by a batch interface."""
    return bool(active_generate_config().batch)


def check(model: Model, arm: Arm) -> None:
    """BadInput, in one line, where the model can't be told what the arm says about thinking."""
    if arm.thinking is not None:
        _check(str(model), _switch(model), arm)


def own_temperature(model: Model) -> float | None:
    """What holds where the provider drops the temperature; None where that isn't known."""
    return OWN_TEMPERATURE.get(_provider(model))


def _provider(model: Model) -> str:
    return str(model).split("/")[0]


def _switch(model: Model) -> Switch:
    return switch(_provider(model), model.api)


def _raised(model: Model, arm: Arm, config: GenerateConfig) -> int | None:
    """The token limit with room for thinking; None where the provider itself makes the room."""
    cap = arm.max_tokens or active_generate_config().max_tokens
    if cap is None and model.api.max_tokens_for_config(config) is not None:
        return None
    cap = cap or model.api.max_tokens()
    return None if cap is None else cap + room(arm.thinking)


def room(thinking: str | None) -> int:
    """The most tokens that an arm's thinking is planned to take."""
    if thinking is None:
        return 0
    return ROOM[thinking] if thinking in ROOM else int(thinking)


def _check(model: str, known: Switch, arm: Arm) -> None:
    reason = _refusal(known, arm.thinking or NO_THINKING)
    if reason is not None:
        raise BadInput(f"--arms: {arm.name}: {model} {reason}")


def _refusal(known: Switch, thinking: str) -> str | None:
    if thinking == NO_THINKING:
        return _OFF[known.off]
    levels = " or ".join(f"think:{level}" for level in known.levels)
    if thinking in LEVELS:
        if thinking in known.levels:
            return None
        return f"can't be told so, only {levels}" if levels else _DEAF
    if not known.takes_tokens:
        return f"takes no number of thinking tokens, only {levels}" if levels else _DEAF
    if int(thinking) < known.least:
        return f"takes thinking budgets from {known.least} tokens up"
    return None


_DEAF = "can't be told to think; its arm direct is what there is"
_OFF: Mapping[Off, str | None] = {
    Off.TOLD: None,
    Off.NEEDLESS: None,
    Off.UNTOLD: "can't be told not to think; direct asks it without a word on thinking",
    Off.NEVER: "always thinks; direct asks it without a word on thinking",
}
