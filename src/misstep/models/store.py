"""The cache of model weights: what is there, fetching what is asked for, removing it."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from misstep.core.errors import BadInput, MisstepError
from misstep.core.places import cache_folder
from misstep.models import fetch
from misstep.models.catalogue import CATALOGUE, DEFAULT, SMALL, MirrorPart, Weights

__all__ = [
    "CATALOGUE",
    "DEFAULT",
    "SMALL",
    "Listed",
    "MirrorPart",
    "State",
    "Weights",
    "cache_folder",
    "cached",
    "get",
    "known",
    "listing",
    "remove",
]


class State(StrEnum):
    """Whether the cache holds the file whole, in part, with a wrong size, or not at all."""

    CACHED = "cached"
    PARTIAL = "partial"
    DAMAGED = "damaged"
    ABSENT = "absent"


@dataclass(frozen=True)
class Listed:
    """One model of the catalogue and what the cache holds of it, in bytes."""

    weights: Weights
    path: Path
    state: State
    bytes_held: int


def known(name: str) -> Weights:
    if name not in CATALOGUE:
        raise BadInput(f"embedded model: unknown name {name!r}; known: {', '.join(CATALOGUE)}")
    return CATALOGUE[name]


def cached(name: str) -> Path | None:
    """The file in the cache, or None. A file of the wrong size is damaged: BadInput says so."""
    held = _listed(known(name))
    if held.state is State.DAMAGED:
        raise BadInput(
            f"{held.path}: damaged ({held.bytes_held} bytes, not {held.weights.size}); "
            f"run: misstep models get {name}"
        )
    return held.path if held.state is State.CACHED else None


def listing() -> tuple[Listed, ...]:
    return tuple(_listed(weights) for weights in CATALOGUE.values())


def remove(name: str) -> bool:
    """Deletes the file and whatever a broken fetch left; False where there was nothing."""
    target = _target(known(name))
    found = [path for path in (target, *_leftovers(target)) if path.exists()]
    for path in found:
        path.unlink()
    return bool(found)


def get(name: str, progress: fetch.Progress | None = None) -> Path:
    """The file in the cache, fetched if need be: official source first, the mirror second.

    The bytes are checked (SHA-256) before the file is put in place. An interrupted fetch goes
    on where it stopped. `progress` is told (bytes there, bytes in all, source).
    """
    weights = known(name)
    target = _target(weights)
    if _listed(weights).state is State.CACHED:
        return target
    with _disk_full_told(target, weights), _only_one(target):
        _check_space(target, weights)
        _fetch(weights, target, progress or (lambda _done, _total, _source: None))
    return target


def _target(weights: Weights) -> Path:
    return cache_folder() / "models" / weights.file


def _leftovers(target: Path) -> tuple[Path, ...]:
    lock = target.with_name(target.name + ".lock")
    return fetch.partial_path(target), fetch.journal_path(target), lock


def _listed(weights: Weights) -> Listed:
    target = _target(weights)
    partial = fetch.partial_path(target)
    if target.exists():
        size = target.stat().st_size
        state = State.CACHED if size == weights.size else State.DAMAGED
        return Listed(weights, target, state, size)
    if partial.exists():
        return Listed(weights, target, State.PARTIAL, partial.stat().st_size)
    return Listed(weights, target, State.ABSENT, 0)


def _fetch(weights: Weights, target: Path, progress: fetch.Progress) -> None:
    reasons: list[str] = []
    sources = (("official source", fetch.from_official), ("mirror", fetch.from_mirror))
    for label, source in sources:
        try:
            source(weights, target, progress)
            _put_in_place(weights, target)
        except fetch.SourceFailed as failure:
            reasons.append(f"{label}: {failure}")
        else:
            return
    raise MisstepError(f"{weights.name}: could not be fetched ({'; '.join(reasons)})")


def _put_in_place(weights: Weights, target: Path) -> None:
    partial = fetch.partial_path(target)
    size = partial.stat().st_size
    if size < weights.size:
        raise fetch.SourceFailed(f"ended after {size} of {weights.size} bytes")
    with partial.open("rb") as data:
        found = hashlib.file_digest(data, "sha256").hexdigest()
    if found != weights.sha256:
        partial.unlink()
        fetch.journal_path(target).unlink(missing_ok=True)
        raise fetch.SourceFailed(f"wrong checksum {found[:12]}…, not {weights.sha256[:12]}…")
    partial.replace(target)
    fetch.journal_path(target).unlink(missing_ok=True)


def _check_space(target: Path, weights: Weights) -> None:
    partial = fetch.partial_path(target)
    held = partial.stat().st_size if partial.exists() else 0
    # A mirror part lies on the disk twice for a moment: as an archive and as joined bytes.
    needed = max(0, weights.size - held) + weights.size // max(1, len(weights.mirror))
    free = shutil.disk_usage(target.parent).free
    if free < needed:
        raise BadInput(f"{target.parent}: {weights.file} needs {needed} bytes, {free} are free")


@contextlib.contextmanager
def _disk_full_told(target: Path, weights: Weights) -> Iterator[None]:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            message = (
                f"{target.parent}: the disk is full; {weights.file} needs {weights.size} bytes"
            )
            raise BadInput(message) from error
        raise MisstepError(f"{error.filename or target.parent}: {error.strerror}") from error


@contextlib.contextmanager
def _only_one(target: Path) -> Iterator[None]:
    """Two processes that fetch one file would mix their bytes; the second is told to wait."""
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        yield
        return
    lock = target.with_name(target.name + ".lock")
    with lock.open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise MisstepError(f"{target}: another process is fetching it") from None
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)
