"""A run's folder at home while its cells are asked elsewhere: what has come, and what is finished.

Every reply goes into the run's own journal as it comes. The log of a finished cell is kept in the
hidden folder `.shards` until all are there, so that a run that was killed goes on without it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from misstep.core.errors import MisstepError
from misstep.core.faults import NO_FAULTS
from misstep.core.records import Record
from misstep.core.seeds import digest
from misstep.runner import manifest
from misstep.runner.journal import append, in_flight, lines_of, owned
from misstep.runner.logged import logs
from misstep.runner.manifest import Manifest
from misstep.runner.run import JOURNAL, Plan, Run, make_folder, remove_unfinished
from misstep.runner.shards import archives, journals
from misstep.runner.shards.merging import merged_manifest, sync
from misstep.runner.shards.parts import Part
from misstep.runner.task import AskedSample
from misstep.scale.cells import Cell
from misstep.scale.places import Away

SHARDS = ".shards"
_GRID, _JOINED, _ASKED = "grid.json", "joined.json", "asked"


@dataclass
class Keeper:
    """What is kept of one run. `calls` are those begun on nodes, `lost` those in flight on nodes
    that went. `is_done`: the folder holds the whole run already."""

    plan: Plan
    begun: Manifest
    samples: Mapping[Cell, Sequence[AskedSample]]
    journal: BinaryIO = field(repr=False)
    finished: set[Cell] = field(default_factory=set)
    partial: set[Cell] = field(default_factory=set)
    calls: int = 0
    lost: int = 0
    away: Away | None = None
    is_done: bool = False

    @property
    def folder(self) -> Path:
        return self.plan.folder

    def place(self, cell: Cell) -> Path:
        return self.folder / SHARDS / cell.name

    def note(self, lines: bytes) -> None:
        """Put down what a node has sent, durably."""
        self.calls += lines.count(b'{"begun": ')
        append(self.journal, lines)
        os.fsync(self.journal.fileno())

    def known(self, cells: Sequence[Cell]) -> dict[Cell, bytes]:
        """The lines of the journal that belong to each of these cells."""
        of = {str(sample.id): cell for cell in cells for sample in self.samples[cell]}
        found: dict[Cell, list[str]] = {cell: [] for cell in cells}
        for line in lines_of(self.folder / JOURNAL):
            if "key" in line:
                _, _, _, item, arm, *_ = json.loads(line["key"])
                cell = of.get(f"{item}@{arm}")
                if cell is not None:
                    found[cell].append(json.dumps(line, ensure_ascii=False) + "\n")
        return {
            cell: "".join(lines).encode(errors="surrogatepass") for cell, lines in found.items()
        }

    def keep(self, cell: Cell, files: Mapping[str, bytes], *, is_finished: bool) -> None:
        """A cell's log and manifest, whole or not at all; a finished one is not asked again."""
        place = self.place(cell)
        half = place.with_name(f".{place.name}.partial")
        shutil.rmtree(half, ignore_errors=True)
        half.mkdir(parents=True)
        for name, content in files.items():
            with (half / name).open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        if is_finished:
            (half / _ASKED).write_text(self._asked(cell), encoding="utf-8")
        shutil.rmtree(place, ignore_errors=True)
        half.rename(place)
        sync(place.parent)
        if self.away is not None and is_finished:
            self.away.send(self.folder)  # the journal first: what is finished has its replies
            self.away.send(place)
        (self.finished if is_finished else self.partial).add(cell)

    def take_up(self, cells: Sequence[Cell]) -> list[Record]:
        """The records of those cells that an earlier process has finished."""
        if self.is_done:
            self.finished |= set(cells)
            return logs.read_records(logs.log_files([self.folder]))
        records: list[Record] = []
        for cell in cells:
            asked = self.place(cell) / _ASKED
            if asked.exists() and asked.read_text(encoding="utf-8") == self._asked(cell):
                self.finished.add(cell)
                records += logs.read_records(Part(self.place(cell), self.begun).logs)
            else:
                shutil.rmtree(self.place(cell), ignore_errors=True)
        return records

    def _asked(self, cell: Cell) -> str:
        """What makes two cells the same: all that was asked for, and these samples."""
        ids = (str(sample.id) for sample in self.samples[cell])
        return digest(self.begun.versions["misstep"], _request_of(self.begun), *ids).hex()

    def put_together(self, cells: Sequence[Cell], *, is_whole: bool) -> Run:
        """One log of all that is there, in the order of the run; the hidden folder goes with the
        last cell."""
        there = [cell for cell in cells if cell in self.finished | self.partial]
        places = [self.place(cell) for cell in there]
        parts = [Part(one, manifest.read(one)) for one in places if (one / manifest.NAME).exists()]
        again = self.begun.asked_again + self.lost
        ended = replace(
            self.begun,
            state="finished" if is_whole else "stopped",
            asked=self.begun.asked + self.calls,
            asked_again=again,
        )
        if parts:
            self._join(parts, is_whole=is_whole)
            both = merged_manifest(parts, is_whole=is_whole)
            ended = replace(ended, faults=self.begun.faults.plus(both.faults))
        manifest.write(self.folder, ended)
        if is_whole:
            shutil.rmtree(self.folder / SHARDS, ignore_errors=True)
        if self.away is not None:
            self.away.send(self.folder)
            self.away.tidy(self.folder, SHARDS)
        return Run(self.folder, ended, ())

    def _join(self, parts: Sequence[Part], *, is_whole: bool) -> None:
        """In the place of the log that was joined when the run was stopped, if it was."""
        noted = self.folder / SHARDS / _JOINED
        before = json.loads(noted.read_text(encoding="utf-8")) if noted.exists() else None
        path = archives.join(parts, self.folder, is_whole=is_whole)
        if before is not None and (path is None or path.name != before):
            (self.folder / before).unlink(missing_ok=True)
        noted.write_text(json.dumps(path.name if path else None), encoding="utf-8")


