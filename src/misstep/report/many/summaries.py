"""What each run comes to, kept beside its logs, so that a new model's run alone is read.

A summary is taken as it is only while it was made of the very same logs, by the same version of
misstep, from the same data of the families. It can be deleted at any time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from misstep.analyse import compare
from misstep.analyse.comparison import Interval
from misstep.analyse.matrix import Cell, Column, cells_of
from misstep.analyse.pairing import Subject, by_subject
from misstep.analyse.plain import plain
from misstep.core.family import Spec
from misstep.core.places import cache_folder
from misstep.runner.logged.logs import finished_records, log_files
from misstep.runner.manifest import installed

SCHEMA = 1
NAME = "summary.json"


@dataclass(frozen=True)
class Log:
    """A log as it was when it was read."""

    name: str
    size: int
    modified: int
    sha256: str


@dataclass(frozen=True)
class Summary:
    """Of the logs of one folder, or of folders that asked one model the same family."""

    logs: tuple[Log, ...]
    subjects: tuple[Subject, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Gathered:
    """The cells of all runs. `read`: the logs that were read for it; `unkept`: folders whose
    summary could be kept nowhere, so that their logs will be read again."""

    cells: tuple[Cell, ...]
    logs: int
    read: tuple[Path, ...]
    unkept: tuple[Path, ...]


def gather(runs: Sequence[Path], specs: Mapping[str, Spec]) -> Gathered:
    """Each folder by itself; those that asked one model the same family are taken together."""
    folders: dict[Path, list[Path]] = {}
    files = log_files(runs)
    for file in files:
        folders.setdefault(file.parent, []).append(file)
    keeper = _Keeper(specs)
    found = {folder: keeper.summary(logs) for folder, logs in sorted(folders.items())}
    cells: list[Cell] = []
    for together in _joined({folder: one.subjects for folder, one in found.items()}):
        if len(together) == 1:
            cells += found[together[0]].cells
        else:
            logs = sorted((log for at in together for log in folders[at]), key=lambda log: log.name)
            cells += keeper.summary(logs).cells
    read, unkept = (tuple(dict.fromkeys(places)) for places in (keeper.read, keeper.unkept))
    return Gathered(tuple(cells), len(files), read, unkept)


def _joined(subjects: Mapping[Path, Iterable[Subject]]) -> list[list[Path]]:
    """The folders in sets that share no subject, each in the order given."""
    joined: list[tuple[set[Subject], list[Path]]] = []
    for folder, own in subjects.items():
        asked, folders = set(own), [folder]
        apart = []
        for one in joined:
            if one[0] & asked:
                asked, folders = asked | one[0], one[1] + folders
            else:
                apart.append(one)
        joined = [*apart, (asked, folders)]
    return [folders for _, folders in joined]


class _Keeper:
    """Summaries from where they are kept, else made and kept; remembers what it had to read."""

    def __init__(self, specs: Mapping[str, Spec]) -> None:
        self._specs = specs
        self._made_by = _digest(
            installed()["misstep"], *(repr(specs[name]) for name in sorted(specs))
        )
        self.read: list[Path] = []
        self.unkept: list[Path] = []

    def summary(self, logs: Sequence[Path]) -> Summary:
        """The logs are of one folder, or belong together."""
        places = _places(logs)
        for place in places:
            kept = self._kept(place, logs)
            if kept is not None:
                return kept
        made = self._made(logs)
        text = json.dumps({"schema": SCHEMA, "made_by": self._made_by, "summary": plain(made)})
        if not any(_write(place, text) for place in places):
            self.unkept.append(logs[0].parent)
        return made

    def _kept(self, place: Path, logs: Sequence[Path]) -> Summary | None:
        """None where it is missing, damaged, or of something else."""
        try:
            held = json.loads(place.read_text(encoding="utf-8"))
            if (held["schema"], held["made_by"]) != (SCHEMA, self._made_by):
                return None
            kept = _summary(held["summary"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if len(kept.logs) != len(logs):
            return None
        same = (_is_same(log, file) for log, file in zip(kept.logs, logs, strict=True))
        return kept if all(same) else None

    def _made(self, logs: Sequence[Path]) -> Summary:
        self.read += logs
        seen = tuple(_seen(file) for file in logs)
        records = finished_records(logs)
        comparisons = compare(records, self._specs) if records else ()
        return Summary(seen, tuple(by_subject(records)), cells_of(comparisons))


def _places(logs: Sequence[Path]) -> tuple[Path, Path]:
    """Beside the first log, else in the user's cache; folders taken together have their own."""
    folders = list(dict.fromkeys(str(log.parent.resolve()) for log in logs))
    name = _digest(*folders)[:24]
    own = NAME if len(folders) == 1 else f"summary-{name}.json"
    return logs[0].parent / own, cache_folder() / "summaries" / f"{name}.json"


def _is_same(log: Log, file: Path) -> bool:
    """By name, size and time; where a copy has another time, by its content."""
    state = file.stat()
    if (log.name, log.size) != (file.name, state.st_size):
        return False
    return log.modified == state.st_mtime_ns or log.sha256 == _content(file)


def _seen(file: Path) -> Log:
    state = file.stat()
    return Log(file.name, state.st_size, state.st_mtime_ns, _content(file))


def _content(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


def _write(place: Path, text: str) -> bool:
    """Whole or not at all; False where nothing can be written there."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=place.parent, prefix=".summary-") as folder:
            half = Path(folder) / NAME
            half.write_text(text, encoding="utf-8")
            half.replace(place)
    except OSError:
        return False
    return True


def _summary(held: Mapping[str, Any]) -> Summary:  # Any: a JSON object; a slip in it is a TypeError
    return Summary(
        tuple(Log(**one) for one in held["logs"]),
        tuple(Subject(**one) for one in held["subjects"]),
        tuple(_cell(one) for one in held["cells"]),
    )


def _cell(held: Mapping[str, Any]) -> Cell:  # Any: likewise
    ends = held["interval"]
    parts = {
        "interval": None if ends is None else Interval(*ends),
        "warnings": tuple(held["warnings"]),
        "column": Column(**held["column"]),
    }
    return Cell(**{**held, **parts})
