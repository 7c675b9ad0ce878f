"""Published prompts, to be asked again as they stand: each with the problem that it asks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from misstep.planning.errors import PlanningError
from misstep.planning.model import Problem, Step
from misstep.planning.planners import Outcome
from misstep.planning.planners.problems import shortest_plan
from misstep.planning.published.asked import Asked, asked_problem, fewest_steps
from misstep.planning.published.execution import changing_facts, state_after
from misstep.planning.published.extractions import reference_steps
from misstep.planning.published.reports import NotGraded
from misstep.planning.published.results import (
    EXECUTION,
    GRADED,
    OPTIMALITY,
    UNKNOWN,
    VERIFICATION,
    ResultFile,
    StoredResult,
    published_file,
    read_results,
)
from misstep.planning.published.verification import plan_verdict
from misstep.planning.validation import validate

_MAX_STATES = 20_000


@dataclass(frozen=True, slots=True)
class PublishedPrompt:
    """`query` is the prompt to the byte. `answer` is a plan that solves `problem`: the stored
    reference plan, else one that a search found (`is_shortest`); None where a search proved that
    there is none. `optimum` is set where the task asks for it.

    Where the prompt asks about actions that it shows, those are `shown`, `answer` is None, and
    `truth` is what is right: the verdict, the failing action's number ("" where none fails) and
    what is unmet; or the facts at the end that actions can change.
    """

    instance: str
    query: str
    problem: Problem
    answer: tuple[Step, ...] | None = None
    optimum: int | None = None
    is_shortest: bool = False
    shown: tuple[Step, ...] = ()
    truth: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PublishedPrompts:
    """`task` is the file's name, `number` its task's ("1", "8_2"). `prompts` are in the file's
    order; `skipped` are the other entries, each with its reason."""

    domain: str
    task: str
    number: str
    prompts: tuple[PublishedPrompt, ...]
    skipped: tuple[NotGraded, ...]


def read_prompts(path: Path | str) -> PublishedPrompts:
    """A published file task_*.json under a folder prompts or results.

    Raises PlanningError, in a line with the path, where none of its prompts can be used.
    """
    file = published_file(Path(path))
    if file.number not in GRADED:
        raise PlanningError(f"{path}: {UNKNOWN}")
    try:
        stored = read_results(file.path)
    except PlanningError as error:
        raise PlanningError(f"{path}: {error}") from None
    prompts, skipped = [], []
    for result in stored:
        try:
            prompts.append(_prompt(file, result))
        except PlanningError as error:
            skipped.append(NotGraded(result.instance, str(error)))
    if not prompts:
        why = f"; instance {skipped[0].instance}: {skipped[0].reason}" if skipped else ""
        raise PlanningError(f"{path}: none of its {len(stored)} prompts can be used{why}")
    return PublishedPrompts(file.domain, file.task, file.number, tuple(prompts), tuple(skipped))


def _prompt(file: ResultFile, result: StoredResult) -> PublishedPrompt:
    """Raises PlanningError that says why the prompt can't be asked and graded."""
    if not result.query.strip():
        raise PlanningError("no prompt is stored")
    asked = asked_problem(file, result)
    if file.number == OPTIMALITY:
        return _optimal(asked, result)
    if file.number in (VERIFICATION, EXECUTION):
        truth = _verdict(asked) if file.number == VERIFICATION else _state(asked)
        return PublishedPrompt(
            result.instance, result.query, asked.problem, shown=asked.shown, truth=truth
        )
    if asked.optimum is not None:
        reference = reference_steps(result, asked.lexicon)
        return PublishedPrompt(result.instance, result.query, asked.problem, reference)
    return _searched(asked, result)


def _verdict(asked: Asked) -> tuple[str, ...]:
    found = plan_verdict(asked.problem, asked.shown)
    return (found.kind, "" if found.number is None else str(found.number), *found.facts)


def _state(asked: Asked) -> tuple[str, ...]:
    return changing_facts(asked.problem, state_after(asked.problem, asked.shown))


def _searched(asked: Asked, result: StoredResult) -> PublishedPrompt:
    found = shortest_plan(asked.problem, _MAX_STATES)
    if found.outcome not in (Outcome.SOLVED, Outcome.UNSOLVABLE):
        raise PlanningError("neither a reference plan nor a search says whether a plan exists")
    return PublishedPrompt(
        result.instance,
        result.query,
        asked.problem,
        found.plan,
        is_shortest=found.plan is not None,
    )


def _optimal(asked: Asked, result: StoredResult) -> PublishedPrompt:
    optimum, plan = fewest_steps(asked, result), reference_steps(result, asked.lexicon)
    if validate(asked.problem, plan).cost != optimum:
        raise PlanningError("the domain's costs aren't 1 a step, as the prompt has it")
    return PublishedPrompt(result.instance, result.query, asked.problem, plan, optimum)
