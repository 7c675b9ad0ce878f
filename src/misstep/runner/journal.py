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

    def find(self, question: Question) -> str | None:
        """The reply as it was put down, or None."""
        return self.replies.get(question.key)

    def begin(self, question: Question) -> None:
        self.asked += 1
        self._write({"begun": question.key}, is_durable=False)

    def put(self, question: Question, reply: str) -> None:
        """Return only when the reply would survive a loss of power."""
        self._write({"key": question.key, "reply": reply}, is_durable=True)
        self.replies[question.key] = reply

    def _write(self, line: dict[str, str], *, is_durable: bool) -> None:
        self.file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.file.flush()
        if is_durable:
            os.fsync(self.file.fileno())


@contextmanager
def open_journal(path: Path) -> Iterator[Journal]:
    """The journal, for this process alone; a line that a kill has torn is cut off."""
    with path.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise MisstepError(f"{path.parent}: another process is working on this run") from None
        _cut_torn_line(path)
        replies, in_flight = _load(path)
        yield Journal(path, replies, in_flight, file)


def answered(path: Path) -> dict[str, set[tuple[str, int]]]:
    """For each arm, the items and repetitions that have a reply; none where there is no journal."""
    found: dict[str, set[tuple[str, int]]] = {}
    if path.exists():
        for line in _lines(path):
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
    for line in _lines(path):
        if "begun" in line:
            begun.add(line["begun"])
        else:
            replies[line["key"]] = line["reply"]
    return replies, len(begun - replies.keys())


def _is_ours(line: object) -> bool:
    if not isinstance(line, dict) or set(line) not in ({"begun"}, {"key", "reply"}):
        return False
    return all(isinstance(value, str) for value in line.values())


def _lines(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, text in enumerate(file, 1):
            try:
                line = json.loads(text)
                if not _is_ours(line):
                    raise ValueError
            except (ValueError, RecursionError):
                raise BadInput(
                    f"{path}: line {number} is no line of a journal: {text[:60]!r}"
                ) from None
            yield line
