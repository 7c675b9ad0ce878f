"""Stopping early: looks at complete groups in the order of the seed, by the runner's protocol.

The runner asks before each sample whether it is still wanted, and tells of each that is done.
Samples stand group by group, so that groups are complete one after the other; calls in flight
when the verdict falls may finish, and are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

import anyio
from inspect_ai import Task, task_with
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalSpec
from inspect_ai.scorer import SampleScore
from inspect_ai.util import EarlyStop
from pydantic import JsonValue

from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.looks import Look, Watcher, complete_groups, ordered
from misstep.core.records import Record
from misstep.core.shards import Shard
from misstep.runner import manifest
from misstep.runner.logged.logs import SCORE
from misstep.runner.logged.rows import record_of
from misstep.runner.manifest import Manifest

Told = Callable[[Look], None]
_told: ContextVar[Told | None] = ContextVar("misstep_looks", default=None)


@contextmanager
def telling(told: Told | None) -> Iterator[None]:
    """Tell every look as soon as it is taken."""
    token = _told.set(told)
    try:
        yield
    finally:
        _told.reset(token)


def in_looks(task: Task, arms: Sequence[str], repeat: int, stopping: Stopping) -> Task:
    """The same task, its samples group by group and one for each repetition, that may stop early.

    The runner's own repetitions come round by round: no group would be complete before the last.
    """
    samples = list(_by_group(list(task.dataset), arms, repeat))
    dataset = MemoryDataset(samples, name=task.dataset.name)
    return task_with(task, dataset=dataset, early_stopping=stopping)


def _by_group(samples: Iterable[Sample], arms: Sequence[str], repeat: int) -> Iterator[Sample]:
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        groups.setdefault(str(_fields(sample)["group"]), []).append(sample)
    for look, own in enumerate(groups.values(), 1):
        place = {"look": look, "look_of": len(groups), "look_replies": _replies(own, arms, repeat)}
        for repetition in range(1, repeat + 1):
            for sample in own:
                yield _repeated(sample, repetition, place)


def _repeated(sample: Sample, repetition: int, place: dict[str, int]) -> Sample:
    ending = f"#{repetition}" if repetition > 1 else ""
    metadata = {**_fields(sample), **place, "repetition": repetition}
    return sample.model_copy(update={"id": f"{sample.id}{ending}", "metadata": metadata})


def _replies(samples: Sequence[Sample], arms: Sequence[str], repeat: int) -> int:
    return len(samples) // len(arms) * repeat


def _fields(sample: Sample) -> dict[str, JsonValue]:
    assert sample.metadata is not None, "every sample of ours says what it asks"  # noqa: S101 our own mistake
    return sample.metadata


@dataclass(frozen=True)
class _Wanted:
    """A sample of the run: its place, and what its record needs."""

    look: int
    metadata: dict[str, JsonValue]


@dataclass(frozen=True)
class Pace:
    """How far a run goes at a time: `part` looks are begun together, and two parts are under way
    at most, so that a verdict finds little more than that paid for. None after `until`, if given.
    """

    part: int
    until: int | None = None

    def may_begin(self, look: int, taken: int) -> bool:
        """Whether this look's turn has come when so many looks are taken."""
        return taken >= ((look - 1) // self.part - 1) * self.part


class Stopping:
    """The runner's early-stopping protocol over one run; a new one for every run.

    Without a pace, everything is begun as fast as the provider takes it.
    """

    def __init__(self, arms: Sequence[str], watcher: Watcher, pace: Pace | None = None) -> None:
        self._pace = pace
        self._moved: anyio.Event | None = None
        self._arms = tuple(arms)
        self._watcher = watcher
        self._watch = watcher(arms)
        self._model = ""
        self._wanted: dict[str | int, _Wanted] = {}
        self._left: dict[int, int] = {}
        self._records: dict[int, list[Record]] = {}
        self._last: Look | None = None

    @property
    def last(self) -> Look | None:
        """The latest look, if any group was complete."""
        return self._last

    def decided_by(self, records: Iterable[Record]) -> Look | None:
        """The look at which these records, of earlier processes, decide; None if they don't."""
        watch = self._watcher(self._arms)
        looks = (watch(own) for own in complete_groups(records, self._arms))
        return next((look for look in looks if look.is_decided), None)

    async def start_task(self, task: EvalSpec, samples: list[Sample], epochs: int) -> str:
        self._model = task.model
        for sample in samples:
            fields = _fields(sample)
            look = fields["look"]
            assert isinstance(look, int) and sample.id is not None  # noqa: S101, PT018 our own mistake
            self._wanted[sample.id] = _Wanted(look, fields)
            self._left[look] = self._left.get(look, 0) + 1
        return "misstep: looks after every group"

    async def schedule_sample(self, id: str | int, epoch: int) -> EarlyStop | None:  # noqa: A002 (the runner's name)
        look = self._wanted[id].look
        while (over := self._over(look)) is None and not self._may_begin(look):
            # Made where it is waited for: each run has an event loop of its own.
            self._moved = self._moved or anyio.Event()
            await self._moved.wait()
        return None if over is None else EarlyStop(id=id, epoch=epoch, reason=over)

    def _over(self, look: int) -> str | None:
        """Why this look is asked no more."""
        if self._last is not None and self._last.is_decided:
            return f"decided at look {self._last.looks}"
        until = self._pace.until if self._pace else None
        return f"this part ends at look {until}" if until is not None and look > until else None

    def _may_begin(self, look: int) -> bool:
        taken = 0 if self._last is None else self._last.looks
        return self._pace is None or self._pace.may_begin(look, taken)

    async def complete_sample(
        self,
        id: str | int,  # noqa: A002 (the runner's name)
        epoch: int,
        scores: dict[str, SampleScore],
    ) -> None:
        wanted = self._wanted.get(id)
        # A sample that was stopped early is told as complete too, without a score.
        if wanted is None or SCORE not in scores:
            return
        row = scores[SCORE].score.metadata or {}
        record = record_of(self._model, epoch, wanted.metadata, row)
        self._records.setdefault(wanted.look, []).append(record)
        self._left[wanted.look] -= 1
        self._look()

    async def complete_task(self) -> dict[str, JsonValue]:
        last = self._last
        if last is None:
            return {"looks": 0, "is_decided": False}
        return {"looks": last.looks, "is_decided": last.is_decided, "evidence": last.evidence}

    def _look(self) -> None:
        """Look at every group that has become complete with all before it, until it is decided."""
        at = 1 if self._last is None else self._last.looks + 1
        while self._left.get(at) == 0 and not (self._last and self._last.is_decided):
            self._last = self._watch(ordered(self._records[at], self._arms))
            told = _told.get()
            if told is not None:
                told(self._last)
            at += 1
        moved, self._moved = self._moved, None
        if moved is not None:
            moved.set()


def check(folder: Path, asked: Manifest, spec: Spec) -> None:
    """BadInput where this request does not go with what the run folder was begun as.

    Looks that were taken cannot be taken back: a fixed analysis of the same replies afterwards, or
    one of other groups, would be a second chance.
    """
    if not (folder / manifest.NAME).exists():
        return
    before = manifest.read(folder)
    if before.is_sequential != asked.is_sequential:
        begun, way = ("with", "add") if before.is_sequential else ("without", "leave out")
        raise BadInput(
            f"--sequential: {folder} was begun {begun} it; {way} --sequential, "
            "or choose another --log-dir"
        )
    if asked.is_sequential:
        _check_same_groups(folder, before, asked, spec)


def check_compared(
    arms: Sequence[str], model_args: Mapping[str, object], shard: Shard | None = None
) -> None:
    """BadInput for a request that leaves nothing to look at."""
    if len(arms) < 2:
        raise BadInput(f"--sequential: compares arms, and only {arms[0]!r} is asked")
    if "batch" in model_args:
        raise BadInput("-M batch: a whole run in one batch leaves --sequential nothing to look at")
    if shard is not None:
        raise BadInput(
            f"--shard: {shard}: --sequential looks at every group of the run in turn, and a shard "
            "has a share of them; leave out one of the two"
        )


def _check_same_groups(folder: Path, before: Manifest, asked: Manifest, spec: Spec) -> None:
    if before.repeat != asked.repeat:
        raise BadInput(
            f"--repeat: {asked.repeat}, but the looks in {folder} were taken with {before.repeat}; "
            "choose another --log-dir"
        )
    if spec.scales[before.scale].per_truth != spec.scales[asked.scale].per_truth:
        raise BadInput(
            f"--scale: {asked.scale} has larger or smaller groups than {before.scale}, with which "
            f"the looks in {folder} were taken; choose another --log-dir"
        )
