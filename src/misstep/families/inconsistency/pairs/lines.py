"""JSON lines of a file that somebody else wrote: what is wrong with one is said with its number."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from misstep.core.errors import BadInput

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_SHOWN = 60


class _Fields(dict[str, object]):
    """An object's fields; `twice` are the names that stand there more than once."""

    def __init__(self, pairs: Sequence[tuple[str, object]]) -> None:
        super().__init__(pairs)
        counts = Counter(name for name, _ in pairs)
        self.twice = {name for name, count in counts.items() if count > 1}


@dataclass(frozen=True)
class Line:
    """An object of the file; `number` counts the file's lines from 1, empty ones included."""

    path: Path
    number: int
    values: _Fields

    def text(self, field: str) -> str:
        """The field's text, which can be written down; BadInput where there is none."""
        if field not in self.values:
            known = ", ".join(self.values) or "none"
            raise BadInput(f"{self.place}: no field {field!r}; there are: {known[:200]}")
        if field in self.values.twice:
            raise BadInput(f"{self.place}: {field}: stands there twice")
        value = self.values[field]
        if not isinstance(value, str):
            raise BadInput(f"{self.place}: {field}: {_shown(value)} is no text")
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            raise BadInput(f"{self.place}: {field}: {_shown(value)} holds half a surrogate pair")
        return value

    def refuse(self, field: str, value: str, known: Iterable[str]) -> NoReturn:
        raise BadInput(f"{self.place}: {field}: {_shown(value)} is not one of {', '.join(known)}")

    @property
    def place(self) -> str:
        return f"{self.path}: line {self.number}"


def read_lines(path: Path) -> Iterator[Line]:
    """The objects of the file, empty lines passed over. With or without a byte order mark, with
    any ends of lines; BadInput for what is not UTF-8 or no JSON object."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    if content.startswith(_UTF16):
        raise BadInput(f"{path}: is UTF-16; save it as UTF-8")
    if b"\0" in content[:4]:
        raise BadInput(f"{path}: is UTF-16 or UTF-32, or no text at all; save it as UTF-8")
    for number, raw in enumerate(content.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        text = _decoded(path, number, raw)
        if text.strip():
            yield Line(path, number, _object(path, number, text))


def _decoded(path: Path, number: int, raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = raw[error.start]
        raise BadInput(
            f"{path}: line {number}: byte 0x{byte:02x} is not UTF-8; save the file as UTF-8"
        ) from None


def _object(path: Path, number: int, text: str) -> _Fields:
    try:
        value = json.loads(text, object_pairs_hook=_Fields)
    except (ValueError, RecursionError):
        raise BadInput(f"{path}: line {number}: {text[:_SHOWN]!r} is no JSON") from None
    if not isinstance(value, _Fields):
        raise BadInput(f"{path}: line {number}: {text[:_SHOWN]!r} is no object")
    return value


def _shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
