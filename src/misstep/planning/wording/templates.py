"""Templates such as "stack {block} on {target}": filled with phrases, and taken apart again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from misstep.planning.wording.errors import WordingError

_SLOT = re.compile(r"\{([^{}]*)\}")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Template:
    """`parts` are literal texts (str) and the 0-based positions of arguments (int)."""

    text: str
    parts: tuple[str | int, ...]

    @property
    def positions(self) -> frozenset[int]:
        return frozenset(part for part in self.parts if isinstance(part, int))

    def fill(self, phrases: Sequence[str]) -> str:
        return "".join(part if isinstance(part, str) else phrases[part] for part in self.parts)

    def splits(self, text: str) -> Iterator[dict[int, str]]:
        """Every way in which the normalised text can be cut into this template's arguments.

        Upper and lower case count as the same. An argument is never empty, and one that stands
        twice is the same text twice.
        """
        return _splits(self.parts, 0, text, 0, {})


def normalised(text: str) -> str:
    """Lower case, single spaces, no full stop at the end: as phrases are compared."""
    return _SPACE.sub(" ", text).strip().rstrip(".").rstrip().lower()


def parse_template(text: str, parameters: Sequence[str], file: str, field: str) -> Template:
    """Slots are parameter names without "?", or their numbers from 1: {block}, {2}."""
    parts: list[str | int] = []
    position = 0
    for slot in _SLOT.finditer(text):
        parts.append(text[position : slot.start()])
        parts.append(_argument(slot.group(1), parameters, file, field))
        position = slot.end()
    parts.append(text[position:])
    kept = tuple(part for part in parts if part != "")
    if any(isinstance(part, str) and ("{" in part or "}" in part) for part in kept):
        raise WordingError(file, field, f"a brace without its partner in {text!r}")
    if not kept:
        raise WordingError(file, field, "is empty")
    return Template(text, kept)


def missing_parameters(template: Template, parameters: Sequence[str]) -> tuple[str, ...]:
    """The parameters that have no slot: without them a phrase can't be read back."""
    used = template.positions
    return tuple(name for place, name in enumerate(parameters) if place not in used)


def _argument(slot: str, parameters: Sequence[str], file: str, field: str) -> int:
    if slot in parameters:
        return list(parameters).index(slot)
    if slot.isascii() and slot.isdigit() and 1 <= int(slot) <= len(parameters):
        return int(slot) - 1
    known = ", ".join(f"{{{name}}}" for name in parameters) or "none"
    raise WordingError(file, field, f"{{{slot}}} is no parameter (there are: {known})")


def _splits(
    parts: tuple[str | int, ...], index: int, text: str, start: int, found: dict[int, str]
) -> Iterator[dict[int, str]]:
    """Arguments end where the next literal stands, each place of it tried."""
    if index == len(parts):
        if start == len(text):
            yield found
        return
    part = parts[index]
    if isinstance(part, str):
        literal = part.lower()
        if text.startswith(literal, start):
            yield from _splits(parts, index + 1, text, start + len(literal), found)
        return
    for end in _ends(parts, index, text, start):
        argument = text[start:end]
        if found.get(part, argument) == argument:
            yield from _splits(parts, index + 1, text, end, found | {part: argument})


def _ends(parts: tuple[str | int, ...], index: int, text: str, start: int) -> Iterator[int]:
    """Where the argument at `index` may end: at the end, or before each copy of the literal."""
    if index + 1 == len(parts):
        if start < len(text):
            yield len(text)
        return
    following = parts[index + 1]
    if isinstance(following, int):
        yield from range(start + 1, len(text))
        return
    end = text.find(following.lower(), start + 1)
    while end != -1:
        yield end
        end = text.find(following.lower(), end + 1)
