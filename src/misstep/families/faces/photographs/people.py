"""Who is in a folder of photographs: a sub-folder for each person, and the files in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from misstep.core.errors import BadInput
from misstep.picture_files import Unreadable, file_content

ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp")


@dataclass(frozen=True)
class Skipped:
    """A file or a person that is left out, by name, and why."""

    name: str
    why: str


@dataclass(frozen=True)
class Person:
    """A sub-folder: its name, and its files in the order of their names."""

    name: str
    files: tuple[Path, ...]


def read_people(folder: Path) -> tuple[Person, ...]:
    """In the order of their names; BadInput where there is no folder, or nobody in it."""
    if not folder.is_dir():
        raise BadInput(f"FOLDER: {folder}: {'is no folder' if folder.exists() else 'is not there'}")
    try:
        folders = [one for one in _seen(folder) if one.is_dir()]
        found = tuple(Person(normalize("NFC", one.name), _files(one)) for one in folders)
    except OSError as error:
        raise BadInput(f"FOLDER: {error.filename}: {error.strerror}") from None
    if not found:
        raise BadInput(f"FOLDER: {folder}: holds no sub-folder; each person needs one")
    return found


def read_file(path: Path) -> bytes:
    """The file's bytes; Unreadable says why they aren't read."""
    if path.is_dir():
        raise Unreadable("is a folder within a person's")
    if path.suffix.lower() not in ENDINGS:
        raise Unreadable(f"is none of {', '.join(ENDINGS)}")
    return file_content(path)


def _files(folder: Path) -> tuple[Path, ...]:
    """Whatever is there, so that what is no picture is named, too."""
    return tuple(_seen(folder))


def _seen(folder: Path) -> Iterator[Path]:
    return (one for one in sorted(folder.iterdir()) if not one.name.startswith("."))
