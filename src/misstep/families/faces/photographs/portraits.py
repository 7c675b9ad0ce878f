"""The portraits of a folder of photographs: one for each picture that shows one face."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from misstep.core.progress import report
from misstep.families.faces import sets
from misstep.families.faces.looking import eyes
from misstep.families.faces.photographs.cutting import NotOne, portrait
from misstep.families.faces.photographs.people import Person, Skipped, read_file
from misstep.families.faces.photographs.table import Described
from misstep.picture_files import Unreadable, png, upright


@dataclass(frozen=True)
class Portrait:
    """A face in a photograph: the photograph's name, the SHA-256 and the embedding of what is cut
    out. That itself is cut out again where it is needed, since thousands would fill the memory."""

    file: str
    digest: str
    embedding: Sequence[float] = field(repr=False)
    cut: Callable[[], bytes] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Sitter:
    """A person of whom there is at least one portrait."""

    name: str
    portraits: tuple[Portrait, ...]
    described: Described | None


@dataclass(frozen=True)
class Found:
    """The people who can be used, and all that is left out."""

    sitters: tuple[Sitter, ...]
    skipped: tuple[Skipped, ...]


def read_sitters(
    people: Sequence[Person], table: Mapping[str, Described] | None, size: int
) -> Found:
    """Each photograph is looked at once; how far this has come is reported."""
    skipped: list[Skipped] = []
    sitters: list[Sitter] = []
    total = sum(len(person.files) for person in people)
    done = 0
    for person in people:
        report(done, total, "looking for faces")
        done += len(person.files)
        if table is not None and person.name not in table:
            skipped.append(Skipped(person.name, "the table doesn't name this person"))
            continue
        portraits = [one for file in person.files for one in _portraits(file, size, skipped)]
        if portraits:
            described = table[person.name] if table is not None else None
            sitters.append(Sitter(person.name, tuple(portraits), described))
        else:
            skipped.append(Skipped(person.name, "no picture that shows one face"))
    report(total, total, "looking for faces")
    missing = [name for name in table or () if name not in {person.name for person in people}]
    skipped += [Skipped(name, "is in the table and has no sub-folder") for name in missing]
    return Found(tuple(sitters), tuple(skipped))


def _portraits(file: Path, size: int, skipped: list[Skipped]) -> Iterator[Portrait]:
    """The file's portrait, or a line in `skipped`."""
    name = f"{file.parent.name}/{file.name}"
    try:
        picture = _cut(file, size)
    except (Unreadable, NotOne) as error:
        skipped.append(Skipped(name, str(error)))
        return
    found = eyes.embedding(picture)
    if found is None:
        skipped.append(Skipped(name, "no single face once it is cut out"))
        return
    yield Portrait(file.name, sets.sha256(picture), found, lambda: _cut(file, size))


def _cut(file: Path, size: int) -> bytes:
    """As PNG; Unreadable or NotOne say why there is none."""
    return png(portrait(upright(read_file(file)), size))
