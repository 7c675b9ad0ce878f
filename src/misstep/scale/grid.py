"""A grid of cells on Ray's nodes: sent out, heard, and done again where a node is lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import ray
from ray.exceptions import RayActorError, RayError, RayTaskError, TaskCancelledError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from misstep.core.errors import MisstepError
from misstep.core.options import read_options
from misstep.core.pictures import content_of
from misstep.core.records import Record
from misstep.runner import manifest
from misstep.runner.run import Request
from misstep.runner.shards.orders import End, Ended, orders
from misstep.runner.task import AskedSample
from misstep.scale.cells import Cell, Size
from misstep.scale.cluster import Machines
from misstep.scale.desk import Desk, Parcel
from misstep.scale.keeping import Keeper
from misstep.scale.node import Done, Errand, Kept, work

MOST_ATTEMPTS = 5
"""A cell whose nodes are lost so often takes them down with it."""
_PATIENCE = 1.0
_GRACE = 15.0
"""Seconds in which cells that are wanted no more may close their logs."""
Told = Callable[[str], None]
"""Hears what a person should know of the machines, in a line."""
Heard = Callable[[int, Record], None]
"""Hears each record once, with the place of its run."""


@dataclass(frozen=True)
class Asked:
    """A run of the grid: what is asked, its cells, and what a task of it takes."""

    request: Request
    keeper: Keeper
    cells: tuple[Cell, ...]
    size: Size


@dataclass
class _Out:
    """A cell that is out: which attempt, on which node once it is known, and its calls so far."""

    cell: Cell
    attempt: int
    node: str = "a node"
    in_flight: int = 0


@dataclass
class Grid:
    """The cells of several runs under way. `ends` are those that are over."""

    asked: Sequence[Asked]
    machines: Machines
    hear: Heard
    tell: Told
    ends: dict[Cell, Ended] = field(default_factory=dict)
    started: int = 0
    lost: int = 0
    _out: dict[Any, _Out] = field(default_factory=dict)  # Any: Ray's references
    _heard: set[tuple[int, str, str, int]] = field(default_factory=set)
    _kept: dict[tuple[int, int], Any] = field(default_factory=dict)  # Any: likewise

    def carry_out(self) -> bool:
        """Whether it came to its end; a Ctrl-C, and a cell that failed, stop all others."""
        for run, one in enumerate(self.asked):
            for record in one.keeper.take_up(one.cells):
                self._hear(run, record)
        todo = [cell for one in self.asked for cell in one.cells if not self._is_kept(cell)]
        if not todo:
            return True
        with _desk(self.machines) as desk:
            try:
                self._send_all(todo, desk)
                return self._until_over(desk)
            except KeyboardInterrupt:
                self._stop(desk)
                return False
            except RayActorError as error:
                raise MisstepError(
                    f"--on: the head node, or its task, is lost ({_first_line(error)}); what has "
                    "come is kept, and the same command goes on from there"
                ) from None
            finally:
                self._leave()

    def _is_kept(self, cell: Cell) -> bool:
        return cell in self.asked[cell.run].keeper.finished

    def _send_all(self, todo: Sequence[Cell], desk: Any) -> None:  # Any: an actor's handle
        """Run by run in turn, so that all come forward together."""
        known: dict[Cell, bytes] = {}
        for run, one in enumerate(self.asked):
            known |= one.keeper.known([cell for cell in todo if cell.run == run])
        for cell in sorted(todo, key=lambda cell: (cell.shard.number, cell.run)):
            self._send(cell, 1, known[cell], desk)

    def _send(self, cell: Cell, attempt: int, known: bytes, desk: Any) -> None:  # Any: as above
        one = self.asked[cell.run]
        errand = _errand(one, cell, attempt, known)
        task = ray.remote(work).options(
            num_cpus=one.size.num_cpus,
            num_gpus=one.size.num_gpus,
            max_retries=0,  # done again by us, with the replies that have come
            scheduling_strategy="SPREAD",
        )
        samples = one.keeper.samples[cell]
        self._out[task.remote(errand, samples, self._pictures(cell), desk)] = _Out(cell, attempt)
        self.started += 1

    def _pictures(self, cell: Cell) -> Any:  # Any: Ray's reference, or nothing
        """Those of the cell's shard, which its arms share; only where they are files of ours."""
        room = self.asked[cell.run].request.family
        if room.pictures is None or not room.has_picture_files:
            return None
        place = (cell.run, cell.shard.number)
        if place not in self._kept:
            self._kept[place] = ray.put(_contents(room, self.asked[cell.run].keeper.samples[cell]))
        return self._kept[place]

    def _until_over(self, desk: Any) -> bool:  # Any: as above
        news = desk.take.remote(_PATIENCE)
        while self._out:
            ready, _ = ray.wait([news, *self._out], num_returns=1, timeout=_PATIENCE)
            if news in ready:
                self._note(ray.get(news))
                news = desk.take.remote(_PATIENCE)
            for reference in [one for one in ready if one in self._out]:
                self._note(ray.get(desk.take.remote(0)))
                if self._end(reference, desk) in (End.FAILED, End.REFUSED):
                    self._stop(desk)
                    return False
        return all(one.end is End.FINISHED for one in self.ends.values())

    def _note(self, parcels: Sequence[Parcel]) -> None:
        out = {(one.cell.run, one.cell.name, one.attempt): one for one in self._out.values()}
        for parcel in parcels:
            run, _, name = parcel.cell.partition(":")
            one = out.get((int(run), name, parcel.attempt))
            self.asked[int(run)].keeper.note(parcel.lines)
            if one is not None:
                one.node = parcel.node
                one.in_flight += parcel.lines.count(b'{"begun": ') - parcel.lines.count(b'{"key": ')
            for record in parcel.records:
                self._hear(int(run), record)

    def _hear(self, run: int, record: Record) -> None:
        key = (run, record.item, record.arm, record.repetition)
        if key not in self._heard:
            self._heard.add(key)
            self.hear(run, record)

    def heard(self, run: int) -> int:
        """How many answers the run has."""
        return sum(key[0] == run for key in self._heard)

    def _end(self, reference: Any, desk: Any) -> End | None:  # Any: as above
        """How the cell ended; None where it is done again."""
        out = self._out.pop(reference)
        keeper = self.asked[out.cell.run].keeper
        try:
            done: Done = ray.get(reference)
        except RayTaskError as error:
            self.ends[out.cell] = Ended(End.FAILED, f"--on: {out.node}: {_first_line(error.cause)}")
            return End.FAILED
        except TaskCancelledError:
            self.ends[out.cell] = Ended(End.STOPPED)
            return End.STOPPED
        except RayError as error:
            return self._again(out, error, desk)
        keeper.keep(out.cell, done.files, is_finished=done.ended.end is End.FINISHED)
        self.ends[out.cell] = done.ended
        return done.ended.end

    def _again(self, out: _Out, error: RayError, desk: Any) -> End | None:  # Any: as above
        keeper = self.asked[out.cell.run].keeper
        keeper.lost += out.in_flight
        self.lost += 1
        run = keeper.begun
        what = f"{run.family} on {run.model}, {out.cell}"
        if out.attempt == MOST_ATTEMPTS:
            said = (
                f"--on: {what}: was lost {MOST_ATTEMPTS} times with its node: {_first_line(error)}"
            )
            self.ends[out.cell] = Ended(End.FAILED, said)
            return End.FAILED
        self.tell(f"{out.node} is lost ({type(error).__name__}): {what} is done again")
        self._send(out.cell, out.attempt + 1, keeper.known([out.cell])[out.cell], desk)
        return None

    def _stop(self, desk: Any) -> None:  # Any: as above
        """Let the cells close their logs; a second Ctrl-C, or a long wait, ends them at once."""
        until = time.monotonic() + _GRACE
        try:
            ray.get(desk.close.remote())
            self._cancel_waiting()
            while self._out and time.monotonic() < until:
                ready, _ = ray.wait(list(self._out), num_returns=1, timeout=_PATIENCE)
                self._note(ray.get(desk.take.remote(0)))
                for reference in ready:
                    self._close(reference)
        except (KeyboardInterrupt, RayError):
            return

    def _cancel_waiting(self) -> None:
        """Those that no node has begun would else begin now, in the place of others."""
        for reference, out in list(self._out.items()):
            if out.node == "a node":
                ray.cancel(reference, force=True)

    def _close(self, reference: Any) -> None:  # Any: as above
        out = self._out.pop(reference)
        try:
            done: Done = ray.get(reference)
        except RayError:
            self.ends[out.cell] = Ended(End.STOPPED)
            return
        is_finished = done.ended.end is End.FINISHED
        self.asked[out.cell.run].keeper.keep(out.cell, done.files, is_finished=is_finished)
        self.ends[out.cell] = done.ended

    def _leave(self) -> None:
        for reference, out in self._out.items():
            ray.cancel(reference, force=True)
            self.ends[out.cell] = Ended(End.STOPPED)
        self._out.clear()


