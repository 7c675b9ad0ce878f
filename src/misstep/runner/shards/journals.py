"""The journals of several parts in one: each reply once, and none that contradicts another."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from misstep.core.errors import BadInput
from misstep.runner.journal import lines_of, owned

WORKERS = ".workers"
"""The hidden folder in a run's, which has a folder for each worker while they work."""


@dataclass(frozen=True)
class _Known:
    """A reply that stands in the joined journal: where it came from, and what it is."""

    path: Path
    digest: bytes


def join(paths: Sequence[Path], into: Path) -> None:
    """Append to `into` every reply of the journals that it does not hold yet; durably.

    Calls without a reply stay calls that were in flight. BadInput where one call has two replies
    that differ in more than their times: nothing says which is the right one.
    """
    known: dict[str, _Known] = {}
    begun: set[str] = set()
    if into.exists():
        _note(into, known, begun)
    with into.open("a", encoding="utf-8") as file:
        for path in paths:
            _copy(path, file, known, begun)
        for key in sorted(begun - known.keys()):
            _write(file, {"begun": key})
        file.flush()
        os.fsync(file.fileno())


def absorb(folder: Path, journal: str) -> None:
    """Take over what workers left behind whose run was killed: their replies, nothing else.

    MisstepError where one of them is still at work.
    """
    if not (folder / WORKERS).exists():
        return
    with ExitStack() as stack:
        # Also where no worker has begun to write: the run itself may be starting them.
        stack.enter_context(owned(folder / journal))
        _, *left = all_of(folder, journal)
        for path in left:
            stack.enter_context(owned(path))
        if left:
            join(left, folder / journal)
        shutil.rmtree(folder / WORKERS, ignore_errors=True)


def all_of(folder: Path, journal: str) -> list[Path]:
    """The run's own journal, if there is one, and those of workers whose run was killed."""
    own = folder / journal
    return [*([own] if own.exists() else []), *sorted((folder / WORKERS).glob(f"*/{journal}"))]


def _note(path: Path, known: dict[str, _Known], begun: set[str]) -> None:
    for line in lines_of(path):
        if "key" in line:
            known[line["key"]] = _Known(path, _digest(line["reply"]))
        else:
            begun.add(line["begun"])


def _copy(path: Path, file: TextIO, known: dict[str, _Known], begun: set[str]) -> None:
    for line in lines_of(path):
        if "begun" in line:
            begun.add(line["begun"])
            continue
        key, digest = line["key"], _digest(line["reply"])
        before = known.setdefault(key, _Known(path, digest))
        if before.path == path and before.digest == digest:
            _write(file, line)
        elif before.digest != digest:
            _check_alike(key, before.path, path, line["reply"])


def _write(file: TextIO, line: dict[str, str]) -> None:
    file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _digest(reply: str) -> bytes:
    return hashlib.blake2b(reply.encode(errors="surrogatepass"), digest_size=16).digest()


def _check_alike(key: str, before: Path, now: Path, reply: str) -> None:
    """Two machines take other times for the same words; anything else is a contradiction."""
    first = next(line["reply"] for line in lines_of(before) if line.get("key") == key)
    if _timeless(first) == _timeless(reply):
        return
    _, _, _, item, arm, repetition, *_ = json.loads(key)
    again = f", repetition {repetition}" if repetition > 1 else ""
    raise BadInput(
        f"RUN: {item} in {arm}{again} has one reply in {before.parent} and another in "
        f"{now.parent}; name only one of them"
    )


def _timeless(reply: str) -> object:
    """Without what differs between two calls that answered alike: times, and ids of messages."""
    plain = json.loads(reply)
    return _without(plain, ("time", "seconds", "id", "completion_id"))


def _without(value: object, names: Iterable[str]) -> object:
    if isinstance(value, dict):
        return {name: _without(part, names) for name, part in value.items() if name not in names}
    if isinstance(value, list):
        return [_without(part, names) for part in value]
    return value
