"""The records of a joined log, kept in it a line each: read in seconds, without its summaries.

They are used only while the log's header and summaries are those from which they were made, which
the checksums in its table of contents say. A log that was written anew has none.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path
from typing import IO, Any

from pydantic_core import from_json, to_json

from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.runner.logged.archive import Key

MEMBER = "misstep/records.jsonl"
_OF = ("header.json", "summaries.json")
_SCHEMA = 1
_FIELDS = tuple(field.name for field in fields(Record))


def line_of(key: Key, record: Record) -> bytes:
    values = {name: getattr(record, name) for name in _FIELDS}
    row = {name: value for name, value in values.items() if value is not None}
    return to_json([*key, row], inf_nan_mode="constants") + b"\n"


def write(archive: zipfile.ZipFile, lines: Iterable[bytes]) -> None:
    """Into a log that has its header and summaries, and gets nothing after this."""
    with archive.open(MEMBER, "w", force_zip64=True) as file:
        file.write(to_json(_identity(archive)) + b"\n")
        for line in lines:
            file.write(line)


def read(file: Path) -> Iterator[tuple[Key, Record]] | None:
    """Every record in the order of the arms; None where the log has none that are its own."""
    with ExitStack() as opened:
        archive = opened.enter_context(zipfile.ZipFile(file))
        if MEMBER not in archive.NameToInfo:
            return None
        lines = opened.enter_context(archive.open(MEMBER))
        if from_json(lines.readline()) != _identity(archive):
            return None
        return _records(lines, opened.pop_all())


def _records(lines: IO[bytes], opened: ExitStack) -> Iterator[tuple[Key, Record]]:
    with opened:
        for line in lines:
            sample, epoch, row = from_json(line)
            yield (sample, epoch), _record(row)


def _record(row: dict[str, Any]) -> Record:  # Any: JSON values
    row["outcome"] = Outcome(row["outcome"])
    row.setdefault("value", None)
    return Record(**row)


def _identity(archive: zipfile.ZipFile) -> dict[str, object]:
    """Of what the records were made from, and by which fields."""
    made_of = [archive.getinfo(name) for name in _OF]
    sums = [[info.CRC, info.file_size] for info in made_of]
    return {"schema": _SCHEMA, "fields": list(_FIELDS), "of": sums}
