"""The journal of a run: every reply, on disk before anybody uses it, found again by its question.

One JSON line for a call that starts, one for its reply. A call that has a start and no reply was
in flight when the process died; only such calls are asked again. In memory stands only where each
reply begins: the words of a hundred thousand would take as much as all the rest of a run.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import anyio
import anyio.to_thread

from misstep.core.errors import BadInput, MisstepError

_PIECE = 1 << 16
"""Bytes of the file's end that are looked at together for its last whole line."""


@dataclass(frozen=True)
class Question:
    """What makes a call the same call: who is asked, how, what, and at which place of the run."""

    model: str
    settings: str
    prompt: str
    item: str
    arm: str
    repetition: int
    turn: int
    call: int

    @property
    def key(self) -> str:
        parts = (self.model, self.settings, self.prompt, self.item, self.arm)
        return json.dumps([*parts, self.repetition, self.turn, self.call], ensure_ascii=False)


@dataclass(frozen=True)
class _Replies:
    """Where the line of each reply stands in an open file: its first byte, and how many."""

    file: BinaryIO
    places: dict[bytes, tuple[int, int]]

    def find(self, key: str) -> str | None:
        found = self.places.get(name_of(key))
        if found is None:
            return None
        place, length = found
        reply = _read(os.pread(self.file.fileno(), length, place))["reply"]
        assert isinstance(reply, str)  # noqa: S101 (it was one when the line was noted)
        return reply


@dataclass
class Journal:
    """The replies of one run folder, in a file that one process holds and appends to.

    `asked` counts the calls that went to the provider, `in_flight` those that an earlier process
    had begun and never finished.
    """

    path: Path
    in_flight: int
    file: BinaryIO = field(repr=False)
    _own: _Replies = field(repr=False)
    _known: _Replies | None = field(default=None, repr=False)
    asked: int = 0
    _written: int = 0
    _durable: int = 0
    _moved: anyio.Event | None = field(default=None, repr=False)

    @property
    def kept(self) -> int:
        """How many replies there are to be found."""
        known = self._known.places.keys() if self._known else ()
        return len(self._own.places.keys() | known)

    def find(self, question: Question) -> str | None:
        """The reply as it was put down, or None."""
        found = self._own.find(question.key)
        if found is None and self._known is not None:
            return self._known.find(question.key)
        return found

    def begin(self, question: Question) -> None:
        self.asked += 1
        self._write({"begun": question.key})

    async def put(self, question: Question, reply: str) -> None:
        """Return only when the reply would survive a loss of power."""
        place, name = self._write({"key": question.key, "reply": reply}), name_of(question.key)
        self._own.places[name] = place  # also where the wait is cut off, as it is written
        try:
            await self._sync(self._written)
        except OSError:
            del self._own.places[name]
            raise

    def _write(self, line: dict[str, str]) -> tuple[int, int]:
        text = _encoded(line)
        place = append(self.file, text)
        self._written += 1
        return place, len(text)

    async def _sync(self, wanted: int) -> None:
        """Bring that many lines to the disk: with one trip for all replies that come meanwhile."""
        while self._durable < wanted:
            if self._moved is not None:
                await self._moved.wait()
                continue
            # Made where it is waited for: each run has an event loop of its own.
            self._moved, written = anyio.Event(), self._written
            try:
                await anyio.to_thread.run_sync(os.fsync, self.file.fileno())
                self._durable = written
            finally:
                self._moved.set()
                self._moved = None


@contextmanager
def open_journal(path: Path, known: Path | None = None) -> Iterator[Journal]:
    """The journal, for this process alone; a line that a kill has torn is cut off.

    The replies of `known`, a journal that another process may hold, are found in it too.
    """
    with owned(path) as file:
        places, in_flight = _load(path)
        if known is None:
            yield Journal(path, in_flight, file, _Replies(file, places))
            return
        with known.open("rb") as other:
            further = _Replies(other, _load(known)[0])
            yield Journal(path, in_flight, file, _Replies(file, places), further)


