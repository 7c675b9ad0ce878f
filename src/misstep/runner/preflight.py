"""The first questions of a run, asked before the rest: what they cost is not lost.

They are the run's own questions at their own places, through its journal, so that the run that
follows finds their replies and asks nothing twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace

from inspect_ai import Task, task_with
from inspect_ai.dataset import MemoryDataset, Sample

from misstep.core.records import Record
from misstep.runner import manifest
from misstep.runner.calls.patience import Tries
from misstep.runner.failures import Incomplete
from misstep.runner.logged import logs
from misstep.runner.run import Plan, carry_out

ITEMS = 3
"""Questions asked of each arm."""

_FEW = 4
"""Tries again of a question that is asked alone."""
_SILENT = ("embedded", "mockllm", "ref")
"""Providers whose models never report thinking tokens."""


@dataclass(frozen=True)
class First:
    """The records of the first questions, and the whole run's plan, which knows their calls."""

    plan: Plan
    records: tuple[Record, ...]


def is_called_for(plan: Plan) -> bool:
    """Whether an arm is about thinking; elsewhere a first answer shows whether the model thinks."""
    return any(arm.thinking is not None for arm in plan.arms)


def may_think(plan: Plan) -> bool:
    """Whether the model is one that might report thinking though nobody spoke of it."""
    return plan.manifest.model.split("/")[0] not in _SILENT


def ask_first(plan: Plan, items: int = ITEMS, arms: Sequence[str] | None = None) -> First:
    """Ask the first items of each arm (or of those named); errors are those of `carry_out`.

    The log of these questions is taken away again: the run's own log will hold them.
    """
    before = set(plan.folder.glob("*" + logs.ENDING))
    task = _first(plan.task, items, plan.manifest.arms if arms is None else arms)
    few = replace(
        plan,
        task=task,
        samples=len(task.dataset),
        stopping=None,
        manifest=replace(plan.manifest, repeat=1),
        tries=_tries(plan.tries, items),
    )
    heard: list[Record] = []
    try:
        carry_out(few, heard.append)
    except Incomplete:
        # Of a single question nobody can tell whether it is the question or the model; unless it
        # shows pictures, which some models refuse.
        if (items > 1 or plan.has_pictures) and not _is_each_heard(few, heard):
            raise
    finally:
        for log in set(plan.folder.glob("*" + logs.ENDING)) - before:
            log.unlink()
    done = manifest.read(plan.folder)
    counted = replace(plan.manifest, asked=done.asked, asked_again=done.asked_again)
    manifest.write(
        plan.folder, replace(counted, faults=done.faults, versions=done.versions, state="stopped")
    )
    return First(replace(plan, manifest=counted), _in_order(heard, plan.manifest.arms))


def _tries(tries: Tries, items: int) -> Tries:
    """A single question shows little; the run itself has the patience."""
    return tries if items > 1 else replace(tries, max_retries=min(_FEW, tries.max_retries))


def _is_each_heard(few: Plan, heard: Sequence[Record]) -> bool:
    """Whether some question of each arm was answered."""
    asked = {str((sample.metadata or {})["arm"]) for sample in few.task.dataset}
    return asked == {record.arm for record in heard}


def _first(task: Task, items: int, arms: Sequence[str]) -> Task:
    left = dict.fromkeys(arms, items)
    chosen: list[Sample] = []
    for sample in task.dataset:
        fields = sample.metadata or {}
        arm = str(fields["arm"])
        if left.get(arm, 0) > 0 and fields.get("repetition", 1) == 1:
            chosen.append(sample)
            left[arm] -= 1
    dataset = MemoryDataset(chosen, name=task.dataset.name)
    # The runner's function changes the task that it is given.
    config = task.config.model_copy(update={"batch": None})  # three answers, now
    return task_with(copy(task), dataset=dataset, early_stopping=None, config=config)


def _in_order(records: Sequence[Record], arms: Sequence[str]) -> tuple[Record, ...]:
    return tuple(sorted(records, key=lambda record: arms.index(record.arm)))