def _request_of(asked: Manifest) -> str:
    plain = replace(
        asked, state="", asked=0, asked_again=0, faults=NO_FAULTS, versions={}, merged=()
    )
    return json.dumps(asdict(plain), sort_keys=True, default=str)


def _is_done(folder: Path, begun: Manifest) -> bool:
    """Whether an earlier process has asked all of this, and nothing was asked since."""
    if not (folder / manifest.NAME).exists():
        return False
    before = manifest.read(folder)
    return before.state == "finished" and _request_of(before) == _request_of(begun)


def grid_before(folder: Path) -> int | None:
    """The number of shards with which the run there was begun, where some are finished."""
    path = folder / SHARDS / _GRID
    return int(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


@contextmanager
def kept(
    plan: Plan, samples: Mapping[Cell, Sequence[AskedSample]], shards: int, away: Away | None
) -> Iterator[Keeper]:
    """The run's folder, for this process alone."""
    make_folder(plan.folder)
    try:
        journals.absorb(plan.folder, JOURNAL)
        with ExitStack() as stack:
            journal = stack.enter_context(owned(plan.folder / JOURNAL))
            remove_unfinished(plan.folder)
            begun = replace(
                plan.manifest,
                asked_again=max(plan.manifest.asked_again, in_flight(plan.folder / JOURNAL)),
                faults=manifest.faults_in(plan.folder),
                versions=manifest.installed(),
                merged=manifest.merged_in(plan.folder),
            )
            is_done = _is_done(plan.folder, begun)
            if not is_done:
                (plan.folder / SHARDS).mkdir(exist_ok=True)
                (plan.folder / SHARDS / _GRID).write_text(json.dumps(shards), encoding="utf-8")
                manifest.write(plan.folder, begun)
            yield Keeper(plan, begun, samples, journal, away=away, is_done=is_done)
    except OSError as error:
        raise MisstepError(f"{plan.folder}: cannot write: {error.strerror or error}") from None