@contextmanager
def owned(path: Path) -> Iterator[BinaryIO]:
    """The journal's file, to append to, for this process alone; MisstepError where it is taken."""
    with path.open("ab+", buffering=0) as file:
        _lock(file, path, fcntl.LOCK_EX)
        _cut_torn_line(file)
        yield file


def append(file: BinaryIO, lines: bytes) -> int:
    """Write lines to an owned journal, and say at which byte they begin.

    On a full disk no part of them stays: what is written next would be lost with it.
    """
    place, left = file.seek(0, os.SEEK_END), memoryview(lines)
    try:
        while left:
            left = left[file.write(left) :]
    except OSError:
        with suppress(OSError):
            file.truncate(place)
        raise
    return place


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep every other process from writing the journal; MisstepError where one does."""
    with path.open("rb") as file:
        _lock(file, path, fcntl.LOCK_SH)
        yield


def in_flight(path: Path) -> int:
    """How many calls were begun and have no reply."""
    return _load(path)[1]


def _lock(file: BinaryIO, path: Path, how: int) -> None:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        raise MisstepError(f"{path.parent}: another process is working on this run") from None


def answered(paths: Iterable[Path]) -> dict[str, set[tuple[str, int]]]:
    """For each arm, the items and repetitions that have a reply in any of these journals."""
    found: dict[str, set[tuple[str, int]]] = {}
    for line in chain.from_iterable(map(lines_of, paths)):
        if "key" in line:
            _, _, _, item, arm, repetition, *_ = json.loads(line["key"])
            found.setdefault(arm, set()).add((item, repetition))
    return found


def _cut_torn_line(file: BinaryIO) -> None:
    end = whole = file.seek(0, os.SEEK_END)
    while whole:
        begin = max(0, whole - _PIECE)
        found = os.pread(file.fileno(), whole - begin, begin).rfind(b"\n")
        whole = begin + found + 1
        if found >= 0:
            break
    if whole < end:
        file.truncate(whole)


def _load(path: Path) -> tuple[dict[bytes, tuple[int, int]], int]:
    """Where the replies are, and how many calls were begun and have none."""
    places: dict[bytes, tuple[int, int]] = {}
    begun: set[bytes] = set()
    for place, line in _placed_lines(path):
        if "begun" in line:
            begun.add(name_of(line["begun"]))
        else:
            places[name_of(line["key"])] = place
    return places, len(begun - places.keys())


def name_of(key: str) -> bytes:
    """In the place of a question's key, which is twenty times as long."""
    return blake2b(key.encode(errors="surrogatepass"), digest_size=16).digest()


def _encoded(line: dict[str, str]) -> bytes:
    return (json.dumps(line, ensure_ascii=False) + "\n").encode()


def _read(text: bytes) -> Any:  # Any: JSON values
    return json.loads(text.decode(errors="replace"))


def _is_ours(line: object) -> bool:
    if not isinstance(line, dict) or set(line) not in ({"begun"}, {"key", "reply"}):
        return False
    return all(isinstance(value, str) for value in line.values())


def lines_of(path: Path) -> Iterator[dict[str, str]]:
    """Each line, known to be one of a journal; a torn last one is left out. BadInput else."""
    return (line for _, line in _placed_lines(path))


def _placed_lines(path: Path) -> Iterator[tuple[tuple[int, int], dict[str, str]]]:
    """Each line, with its first byte and how many it has."""
    place = 0
    with path.open("rb") as file:
        for number, text in enumerate(file, 1):
            if not text.endswith(b"\n"):
                return
            try:
                line = _read(text)
                if not _is_ours(line):
                    raise ValueError
            except (ValueError, RecursionError):
                said = text.decode(errors="replace")[:60]
                raise BadInput(f"{path}: line {number} is no line of a journal: {said!r}") from None
            yield (place, len(text)), line
            place += len(text)
