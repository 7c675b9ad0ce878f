"""Grades published replies again: each file's accuracy beside the stored one, and what differs.

Nothing is passed over in silence: what can't be graded is in the report with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from misstep.planning.errors import PlanningError
from misstep.planning.model import Step
from misstep.planning.planners import Outcome, search_problem
from misstep.planning.published.asked import Asked, asked_problem, fewest_steps, stored_steps
from misstep.planning.published.differences import difference
from misstep.planning.published.reports import Disagreement, FileReport, NotGraded
from misstep.planning.published.results import (
    GRADED_BY_PLAN,
    NOT_BY_PLAN,
    OPTIMALITY,
    ResultFile,
    StoredResult,
    find_results,
    read_results,
)
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


@dataclass(frozen=True, slots=True)
class _Graded:
    instance: str
    asked: Asked
    plan: tuple[Step, ...] | None
    stored: tuple[Step, ...]
    stored_correct: bool
    ours: _Judgement

    @property
    def agrees(self) -> bool:
        return self.ours.is_correct == self.stored_correct


def regrade_published(path: Path | str) -> Iterator[FileReport]:
    """A report for every results/**/task_*.json under `path`, in the order of their names.

    Raises PlanningError where there is no such file.
    """
    place = Path(path).resolve()
    for file in find_results(place):
        yield _report(file, place)


def _report(file: ResultFile, place: Path) -> FileReport:
    name = file.path.name if file.path == place else file.path.relative_to(place).as_posix()
    empty = FileReport(name, file.domain, file.engine, file.task)
    try:
        results = read_results(file.path)
    except PlanningError as error:
        return replace(empty, refused=str(error))
    if file.number in GRADED_BY_PLAN:
        return _compared(empty, file, results)
    reason = NOT_BY_PLAN.get(file.number, "unknown kind of task")
    not_graded = tuple(NotGraded(result.instance, reason) for result in results)
    return replace(empty, not_graded=not_graded, refused=reason)


def _compared(empty: FileReport, file: ResultFile, results: Sequence[StoredResult]) -> FileReport:
    graded: list[_Graded] = []
    not_graded = []
    for result in results:
        try:
            graded.append(_grade(file, result))
        except PlanningError as error:
            not_graded.append(NotGraded(result.instance, str(error)))
    return replace(
        empty,
        graded=len(graded),
        correct=sum(one.ours.is_correct for one in graded),
        stored_correct=sum(one.stored_correct for one in graded),
        disagreements=tuple(_disagreement(one) for one in graded if not one.agrees),
        not_graded=tuple(not_graded),
        reference_fails=tuple(one.instance for one in graded if one.asked.reference_fails),
    )


def _grade(file: ResultFile, result: StoredResult) -> _Graded:
    """Raises PlanningError that says why there is nothing to grade, or nothing to compare with."""
    if result.reply is None:
        raise PlanningError("no reply is stored")
    if result.is_correct is None:
        raise PlanningError("no verdict is stored")
    asked = asked_problem(file, result)
    reading = read_with(result.reply, asked.lexicon, result.query)
    return _Graded(
        instance=result.instance,
        asked=asked,
        plan=reading.plan,
        stored=stored_steps(result.stored_plan, asked.lexicon),
        stored_correct=result.is_correct,
        ours=_without_plan(reading, asked)
        if reading.plan is None
        else _with_plan(reading.plan, asked, result, is_optimum=file.number == OPTIMALITY),
    )


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


def _disagreement(one: _Graded) -> Disagreement:
    return Disagreement(
        instance=one.instance,
        is_correct=one.ours.is_correct,
        stored_correct=one.stored_correct,
        our_verdict=one.ours.verdict,
        failed_step=one.ours.failed_step,
        our_plan=one.plan,
        stored_plan=one.stored,
        reason=difference(one.asked.problem, one.plan, one.stored, one.ours.told),
    )
