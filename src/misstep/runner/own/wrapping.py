"""A task → one task of all arms: each (item, arm) a sample, solver and scorer the task's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace

from inspect_ai import Task, task_with
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, Model, get_model
from inspect_ai.scorer import Score as RunnerScore
from inspect_ai.scorer import Scorer, Target, accuracy, grouped, scorer
from inspect_ai.solver import Generate, Plan, Solver, TaskState, chain, solver

# The state that solvers have come to, also where one of them broke off.
from inspect_ai.solver._task_state import sample_state
from inspect_ai.util import LimitExceededError

from misstep.core import items as item_text
from misstep.core.arms import Arm
from misstep.core.family import Family
from misstep.core.outcomes import Outcome, Score
from misstep.core.questions import PREFIX
from misstep.runner.calls import thinking
from misstep.runner.calls.asking import Place
from misstep.runner.calls.patience import UNANSWERED, Unanswered
from misstep.runner.logged.rows import Row, in_effect, record_of, score_row, spent
from misstep.runner.manifest import installed
from misstep.runner.own.around import TooManyCalls, Underway, underway
from misstep.runner.own.cases import Case, Judge, Nothing, item_of
from misstep.runner.task import listening, runner_score, tell

MOST_MESSAGES = 100
"""What bounds a conversation whose task has no limit of its own, such as a loop of tool calls."""
OWN, LIMIT, SPENT = "own", "limit", "spent"


@dataclass(frozen=True)
class OwnTask:
    """A task of the user's own, ready to be asked: its samples by item, and how they are judged.

    `samples` and `cases` have the same keys, in the order in which they are asked. `about` says
    where the task came from; `digest` stands for what it asks. `notes` are told before it is asked.
    """

    name: str
    task: Task
    samples: Mapping[str, Sample]
    cases: Mapping[str, Case]
    judge: Judge
    about: Mapping[str, str]
    digest: str
    judging: Model | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settings:
    """What a run adds to the task: arms, a seed, and settings that its own config may not have."""

    arms: tuple[Arm, ...]
    own_arms: Mapping[str, Mapping[str, str | int | float]]
    seed: int
    temperature: float | None
    max_tokens: int | None


def in_all_arms(own: OwnTask, family: Family[Nothing], settings: Settings) -> Task:
    """The one task. Only the task's first scorer counts; its epochs are the run's repetitions."""
    task = copy(own.task)
    task.model = None  # the run's own model is asked, whatever the task would have chosen
    asked = GenerateConfig(temperature=settings.temperature, max_tokens=settings.max_tokens)
    is_bounded = task.message_limit or task.turn_limit or task.token_limit
    return task_with(
        task,
        dataset=MemoryDataset(list(_samples(own, settings)), name=own.name),
        setup=None,
        solver=_solver(own, family, settings),
        scorer=_outcome(own, family, settings),
        metrics=None,
        config=task.config.merge(asked),
        epochs=None,
        fail_on_error=True,
        continue_on_fail=False,
        score_on_error=False,
        early_stopping=None,
        message_limit=task.message_limit if is_bounded else MOST_MESSAGES,
        name=PREFIX + own.name,
        version=family.spec.version,
        metadata={
            **(task.metadata or {}),
            "family": family.spec.name,
            "seed": settings.seed,
            "scale": "quick",
            "options": dict(own.about),
            "arms": [arm.name for arm in settings.arms],
            "variant": own.digest[:6],
            "versions": installed(),
        },
    )


def _samples(own: OwnTask, settings: Settings) -> Iterator[Sample]:
    for arm in settings.arms:
        stated = settings.own_arms.get(arm.name)
        for name, sample in own.samples.items():
            fields = item_text.to_dict(item_of(own.name, own.cases[name]))
            metadata = {**fields, "arm": arm.name, OWN: sample.metadata or {}}
            if stated:
                metadata["own_arm"] = dict(stated)
            yield sample.model_copy(update={"id": f"{name}@{arm.name}", "metadata": metadata})


def _solver(own: OwnTask, family: Family[Nothing], settings: Settings) -> Solver:
    """The task's own solver (after its own setup), in the sample's arm.

    It sees the sample's own metadata, not ours. A limit that it runs into ends the sample, by name.
    """
    arms = {arm.name: arm for arm in settings.arms}
    inner = _inner(own.task)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        fields = state.metadata
        sample = _begun(own, family, arms[fields["arm"]], state, settings.seed)
        limit = unanswered = None
        state.metadata = fields[OWN]
        try:
            with underway(sample):
                state = await inner(state, generate)
        except Unanswered as error:
            unanswered = str(error)
            state = sample_state() or state
        except LimitExceededError as reached:
            kind = "call" if isinstance(reached, TooManyCalls) else reached.type
            limit = f"{kind}_limit"
            state = sample_state() or state
        finally:
            now = sample_state() or state
            ours = fields | {OWN: now.metadata, SPENT: _spent(sample)}
            ours |= {LIMIT: limit} if limit else {}
            now.metadata = state.metadata = ours | ({UNANSWERED: unanswered} if unanswered else {})
        return state

    return solver(name="in_arm")(lambda: solve)()


def _inner(task: Task) -> Solver:
    setup = task.setup
    before = [] if setup is None else list(setup) if isinstance(setup, Sequence) else [setup]
    # Tasks of old have a plan, which is a list of solvers.
    own = list(task.solver.steps) if isinstance(task.solver, Plan) else [task.solver]
    return chain([*before, *own]) if len(before) + len(own) > 1 else own[0]


def _begun(
    own: OwnTask, family: Family[Nothing], arm: Arm, state: TaskState, seed: int
) -> Underway:
    fields = state.metadata
    item = item_of(own.name, own.cases[fields["id"]])
    place = Place(family, item, arm.name, fields.get("repetition", state.epoch))
    return Underway(arm, place, seed)


def _spent(sample: Underway) -> Row:
    """What the solver's calls took, and what of the arm took effect in the first of them."""
    arm = sample.arm
    if not sample.outputs:
        return {"thinking": arm.thinking, "calls": 0}
    own = thinking.own_temperature(get_model())
    first, asked = sample.outputs[0], sample.asked or GenerateConfig()
    return spent(sample.outputs) | in_effect(first, arm.thinking, asked, own)


def _outcome(own: OwnTask, family: Family[Nothing], settings: Settings) -> Scorer:
    """The task's judgement as one of ours, heard and written down as every other record.

    None where the question was given up, or the judge's.
    """
    arms = {arm.name: arm for arm in settings.arms}

    async def score(state: TaskState, target: Target) -> RunnerScore | None:
        fields = state.metadata
        if UNANSWERED in fields:
            return None
        case = own.cases[fields["id"]]
        begun = _begun(own, family, arms[fields["arm"]], state, settings.seed)
        state.metadata = fields[OWN]
        try:
            with underway(replace(begun, is_scoring=True)), listening(None):
                judged = await own.judge(case, state, target)
        except Unanswered:
            return None
        finally:
            state.metadata = fields
        judged = _limited(judged, fields.get(LIMIT))
        row = score_row(judged) | fields.get(SPENT, {})
        tell(record_of(str(state.model), state.epoch, fields, row))
        return runner_score(judged, row)

    metric = grouped(accuracy(), "arm", all="samples")
    return scorer(metrics=[metric], name="outcome")(lambda: score)()


def _limited(judged: Score, limit: str | None) -> Score:
    """A sample that ran into a limit was cut off, unless what there is of it is right."""
    if limit is None or judged.outcome is Outcome.CORRECT:
        return judged
    return Score(Outcome.TRUNCATED, None, judged.answer, limit)
