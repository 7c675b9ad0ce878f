"""What was bought: every answer in a file named by its request, on disk before anybody uses it.

`calls.jsonl` has a line for a call that begins and one for its end. A call with neither an end nor
a file was under way when a process died: it is asked again, and counted. The folder belongs to one
process at a time.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from misstep.core.errors import BadInput, MisstepError
from misstep.families.faces.service.calls import Kind

JOURNAL = "calls.jsonl"
ROOM = 8 << 20
"""Bytes that are set aside on the disk before a call, since its answer can't be had again."""


class End(StrEnum):
    """How a call ended. `failed`: refused by the service's machinery, not paid for. `unsure`: the
    connection broke or the process died, and whether it was paid for isn't known."""

    PICTURE = "picture"
    FILTERED = "filtered"
    BROKEN = "broken"
    REFUSED = "refused"
    FAILED = "failed"
    UNSURE = "unsure"


_PAID = (End.PICTURE, End.FILTERED, End.BROKEN)
_KEPT = {End.PICTURE: ".png", End.FILTERED: ".filtered", End.REFUSED: ".refused"}


@dataclass(frozen=True)
class Answer:
    """A kept answer; `picture` is empty unless it ended as one."""

    end: End
    picture: bytes = b""


@dataclass(frozen=True)
class Bill:
    """Calls by how they ended, and their credits: `paid` for certain, `unsure` perhaps."""

    ends: Counter[End]
    paid: float
    unsure: float


class TooDear(MisstepError):
    """One more call might go beyond the budget; nothing was asked."""


class Purchases:
    """The folder of answers. May be used from several threads; see `open_purchases`."""

    def __init__(self, folder: Path, journal: Path, lines: list[_Line]) -> None:
        self._folder = folder
        self._journal = journal
        self._lock = threading.Lock()
        self._ended: Counter[End] = Counter()
        self._credits: dict[End, float] = dict.fromkeys(End, 0.0)
        self._held = 0.0
        self.repeated = 0
        """Calls that an earlier process had under way when it died."""
        self._load(lines)

    def find(self, key: str) -> Answer | None:
        for end, ending in _KEPT.items():
            path = self._folder / (key + ending)
            if path.exists():
                return Answer(end, path.read_bytes() if end is End.PICTURE else b"")
        return None

    def bill(self) -> Bill:
        with self._lock:
            paid = sum(self._credits[end] for end in _PAID)
            return Bill(self._ended.copy(), paid, self._credits[End.UNSURE])

    @contextmanager
    def calling(self, key: str, kind: Kind, cost: float, most: float | None) -> Iterator[Place]:
        """Within it one call is made; it ends as `Place.end` says, unsure where that isn't told.

        TooDear where its credits might lead beyond `most`, all that is unsure counted as paid.
        """
        self._hold(cost, most)
        place = Place(self._folder, key)
        try:
            with place.room():
                self._write({"begun": key, "kind": kind, "credits": cost})
                try:
                    yield place
                finally:
                    self._write({"ended": key, "as": place.ended})
                    self._count(place.ended, cost)
        finally:
            with self._lock:
                self._held -= cost

    def _hold(self, cost: float, most: float | None) -> None:
        with self._lock:
            spent = sum(self._credits[end] for end in (*_PAID, End.UNSURE)) + self._held
            if most is not None and spent + cost > most:
                raise TooDear(
                    f"--budget: {spent:g} credits are spent or under way, and one more call of "
                    f"{cost:g} would go beyond {most:g}"
                )
            self._held += cost

    def _count(self, end: End, cost: float) -> None:
        with self._lock:
            self._ended[end] += 1
            self._credits[end] += cost

    def _write(self, line: dict[str, object]) -> None:
        with self._lock, self._journal.open("ab") as file:
            file.write((json.dumps(line) + "\n").encode())
            file.flush()
            os.fsync(file.fileno())

    def _load(self, lines: list[_Line]) -> None:
        begun: dict[str, float] = {}
        for line in lines:
            if line.end is None:
                begun[line.key] = line.credits
            else:
                self._count(line.end, begun.pop(line.key, 0.0))
        for key, cost in begun.items():
            answer = self.find(key)
            end = End.UNSURE if answer is None else answer.end
            self.repeated += answer is None
            self._write({"ended": key, "as": end})
            self._count(end, cost)


class Place:
    """Where one call's answer goes: its room on the disk is taken before the call is made."""

    def __init__(self, folder: Path, key: str) -> None:
        self._folder = folder
        self._key = key
        self._part = folder / f".{key}.part"
        self.ended = End.UNSURE

    @contextmanager
    def room(self) -> Iterator[None]:
        try:
            with self._part.open("wb") as file:
                _take(file.fileno())
            yield
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise
            raise MisstepError(
                f"{self._folder}: {error.strerror}; every answer that came is kept"
            ) from None
        finally:
            self._part.unlink(missing_ok=True)

    def end(self, end: End, content: bytes = b"") -> None:
        """Return only when the answer would survive a loss of power, where it is one to keep."""
        if end in _KEPT:
            with self._part.open("r+b") as file:
                file.write(content)
                file.truncate()
                file.flush()
                os.fsync(file.fileno())
            self._part.replace(self._folder / (self._key + _KEPT[end]))
            _sync(self._folder)
        self.ended = end


def _take(file: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, 0, ROOM)
    else:
        os.write(file, bytes(ROOM))


def _sync(folder: Path) -> None:
    """A new name is on disk only when its folder is."""
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


@contextmanager
def open_purchases(folder: Path) -> Iterator[Purchases]:
    """The answers, for this process alone; a line that a kill has torn is cut off."""
    journal = folder / JOURNAL
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = journal.open("ab")
    except OSError as error:
        raise BadInput(f"{folder}: {error.strerror}") from None
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise MisstepError(f"{folder}: another process is buying into this folder") from None
        for part in folder.glob(".*.part"):
            part.unlink()
        yield Purchases(folder, journal, _lines(journal))


@dataclass(frozen=True)
class _Line:
    key: str
    credits: float = 0.0
    end: End | None = None


def _lines(journal: Path) -> list[_Line]:
    content = journal.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.truncate(journal, whole)
    texts = content[:whole].decode(errors="replace").splitlines()
    return [_line(f"{journal}: line {number}", text) for number, text in enumerate(texts, 1)]


def _line(where: str, text: str) -> _Line:
    try:
        plain = json.loads(text)
        if "begun" in plain:
            return _Line(str(plain["begun"]), float(plain["credits"]))
        return _Line(str(plain["ended"]), end=End(plain["as"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadInput(f"{where} is no line of a journal of calls: {text[:60]!r}") from None
