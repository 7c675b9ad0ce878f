"""A run of a task of the user's own: everything checked before the first call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from inspect_ai.model import Model

from misstep.core import arms_file
from misstep.core.arms import Arm, Strategy, resolve
from misstep.core.arms_file import Definition
from misstep.core.errors import BadInput
from misstep.core.looks import Watcher
from misstep.core.prices import NO_PRICES, Prices
from misstep.runner import stopping
from misstep.runner.calls import thinking
from misstep.runner.calls.patience import USUAL, Tries
from misstep.runner.manifest import Manifest
from misstep.runner.own.around import check_template, put_around
from misstep.runner.own.cases import ARMS, own_family
from misstep.runner.own.wrapping import OwnTask, Settings, in_all_arms
from misstep.runner.paying.till import Till, open_accounts
from misstep.runner.providers import ModelArgs, open_model
from misstep.runner.run import (
    MOST_REPETITIONS,
    MOST_TOKENS,
    Plan,
    connections_of,
    usual_temperature,
)
from misstep.runner.stopping import Stopping

DEFAULT_ARMS = ("think:none", "think:medium")


@dataclass(frozen=True)
class Asking:
    """How a task is asked. No arms: thinking off against thinking on, or, with an arms file, the
    plain task against the arms of the file. The first arm is the baseline.

    `temperature` None: the task's own, else 0, or with repetitions that of strategies that sample.
    """

    model: str
    model_args: ModelArgs = field(default_factory=dict)
    arms: tuple[str, ...] = ()
    own_arms: tuple[Definition, ...] = ()
    arms_file: str | None = None
    repeat: int = 1
    seed: int = 0
    limit: int | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    judge: str | None = None
    log_dir: Path = Path("logs")
    watcher: Watcher | None = None
    prices: Prices = NO_PRICES
    till: Till | None = None
    tries: Tries = USUAL


def plan(own: OwnTask, asking: Asking) -> Plan:
    """The plan that `runner.run.carry_out` carries out; nothing is written yet."""
    _check(asking)
    family = own_family(own.name, len({case.group for case in own.cases.values()}))
    model = _opened(asking)
    arms = arms_of(asking, model)
    temperature = _temperature(own, asking)
    stated = {one.name: one.plain() for one in asking.own_arms if one.name in _names(arms)}
    task = in_all_arms(
        own, family, Settings(arms, stated, asking.seed, temperature, asking.max_tokens)
    )
    put_around(model)
    what = Manifest(
        family=family.spec.name,
        family_version=family.spec.version,
        model=str(model),
        model_args=asking.model_args,
        seed=asking.seed,
        options={"asks": own.digest},
        temperature=temperature,
        max_tokens=asking.max_tokens,
        scale="quick",
        limit=asking.limit,
        arms=_names(arms),
        repeat=asking.repeat,
        reader=asking.judge,
        arms_file=asking.arms_file,
        own_arms=stated,
        is_sequential=asking.watcher is not None,
        own=own.about,
    )
    models = [model] if own.judging is None else [model, own.judging]
    limit = asking.max_tokens or own.task.config.max_tokens
    limits = [arm.max_tokens for arm in arms]
    accounts = open_accounts(models, asking.prices, asking.till, limit, limits)
    folder = asking.log_dir / what.folder_name
    stopping.check(folder, what, family.spec)
    looks = Stopping(what.arms, asking.watcher) if asking.watcher else None
    if looks is not None:
        stopping.check_compared(what.arms, asking.model_args)
        task = stopping.in_looks(task, what.arms, what.repeat, looks)
    samples = len(own.cases) * len(arms) * asking.repeat
    return Plan(
        what, task, model, own.judging, folder, samples, looks, accounts, arms,
        tries=asking.tries, connections=connections_of(None, model),
    )  # fmt: skip


def open_judge(name: str) -> Model:
    """A model object of its own for judging, even where it is the judged model."""
    return open_model(name, {}, own_family("judge", 1))


def arms_of(asking: Asking, model: Model) -> tuple[Arm, ...]:
    """The arms, each known to be one that the model can be told; the baseline first."""
    mine = tuple(arms_file.arm(one, ARMS) for one in asking.own_arms)
    if mine and not asking.arms:
        chosen: tuple[Arm, ...] = (ARMS[0], *mine)
    else:
        chosen = resolve(asking.arms or DEFAULT_ARMS, ARMS + mine)
    for arm in chosen:
        if arm.strategy is not Strategy.SINGLE:
            raise BadInput(
                f"--arms: {arm.name}: thoughts and votes go around a question, not around a task"
            )
        check_template(arm)
        _check_arm(model, arm, is_usual=not asking.arms and not mine)
    return chosen


def _check_arm(model: Model, arm: Arm, *, is_usual: bool) -> None:
    try:
        thinking.check(model, arm)
    except BadInput as error:
        if not is_usual:
            raise
        said = str(error).removeprefix("--arms: ")
        raise BadInput(f"--arms: {said}; for this model try --arms direct,cot") from None


def _names(arms: tuple[Arm, ...]) -> tuple[str, ...]:
    return tuple(arm.name for arm in arms)


def _opened(asking: Asking) -> Model:
    if asking.model.startswith("ref/"):
        raise BadInput(f"--model: {asking.model}: answers the items of a family, not a task's")
    return open_model(asking.model, asking.model_args, own_family("task", 1))


def _temperature(own: OwnTask, asking: Asking) -> float | None:
    """None where the task has its own."""
    if asking.temperature is not None:
        return asking.temperature
    return None if own.task.config.temperature is not None else usual_temperature(asking.repeat)


def _check(asking: Asking) -> None:
    if not 1 <= asking.repeat <= MOST_REPETITIONS:
        raise BadInput(f"--repeat: {asking.repeat} is not from 1 to {MOST_REPETITIONS}")
    if asking.max_tokens is not None and not 1 <= asking.max_tokens <= MOST_TOKENS:
        raise BadInput(f"--max-tokens: {asking.max_tokens} is not from 1 to {MOST_TOKENS}")
    if asking.temperature is not None and not 0 <= asking.temperature < float("inf"):
        raise BadInput(f"--temperature: {asking.temperature} is no number from 0 up")


def about(source: str, scorer: str, further: Mapping[str, object]) -> dict[str, str]:
    """Where a task came from, as its log and its manifest hold it."""
    rest = {name: str(value) for name, value in further.items() if value not in (None, (), "")}
    return {"task": source, "scorer": scorer, **rest}
