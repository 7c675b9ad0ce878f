"""The table of people's attributes: a CSV file with a row for each person."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from misstep.core.errors import BadInput
from misstep.families.faces.attributes import NAMES, VALUES, Attributes

PERSON = "person"
TABLE = "people.csv"
"""Of the folder itself, read where no other is named."""


@dataclass(frozen=True)
class Described:
    """What the table says of a person, in the order of its columns; never all in doubt."""

    values: tuple[tuple[str, str], ...]

    @property
    def attributes(self) -> Attributes | None:
        """None where the table doesn't say all seven."""
        known = dict(self.values)
        return Attributes(**known) if set(known) == set(NAMES) else None


def find_table(folder: Path) -> Path | None:
    place = folder / TABLE
    return place if place.exists() else None


def read_table(path: Path) -> Mapping[str, Described]:
    """By person. BadInput names the line, the column and the value."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"--table: {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BadInput(f"--table: {path}: is not text in UTF-8") from None
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        columns = _columns(path, list(rows.fieldnames or ()))
        return _people(path, rows, columns)
    except csv.Error as error:
        raise BadInput(f"--table: {path}: line {rows.reader.line_num}: {error}") from None


def _columns(path: Path, names: list[str]) -> list[str]:
    for name in names:
        if name not in (PERSON, *NAMES):
            known = ", ".join((PERSON, *NAMES))
            raise BadInput(f"--table: {path}: column {name!r} is not one of {known}")
        if names.count(name) > 1:
            raise BadInput(f"--table: {path}: column {name!r} is there twice")
    if PERSON not in names or len(names) < 2:
        raise BadInput(f"--table: {path}: needs a column {PERSON!r} and one of {', '.join(NAMES)}")
    return [name for name in NAMES if name in names]


def _people(path: Path, rows: csv.DictReader[str], columns: list[str]) -> Mapping[str, Described]:
    found: dict[str, Described] = {}
    for person, where, row in _rows(path, rows):
        if person in found:
            raise BadInput(f"{where}: {person!r} is there twice")
        for name in columns:
            if row[name] not in VALUES[name]:
                known = ", ".join(VALUES[name])
                raise BadInput(f"{where}: {name}: {row[name]!r} is not one of {known}")
        found[person] = Described(tuple((name, row[name]) for name in columns))
    if not found:
        raise BadInput(f"--table: {path}: has no row")
    return found


def _rows(path: Path, rows: csv.DictReader[str]) -> Iterator[tuple[str, str, dict[str, str]]]:
    for row in rows:
        where = f"--table: {path}: line {rows.line_num}"
        if None in row or None in row.values():
            raise BadInput(f"{where}: has not as many cells as there are columns")
        plain = {name: value.strip() for name, value in row.items()}
        if not plain[PERSON]:
            raise BadInput(f"{where}: {PERSON}: is empty")
        # Some systems take names of folders apart into letters and accents.
        yield normalize("NFC", plain[PERSON]), where, plain
