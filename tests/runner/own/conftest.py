"""What the tests of own tasks share: the recorder, and runs of files and tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task

from misstep.analyse.rows.questions import Columns, read_questions
from misstep.core.arms_file import Definition
from misstep.runner.own.building import from_questions
from misstep.runner.own.planning import Asking, plan
from misstep.runner.own.scoring import Scoring, needs_answers
from misstep.runner.own.tasks import Choice, from_task
from misstep.runner.own.wrapping import OwnTask
from misstep.runner.run import Run, carry_out
from recorder import RECORDER, Recorder

ARMS = ("think:none", "think:low")


@pytest.fixture
def recorder() -> Recorder:
    RECORDER.reset()
    return RECORDER


@pytest.fixture
def rows(tmp_path: Path) -> Callable[..., OwnTask]:
    def make(text: str, scoring: Scoring | str = "exact", ending: str = ".csv") -> OwnTask:
        path = tmp_path / f"rows{ending}"
        path.write_text(text, encoding="utf-8")
        asked = Scoring(scoring) if isinstance(scoring, str) else scoring
        found = read_questions(path, Columns(needs_answer=needs_answers(asked)))
        return from_questions("rows", found.questions, found.digest, asked, {})

    return make


@pytest.fixture
def wrapped() -> Callable[..., OwnTask]:
    def make(task: Task, **choice: Any) -> OwnTask:  # Any: the fields of `Choice`
        return from_task("own", task, Choice(**choice), {}, {})

    return make


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Run]:
    def ask(
        own: OwnTask,
        arms: Sequence[str] = ARMS,
        own_arms: tuple[Definition, ...] = (),
        **settings: Any,  # Any: the fields of `Asking`
    ) -> Run:
        asking = Asking(
            "recorder/x",
            arms=tuple(arms),
            own_arms=own_arms,
            log_dir=tmp_path / "logs",
            **settings,
        )
        return carry_out(plan(own, asking))

    return ask
