"""What people decided of a set's problems by eye: a line for each decision, and for each undo.

A line is on disk before it counts; the schema is in docs/faces-sources.md. Rejected problems are
not asked; who makes the set makes them anew.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from io import FileIO
from pathlib import Path

from misstep.core.errors import BadInput, MisstepError

SCHEMA = 1
NAME = "decisions.jsonl"


class Decision(StrEnum):
    """What was said of a problem."""

    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True)
class Line:
    """A decision on the problem of that id; None: as if nothing had been said.

    `is_undo`: it takes back the last line that wasn't taken back yet, and says what holds again.
    """

    id: str
    decision: Decision | None
    is_undo: bool = False


@dataclass(frozen=True)
class Said:
    """What holds, and what can be taken back: by line, its id and what was said of it before."""

    now: Mapping[str, Decision]
    history: tuple[tuple[str, Decision | None], ...]


def append(folder: Path, line: Line) -> None:
    """Return only when the line would survive a loss of power."""
    plain = {
        "schema": SCHEMA,
        "id": line.id,
        "decision": line.decision,
        **({"undo": True} if line.is_undo else {}),
    }
    path = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("ab+", buffering=0) as file:
            _write(file, (json.dumps(plain, ensure_ascii=False) + "\n").encode())
    except OSError as error:
        said = error.strerror or error
        raise MisstepError(f"{path}: the decision can't be kept: {said}") from None


def _write(file: FileIO, line: bytes) -> None:
    """What doesn't get to the disk is taken out of the file again, so that it can't count later.

    One writer at a time, as two reviews of one set would cut off each other's lines.
    """
    fcntl.flock(file, fcntl.LOCK_EX)
    file.seek(0)
    whole = file.read().rfind(b"\n") + 1
    try:
        file.truncate(whole)
        if file.write(line) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(file.fileno())
    except OSError:
        os.ftruncate(file.fileno(), whole)
        raise


def read(folder: Path) -> tuple[Line, ...]:
    """The lines in their order, none where there is no file; what a kill has torn is left out.

    BadInput names a line that is no decision.
    """
    path = folder / NAME
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None
    whole = content[: content.rfind(b"\n") + 1].decode(errors="replace")
    return tuple(
        _line(f"{path}: line {number}", text)
        for number, text in enumerate(whole.split("\n")[:-1], 1)
        if text.strip()
    )


def said(lines: Iterable[Line]) -> Said:
    now: dict[str, Decision] = {}
    history: list[tuple[str, Decision | None]] = []
    for line in lines:
        if not line.is_undo:
            history.append((line.id, now.get(line.id)))
        elif history:
            history.pop()
        now.pop(line.id, None)
        if line.decision is not None:
            now[line.id] = line.decision
    return Said(now, tuple(history))


def _line(where: str, text: str) -> Line:
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput(f"{where}: is no decision: {text[:60]!r}") from None
    if not isinstance(plain, dict) or not isinstance(plain.get("id"), str):
        raise BadInput(f"{where}: is no decision: {text[:60]!r}")
    decision = plain.get("decision")
    if decision is not None and decision not in tuple(Decision):
        raise BadInput(f"{where}: decision: {decision!r} is none of accept, reject, null")
    is_undo = plain.get("undo", False) is True
    return Line(plain["id"], None if decision is None else Decision(decision), is_undo)
