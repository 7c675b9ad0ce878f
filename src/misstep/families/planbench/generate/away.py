"""Drafts made on other machines, with what planners have said so far, and what they say there."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from misstep.core.spreading import Spread
from misstep.families.planbench.generate.drawing import Draft
from misstep.picture_files import put_whole

MOST_SENT = 100_000_000
"""Bytes of kept answers that are sent along; those of a larger cache are found anew."""
Entries = Mapping[str, bytes]
Make = Callable[[Path | None, int], Draft | None]
"""Makes the draft of a number, with the cache of that folder."""


@dataclass(frozen=True)
class _Made:
    draft: Draft | None
    answers: Entries


def made(make: Make, kept_in: Path | None, spread: Spread) -> Iterator[Draft | None]:
    """The drafts of all numbers in their order. New answers of planners come into the cache."""
    known = {} if kept_in is None else _entries(kept_in)
    fits = sum(map(len, known.values())) <= MOST_SENT
    work = partial(_made_there, make, known if fits else {}, kept_in is not None)
    for one in spread(work, count()):
        for name, content in one.answers.items():
            if kept_in is not None and name not in known:
                # As for answers that are found here: a cache that can't be written keeps nothing.
                with contextlib.suppress(OSError):
                    put_whole(kept_in / name, content)
        yield one.draft


def _made_there(make: Make, known: Entries, is_kept: bool, number: int) -> _Made:
    if not is_kept:
        return _Made(make(None, number), {})
    folder = Path(_folder(_digest(known)).name)
    if not any(folder.iterdir()):
        for name, content in known.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    before = set(_names(folder))
    draft = make(folder, number)
    new = [name for name in _names(folder) if name not in before]
    return _Made(draft, {name: (folder / name).read_bytes() for name in new})


@cache
def _folder(_digest: str) -> TemporaryDirectory[str]:
    """One for each process and cache that was sent; it goes with the process."""
    return TemporaryDirectory(prefix="misstep-")


def _digest(known: Entries) -> str:
    return sha256("\n".join(sorted(known)).encode()).hexdigest()


def _entries(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in _names(folder)}


def _names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.glob("*/*.json"))