@contextmanager
def _desk(machines: Machines) -> Iterator[Any]:  # Any: an actor's handle
    """On the node that leads, without which there is no cluster either."""
    where = NodeAffinitySchedulingStrategy(machines.head, soft=False)
    desk: Any = ray.remote(Desk).options(num_cpus=0, scheduling_strategy=where).remote()
    try:
        yield desk
    finally:
        ray.kill(desk)


def _errand(one: Asked, cell: Cell, attempt: int, known: bytes) -> Errand:
    nowhere = {cell.shard: Path()}
    (order,) = orders(one.request, one.keeper.plan, nowhere, Path(), "--on")
    # Where home keeps its runs is nothing to a node.
    order = replace(order, settings={**order.settings, "log_dir": Path()})
    room = one.request.family
    options = read_options(room.spec.options, one.request.options, room.spec.name)
    name = f"{cell.run}:{cell.name}"
    return Errand(
        name, attempt, order, dict(room.named(options)), known, manifest.installed()["misstep"]
    )


def _contents(room: Any, samples: Sequence[AskedSample]) -> Kept:  # Any: a family of any payload
    from misstep.core.items import from_dict

    items = (from_dict(sample.metadata or {}, room.payload) for sample in samples)
    return {item.id: tuple(map(content_of, room.pictures(item))) for item in items}


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else 'no reason given'}"[:300]


def reasons(grid: Grid, run: int) -> Mapping[End, str]:
    """Why the cells of a run aren't finished: the first that said something for each kind."""
    found: dict[End, str] = {}
    for cell, ended in grid.ends.items():
        if cell.run == run and (ended.end not in found or not found[ended.end]):
            found[ended.end] = ended.said
    return found
