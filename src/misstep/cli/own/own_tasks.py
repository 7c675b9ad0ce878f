"""What misstep ab asks, and how it is scored: the options that say so, and the task they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from misstep.cli import completing
from misstep.cli.own.labelling import LATER
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from misstep.runner.own.scoring import Scoring
    from misstep.runner.own.wrapping import OwnTask

Command = TypeVar("Command", bound=Callable[..., Any])  # Any: a command of any options


@dataclass(frozen=True)
class Source:
    """What is asked and how it is scored: the options that say so, by their names."""

    task: str
    scorer: str | None = None
    score: str | None = None
    fields: tuple[str, ...] = ()
    judge: str | None = None
    question: str | None = None
    answer: str | None = None
    group: str | None = None
    id: str | None = None
    args: tuple[str, ...] = ()
    limit: int | None = None
    seed: int = 0
    is_later: bool = False

    @property
    def is_rows(self) -> bool:
        return Path(self.task).suffix.lower() in (".csv", ".jsonl", ".parquet")


def sourced(command: Command) -> Command:
    """The options that say what is asked and how it is scored."""
    for option in reversed(_SOURCE):
        command = option(command)
    return command


_SOURCE = (
    click.option(
        "--scorer", metavar="S",
        help="exact, choice, number, contains, json, model, or a file: score.py@function. "
        "[default: exact; of a task, its own; with --label-later: free]",
    ),
    click.option("--score", metavar="KEY", help="Of a task's scorer that gives several values."),
    click.option("--fields", metavar="F,G", help="What json compares. [default: the answer's]"),
    click.option(
        "--judge", metavar="M", shell_complete=completing.models, help="For the scorer model."
    ),
    click.option("--question", metavar="COL", help="Column of questions, or of messages."),
    click.option("--answer", metavar="COL", help="Column of answers."),
    click.option("--group", metavar="COL", help="Rows that belong together. [default: group]"),
    click.option("--id", metavar="COL", help="Column of ids. [default: id, else by content]"),
    click.option("-T", "args", multiple=True, metavar="KEY=VALUE", help="An argument of the task."),
    click.option("--limit", type=int, metavar="N", help="At most N items, in whole groups."),
    click.option("--seed", default=0, show_default=True, help="Another seed, another order."),
    click.option(
        "--label-later", "is_later", is_flag=True,
        help="No answers: people label where the arms disagree (docs/labelling.md).",
    ),
)  # fmt: skip


def open_task(asked: Source) -> OwnTask:
    """The task, with its samples chosen and its scorer known to fit; BadInput where it doesn't."""
    from misstep.runner.own.planning import open_judge

    scoring = _scoring(asked)
    judging = None if asked.judge is None else open_judge(asked.judge)
    further: Mapping[str, object] = {
        name: getattr(asked, name) for name in ("score", "fields", "judge", "group", "args")
    }
    if asked.is_later:
        further = {**further, LATER[0]: LATER[1]}
    if asked.is_rows:
        assert scoring is not None  # noqa: S101 (a file of rows always has a scorer)
        return _rows(asked, scoring, judging, further)
    return _task(asked, scoring, judging, further)


def _scoring(asked: Source) -> Scoring | None:
    """None: the task's own scorer scores."""
    from misstep.runner.own.scoring import Scoring, check

    usual = "free" if asked.is_later else "exact"
    scorer = asked.scorer or (usual if asked.is_rows else None)
    if asked.is_later and not asked.is_rows:
        raise BadInput(f"--label-later: {asked.task} scores by itself; a file of rows is labelled")
    if scorer is not None:
        scoring = Scoring(scorer, asked.fields, asked.judge, is_later=asked.is_later)
        check(scoring)
        return scoring
    if asked.fields or asked.judge:
        flag = "--fields" if asked.fields else "--judge"
        raise BadInput(f"{flag}: the task's own scorer takes none; --scorer names another")
    return None


def _rows(
    asked: Source,
    scoring: Scoring,
    judging: Any,  # Any: the runner's model, which the command line does not know
    further: Mapping[str, object],
) -> OwnTask:
    from misstep.analyse.rows.questions import Columns, read_questions
    from misstep.runner.own.building import from_questions
    from misstep.runner.own.planning import about
    from misstep.runner.own.scoring import needs_answers

    if asked.args:
        raise BadInput(f"-T {asked.args[0]}: a file of rows takes no arguments")
    if asked.score is not None:
        raise BadInput("--score: chooses a value of a task's own scorer; a file of rows has none")
    path = Path(asked.task)
    columns = Columns(asked.question, asked.answer, asked.group, asked.id, needs_answers(scoring))
    found = read_questions(path, columns, asked.limit, asked.seed)
    said = about(asked.task, scoring.name, further)
    own = from_questions(path.stem, found.questions, found.digest, scoring, said, judging)
    for note in own.notes:
        click.echo(f"! {path.name}: {note}", err=True)
    return own


def _task(
    asked: Source,
    scoring: Scoring | None,
    judging: Any,  # Any: the runner's model, which the command line does not know
    further: Mapping[str, object],
) -> OwnTask:
    from misstep.core.options import read_pairs, typed
    from misstep.runner.own.planning import about
    from misstep.runner.own.sources import find_task
    from misstep.runner.own.tasks import Choice, from_task

    for flag, column in (
        ("--question", asked.question),
        ("--answer", asked.answer),
        ("--id", asked.id),
    ):
        if column is not None:
            raise BadInput(f"{flag}: names a column of a file of rows, and {asked.task} is none")
    args = typed(read_pairs("-T", asked.args))
    task = find_task(asked.task, args)
    choice = Choice(asked.group, asked.limit, asked.seed, scoring, asked.score)
    said = about(asked.task, "its own" if scoring is None else scoring.name, further)
    return from_task(asked.task, task, choice, args, said, judging)
