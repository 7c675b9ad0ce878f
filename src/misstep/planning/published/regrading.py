"""Grades published replies again: each file's accuracy beside the stored one, and what differs.

Nothing is passed over in silence: what can't be graded is in the report with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from misstep.planning.errors import PlanningError
from misstep.planning.published.graded import Graded, further_scores
from misstep.planning.published.plan_replies import grade_plan
from misstep.planning.published.reports import FileReport, NotGraded
from misstep.planning.published.results import (
    EXECUTION,
    GRADED,
    UNKNOWN,
    VERIFICATION,
    ResultFile,
    StoredResult,
    find_results,
    read_results,
)
from misstep.planning.published.state_replies import grade_state
from misstep.planning.published.verdict_replies import grade_verdict


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
    if file.number in GRADED:
        return _compared(empty, file, results)
    not_graded = tuple(NotGraded(result.instance, UNKNOWN) for result in results)
    return replace(empty, not_graded=not_graded, refused=UNKNOWN)


def _compared(empty: FileReport, file: ResultFile, results: Sequence[StoredResult]) -> FileReport:
    graded: list[Graded] = []
    not_graded = []
    for result in results:
        try:
            graded.append(_grade(file, result))
        except PlanningError as error:
            not_graded.append(NotGraded(result.instance, str(error)))
    return replace(
        empty,
        graded=len(graded),
        correct=sum(one.is_correct for one in graded),
        stored_correct=sum(one.stored_correct for one in graded),
        disagreements=tuple(found for one in graded for found in one.disagreements),
        not_graded=tuple(not_graded),
        reference_fails=tuple(one.instance for one in graded if one.reference_fails),
        scores=tuple(further_scores(graded)),
    )


def _grade(file: ResultFile, result: StoredResult) -> Graded:
    """Raises PlanningError that says why there is nothing to grade, or nothing to compare with."""
    if result.reply is None:
        raise PlanningError("no reply is stored")
    if result.is_correct is None:
        raise PlanningError("no verdict is stored")
    graders = {VERIFICATION: grade_verdict, EXECUTION: grade_state}
    grade = graders.get(file.number, grade_plan)
    return grade(file, result, result.reply, result.is_correct)
