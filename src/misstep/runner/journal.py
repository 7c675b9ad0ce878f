"""The journal of a run: every reply, on disk before anybody uses it, found again by its question.

One JSON line for a call that starts, one for its reply. A call that has a start and no reply was
in flight when the process died; only such calls are asked again.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import anyio
import anyio.to_thread

from misstep.core.errors import BadInput, MisstepError


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


@dataclass
class Journal:
    """The replies of one run folder, kept in memory and appended to a file that one process holds.

    `asked` counts the calls that went to the provider, `in_flight` those that an earlier process
    had begun and never finished.
    """

    path: Path
    replies: dict[str, str]
    in_flight: int
    file: TextIO = field(repr=False)
    asked: int = 0
    _written: int = 0
    _durable: int = 0
    _moved: anyio.Event | None = field(default=None, repr=False)

    def find(self, question: Question) -> str | None:
        """The reply as it was put down, or None."""
        return self.replies.get(question.key)

    def begin(self, question: Question) -> None:
        self.asked += 1
        self._write({"begun": question.key})

    async def put(self, question: Question, reply: str) -> None:
        """Return only when the reply would survive a loss of power."""
        self._write({"key": question.key, "reply": reply})
        self.replies[question.key] = reply  # also where the wait is cut off, as it is written
        try:
            await self._sync(self._written)
        except OSError:
            del self.replies[question.key]
            raise

    def _write(self, line: dict[str, str]) -> None:
        self.file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.file.flush()
        self._written += 1

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
        replies, in_flight = _load(path)
        if known is not None:
            replies = _load(known)[0] | replies
        yield Journal(path, replies, in_flight, file)


@contextmanager
def owned(path: Path) -> Iterator[TextIO]:
    """The journal's file, to append to, for this process alone; MisstepError where it is taken."""
    with path.open("a+", encoding="utf-8") as file:
        _lock(file, path, fcntl.LOCK_EX)
        _cut_torn_line(path)
        yield file


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep every other process from writing the journal; MisstepError where one does."""
    with path.open(encoding="utf-8") as file:
        _lock(file, path, fcntl.LOCK_SH)
        yield


def in_flight(path: Path) -> int:
    """How many calls were begun and have no reply."""
    return _load(path)[1]


def _lock(file: TextIO, path: Path, how: int) -> None:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        raise MisstepError(f"{path.parent}: another process is working on this run") from None


def answered(path: Path) -> dict[str, set[tuple[str, int]]]:
    """For each arm, the items and repetitions that have a reply; none where there is no journal."""
    found: dict[str, set[tuple[str, int]]] = {}
    if path.exists():
        for line in lines_of(path):
            if "key" in line:
                _, _, _, item, arm, repetition, *_ = json.loads(line["key"])
                found.setdefault(arm, set()).add((item, repetition))
    return found


def _cut_torn_line(path: Path) -> None:
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.truncate(path, whole)


def _load(path: Path) -> tuple[dict[str, str], int]:
    replies: dict[str, str] = {}
    begun: set[str] = set()
    for line in lines_of(path):
        if "begun" in line:
            begun.add(line["begun"])
        else:
            replies[line["key"]] = line["reply"]
    return replies, len(begun - replies.keys())


def _is_ours(line: object) -> bool:
    if not isinstance(line, dict) or set(line) not in ({"begun"}, {"key", "reply"}):
        return False
    return all(isinstance(value, str) for value in line.values())


def lines_of(path: Path) -> Iterator[dict[str, str]]:
    """Each line, known to be one of a journal; a torn last one is left out. BadInput else."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, text in enumerate(file, 1):
            if not text.endswith("\n"):
                return
            try:
                line = json.loads(text)
                if not _is_ours(line):
                    raise ValueError
            except (ValueError, RecursionError):
                raise BadInput(
                    f"{path}: line {number} is no line of a journal: {text[:60]!r}"
                ) from None
            yield line
