"""Saved states of the model after shared prompt beginnings: what is kept, and where cuts lie."""

from __future__ import annotations

import hashlib
import shutil
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_MOST_BYTES = 1 << 30


@dataclass(frozen=True)
class Cut:
    """The first `length` tokens of a prompt, evaluated in pieces that end at each cut so far.

    `key` names the tokens and the pieces: a state depends on both, to the bit.
    """

    length: int
    key: str


def cuts(tokens: Sequence[int], beginnings: Sequence[Sequence[int]]) -> tuple[Cut, ...]:
    """Where the prompt may be cut: after what its tokens share with each beginning's own tokens.

    Depends on the prompt and its beginnings only. At least one token is left after the last cut.
    """
    lengths = {min(_shared(tokens, part), len(tokens) - 1) for part in beginnings}
    found: list[Cut] = []
    key = ""
    last = 0
    for length in sorted(lengths - {0}):
        piece = ",".join(str(token) for token in tokens[last:length])
        key = hashlib.sha256(f"{key}|{piece}".encode()).hexdigest()
        found.append(Cut(length, key))
        last = length
    return tuple(found)


def _shared(left: Sequence[int], right: Sequence[int]) -> int:
    pairs = zip(left, right, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), len(right))


class Snapshots:
    """The files in the server's folder, the least used of them given up when they grow too big."""

    def __init__(self, folder: Path, most_bytes: int = _MOST_BYTES) -> None:
        self._folder = folder
        self._most = min(most_bytes, shutil.disk_usage(folder).free // 2)
        self._sizes: OrderedDict[str, int] = OrderedDict()

    def has(self, cut: Cut) -> bool:
        return cut.key in self._sizes

    def file(self, cut: Cut) -> str:
        """The file's name inside the folder."""
        return f"{cut.key}.bin"

    def used(self, cut: Cut) -> None:
        self._sizes.move_to_end(cut.key)

    def saved(self, cut: Cut, size: int) -> None:
        self._sizes[cut.key] = size
        while sum(self._sizes.values()) > self._most:
            self._drop(next(iter(self._sizes)))

    def lost(self, cut: Cut) -> None:
        self._drop(cut.key)

    def _drop(self, key: str) -> None:
        del self._sizes[key]
        (self._folder / f"{key}.bin").unlink(missing_ok=True)
