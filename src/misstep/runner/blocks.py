"""A big run in blocks of whole groups, each evaluated by itself; at the end there is one log.

The runner starts every sample of a task at once, keeps all their scores and summaries, and copies
the whole log as it grows: its memory grows with the samples, its time with their square.
"""

from __future__ import annotations

import gc
import math
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inspect_ai import Task, task_with
from inspect_ai import eval as eval_task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog

from misstep.core.shards import Shard
from misstep.runner.shards import archives
from misstep.runner.shards.parts import Part
from misstep.runner.unused import left_unloaded

if TYPE_CHECKING:
    from misstep.runner.run import Plan

MOST = 2_500
"""Samples of a block. Small enough for memory; at a block's end the slowest reply is waited for."""
FOLDER = ".blocks"
"""The hidden folder in a run's, which has the blocks' logs until they are joined."""
_SELDOM = (20_000, 10, 5)


def shared_out(samples: Iterable[Sample], count: int) -> list[list[Sample]]:
    """Each part's samples: of every `count`-th group, in the order in which the groups come."""
    places: dict[object, int] = {}
    found: list[list[Sample]] = [[] for _ in range(count)]
    for sample in samples:
        group = (sample.metadata or {})["group"]
        found[places.setdefault(group, len(places)) % count].append(sample)
    return found


def evaluate(plan: Plan) -> EvalLog | None:
    """The runner's log, of the last block of a big run, whose plan is spent; None where it was
    interrupted before it had one."""
    count = math.ceil(plan.samples / MOST)
    with _seldom_collected(), left_unloaded():
        if count == 1 or plan.stopping is not None:
            return _evaluated(plan, plan.task, plan.folder)
        return _in_blocks(plan, count)


def _evaluated(plan: Plan, task: Task, folder: Path) -> EvalLog | None:
    connections = plan.connections
    epochs = 1 if plan.stopping else plan.manifest.repeat
    try:
        found = eval_task(
            task,
            model=plan.model,
            log_dir=str(folder),
            log_format="eval",
            log_level="error",
            log_realtime=False,
            log_buffer=_log_buffer(len(task.dataset) * epochs),
            # Not every provider leaves pictures out of the raw request that the log would keep.
            log_model_api=False if plan.has_pictures else None,
            display="none",
            epochs=epochs,
            max_samples=connections,
            max_connections=connections,
            fail_on_error=True,
            attempt_timeout=plan.tries.attempt_timeout,
            ctl_server=False,
            acp_server=False,
            score_display=False,
        )
    except KeyboardInterrupt:
        return None
    # Stopped while it was still starting, the runner hands back no log at all.
    return found[0] if found else None


def _log_buffer(samples: int) -> int:
    """Samples between two writings of the log.

    Each writing is of the whole log, so that the runner's own number, ten, would write a long run
    again and again; the journal has every reply all the same.
    """
    return max(10, samples // 20)


def _in_blocks(plan: Plan, count: int) -> EvalLog | None:
    """The last block's log as the runner left it: the first that did not come to its end, if any.

    What was evaluated stands in one log in the run's folder then, whatever ended it.
    """
    place = plan.folder / FOLDER
    shutil.rmtree(place, ignore_errors=True)  # of a run that was killed; its journal has them
    parts: list[Part] = []
    log: EvalLog | None = None
    blocks = shared_out(plan.task.dataset, count)
    plan.let_go()
    for number in range(1, count + 1):
        samples = blocks.pop(0)  # each gives its room to what is answered
        if samples:
            own = place / str(number)
            own.mkdir(parents=True)
            parts.append(Part(own, replace(plan.manifest, shard=str(Shard(number, count)))))
            log = _evaluated(plan, _block(plan.task, samples), own)
            gc.collect()
            if log is None or log.status != "success":
                break
    archives.join(parts, plan.folder, is_whole=log is not None and log.status == "success")
    shutil.rmtree(place)
    return log


def _block(task: Task, samples: list[Sample]) -> Task:
    # The runner's function changes the task that it is given.
    return task_with(copy(task), dataset=MemoryDataset(samples, name=task.dataset.name))


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Look for unused cycles of objects more seldom: each sample makes thousands that live on."""
    usual = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
