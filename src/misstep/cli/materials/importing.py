"""Published data, read where the user has it: `misstep import …`."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from misstep.cli.options import JSON, PLACE, print_json
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from misstep.planning.model import Step
    from misstep.planning.published import Disagreement, FileReport, FurtherScore, NotGraded

_SHOWN = 6


@click.group("import")
def import_() -> None:
    """Published data, by the path of your own copy.

    \b
    misstep import planbench ../LLMs-Planning
    """


@import_.command()
@click.argument("path", type=PLACE)
@JSON
def planbench(path: Path, as_json: bool) -> None:
    """Grade PlanBench's published replies again. Our accuracy beside the stored one, file by file.

    PATH is a copy of the original repository, a folder in it, or one result file. Each reply is
    read, and its plan validated, its verdict on a plan or its facts held against a simulation of
    what its prompt asks; each disagreement is told with its reason, and what can't be graded again
    is named.

    \b
    misstep import planbench ../LLMs-Planning
    misstep import planbench ../LLMs-Planning/plan-bench/results/blocksworld --json
    """
    if not path.exists():
        raise BadInput(f"PATH: {path}: no such file or folder")
    reports = _reports(path)
    if as_json:
        print_json({"schema": 1, "files": [_row(report) for report in reports]})
        return
    files = graded = differing = 0
    runnable: Path | None = None
    for report in reports:
        click.echo("\n".join(_told(report)))
        files += 1
        graded += report.graded
        differing += report.differing
        if runnable is None and not report.refused:
            runnable = path if path.is_file() else path / report.file
    click.echo(f"{files} files: {graded} replies graded again, {differing} verdicts differ")
    if runnable is not None:
        click.echo("\n".join(_to_run(runnable)))


def _to_run(file: Path) -> Iterator[str]:
    """How a file's prompts are asked again, and which of them can't be."""
    from misstep.planning import PlanningError
    from misstep.planning.published import read_prompts

    try:
        found = read_prompts(file)
    except PlanningError as error:
        yield f"prompts that can't be run: {error}"
        return
    for reason, instances in _by_reason(found.skipped).items():
        yield f"prompts that can't be run: {_some(instances)}: {reason}"
    option = shlex.quote(f"published={file}")
    count = len(found.prompts)
    yield f"to run its {count} prompts as published ({found.task}):"
    yield f"  misstep run planbench -T {option} --arms direct --limit {count}"


def _reports(path: Path) -> Iterator[FileReport]:
    """What the library can't use is the user's bad input."""
    from misstep.planning import PlanningError
    from misstep.planning.published import regrade_published

    try:
        yield from regrade_published(path)
    except PlanningError as error:
        raise BadInput(f"PATH: {error}") from None


def _told(report: FileReport) -> Iterator[str]:
    if report.refused:
        count = f"{len(report.not_graded)} replies " if report.not_graded else ""
        yield f"{report.file}: {count}not graded: {report.refused}"
        return
    yield (
        f"{report.file}: {report.graded} graded: ours {_percent(report.accuracy)},"
        f" stored {_percent(report.stored_accuracy)}, {report.differing} differ"
    )
    for score in report.scores:
        yield _score(score)
    for one in report.disagreements:
        yield from _disagreement(one)
    for reason, instances in _by_reason(report.not_graded).items():
        yield f"  not graded: {_some(instances)}: {reason}"
    if report.reference_fails:
        yield f"  stored reference isn't right for what is asked: {_some(report.reference_fails)}"


def _score(score: FurtherScore) -> str:
    stored = "" if score.stored is None else f", stored {_percent(score.stored)}"
    return f"  {score.name} ({score.count} replies): ours {_percent(score.ours)}{stored}"


def _disagreement(one: Disagreement) -> Iterator[str]:
    ours, stored = (_right(is_right) for is_right in (one.is_correct, one.stored_correct))
    score = f" {one.score}:" if one.score else ""
    yield f"  {one.instance}:{score} ours {ours} ({one.our_verdict}), stored {stored}: {one.reason}"
    if one.ours:
        yield f"    our reading:    {one.ours}"
        yield f"    stored reading: {one.stored}"
        return
    yield f"    our plan:    {_plan(one.our_plan)}"
    yield f"    stored plan: {_plan(one.stored_plan)}"


def _right(is_right: bool) -> str:
    return "right" if is_right else "wrong"


def _plan(plan: tuple[Step, ...] | None) -> str:
    if not plan:
        return "none" if plan is None else "empty"
    return " ".join(f"({' '.join(step)})" for step in plan)


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.1f} %"


def _by_reason(not_graded: Iterable[NotGraded]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in not_graded:
        found.setdefault(one.reason, []).append(one.instance)
    return found


def _some(instances: list[str] | tuple[str, ...]) -> str:
    more = f" and {len(instances) - _SHOWN} more" if len(instances) > _SHOWN else ""
    return f"instance{'s' * (len(instances) > 1)} {', '.join(instances[:_SHOWN])}{more}"


def _row(report: FileReport) -> dict[str, object]:
    return asdict(report) | {
        "accuracy": report.accuracy,
        "stored_accuracy": report.stored_accuracy,
        "disagreements": [
            asdict(one)
            | {
                "our_plan": None if one.our_plan is None else [_plan((s,)) for s in one.our_plan],
                "stored_plan": [_plan((step,)) for step in one.stored_plan],
            }
            for one in report.disagreements
        ],
    }
