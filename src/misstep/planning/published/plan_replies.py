"""Replies that propose a plan, graded again on the problem that their prompt asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from misstep.planning.errors import PlanningError
from misstep.planning.model import Step
from misstep.planning.planners import Outcome, search_problem
from misstep.planning.published.asked import Asked, asked_problem, fewest_steps
from misstep.planning.published.differences import difference
from misstep.planning.published.extractions import stored_steps
from misstep.planning.published.graded import Graded
from misstep.planning.published.reports import Disagreement
from misstep.planning.published.results import OPTIMALITY, ResultFile, StoredResult, target_of
from misstep.planning.published.targets import graded_elsewhere
from misstep.planning.reading import PlanReading, read_with
from misstep.planning.validation import Validation, validate

_MAX_STATES = 20_000


@dataclass(frozen=True, slots=True)
class _Judgement:
    """`told` says it in words."""

    is_correct: bool
    verdict: str
    told: str
    failed_step: int | None = None


def grade_plan(file: ResultFile, result: StoredResult, reply: str, stored: bool) -> Graded:
    """Raises PlanningError that says why there is nothing to grade."""
    asked = asked_problem(file, result)
    reading = read_with(reply, asked.lexicon, result.query)
    ours = (
        _without_plan(reading, asked)
        if reading.plan is None
        else _with_plan(reading.plan, asked, result, is_optimum=file.number == OPTIMALITY)
    )
    agrees = ours.is_correct == stored
    differing = () if agrees else (_disagreement(file, result, asked, reading.plan, ours, stored),)
    return Graded(result.instance, ours.is_correct, stored, differing, asked.reference_fails)


def _without_plan(reading: PlanReading, asked: Asked) -> _Judgement:
    verdict = reading.value or reading.outcome
    if reading.value == "no_plan" and _has_no_plan(asked):
        return _Judgement(True, verdict, "the reply says that no plan exists, and none does")
    return _Judgement(False, verdict, f"the reply is read as {verdict}")


def _with_plan(
    plan: Sequence[Step], asked: Asked, result: StoredResult, *, is_optimum: bool
) -> _Judgement:
    found = validate(asked.problem, plan)
    verdict = found.verdict.value
    if not found.is_valid:
        return _Judgement(False, verdict, _failure(found), found.failed_step)
    limit = fewest_steps(asked, result) if is_optimum else len(plan)
    if len(plan) > limit:
        told = f"the plan is valid but has {len(plan)} steps where {limit} are enough"
        return _Judgement(False, verdict, told)
    return _Judgement(True, verdict, "the plan is valid")


def _has_no_plan(asked: Asked) -> bool:
    """Raises PlanningError where neither the reference plan nor a search settles it."""
    if asked.optimum is not None:
        return False
    outcome = search_problem(asked.problem, max_states=_MAX_STATES).outcome
    if outcome not in (Outcome.SOLVED, Outcome.UNSOLVABLE):
        raise PlanningError("the reply says that no plan exists, which isn't proven either way")
    return outcome is Outcome.UNSOLVABLE


def _failure(found: Validation) -> str:
    where = "" if found.failed_step is None else f"step {found.failed_step + 1}: "
    return f"{where}{found.verdict.value} ({found.reason})"


def _disagreement(
    file: ResultFile,
    result: StoredResult,
    asked: Asked,
    plan: tuple[Step, ...] | None,
    ours: _Judgement,
    is_stored_correct: bool,
) -> Disagreement:
    stored = stored_steps(result.stored_plan, asked.lexicon)
    elsewhere = graded_elsewhere(asked, target_of(file, result), stored, is_stored_correct)
    return Disagreement(
        instance=result.instance,
        is_correct=ours.is_correct,
        stored_correct=is_stored_correct,
        our_verdict=ours.verdict,
        failed_step=ours.failed_step,
        our_plan=plan,
        stored_plan=stored,
        reason=difference(asked.problem, plan, stored, ours.told, elsewhere),
    )
