"""Labels: what people say of two replies that disagree, and the file in which that is kept.

One JSON line for each label, on disk before it counts; the schema is in docs/labelling.md.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from misstep.core.errors import BadInput, MisstepError

SCHEMA = 1
NAME = "labels.jsonl"
UNLABELLED = "unlabelled"
"""The reason of a record whose answer was read, while nobody has said yet what it is worth."""
LONGEST_NAME = 80
_KEYS = {"schema", "item", "disagreement", "labeller", "judgement"}


class Judgement(StrEnum):
    """Which of the two answers of a disagreement is right; which is the first, its id says."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    NEITHER = "neither"
    CANNOT_SAY = "cannot_say"


@dataclass(frozen=True)
class Label:
    """What a person says of a disagreement; `judgement` None takes back what was said before."""

    item: str
    disagreement: str
    labeller: str
    judgement: Judgement | None


def check_labeller(name: str) -> str:
    """The name without spaces around it; BadInput where it can't stand for a person."""
    found = name.strip()
    if not found or len(found) > LONGEST_NAME or not found.isprintable():
        raise BadInput(
            f"--labeller: {name[:LONGEST_NAME]!r} is no name of 1 to {LONGEST_NAME} signs"
        )
    return found


def append(path: Path, label: Label) -> None:
    """Return only when the label would survive a loss of power; a torn last line stays one line."""
    line = json.dumps(_plain(label), ensure_ascii=False) + "\n"
    try:
        with path.open("ab+") as file:
            start = "" if _ends_whole(path) else "\n"
            file.write((start + line).encode(errors="replace"))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise MisstepError(f"{path}: the label can't be kept: {error.strerror or error}") from None


def read(path: Path) -> tuple[Label, ...]:
    """The labels in the order in which they were given; none where there is no file.

    A line that a kill has torn is no JSON and holds no label; BadInput for any other that is none.
    """
    if not path.exists():
        return ()
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            lines = (_label(f"{path}: line {number}", text) for number, text in enumerate(file, 1))
            return tuple(label for label in lines if label is not None)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None


def latest(labels: Iterable[Label]) -> dict[str, dict[str, Judgement]]:
    """By disagreement, what each labeller says of it now, in the order of saying."""
    found: dict[str, dict[str, Judgement]] = {}
    for label in labels:
        said = found.pop(label.disagreement, {})
        said.pop(label.labeller, None)
        if label.judgement is not None:
            said[label.labeller] = label.judgement
        if said:
            found[label.disagreement] = said
    return found


def labellers(labels: Iterable[Label]) -> list[str]:
    return sorted({label.labeller for label in labels})


def _plain(label: Label) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "item": label.item,
        "disagreement": label.disagreement,
        "labeller": label.labeller,
        "judgement": label.judgement,
    }


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _label(where: str, text: str) -> Label | None:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        if _is_torn(text):
            return None
        raise BadInput(f"{where}: is no label: {text.strip()[:60]!r}") from None
    if not isinstance(line, dict) or set(line) != _KEYS:
        raise BadInput(f"{where}: is no label: {text.strip()[:60]!r}")
    if line["schema"] != SCHEMA:
        raise BadInput(f"{where}: schema is {line['schema']!r}, this version reads {SCHEMA}")
    return _checked(where, line)


def _is_torn(text: str) -> bool:
    """Whether the line is the beginning of one of ours, or empty."""
    begun = text.strip()
    ours = '{"schema": '
    return not begun or begun.startswith(ours) or ours.startswith(begun)


def _checked(where: str, line: dict[str, object]) -> Label:
    texts = {name: line[name] for name in ("item", "disagreement", "labeller")}
    for name, value in texts.items():
        if not isinstance(value, str) or not value:
            raise BadInput(f"{where}: {name}: {value!r} is no text")
    said = line["judgement"]
    if said is not None and said not in tuple(Judgement):
        raise BadInput(f"{where}: judgement: {said!r} is none of {', '.join(Judgement)}")
    judgement = None if said is None else Judgement(str(said))
    return Label(**{name: str(value) for name, value in texts.items()}, judgement=judgement)
