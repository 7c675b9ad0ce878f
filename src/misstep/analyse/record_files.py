"""Files of records, as `misstep records` and `misstep study export` write them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from operator import attrgetter
from pathlib import Path

import polars as pl

from misstep.analyse.frames import (
    DETAIL,
    FACTOR,
    LOGPROB,
    NUMBERS,
    TEXTS,
    records_from_frame,
    to_frame,
)
from misstep.core.errors import BadInput
from misstep.core.records import Record
from misstep.runner.logged.logs import log_files, read_records

ENDINGS = (".parquet", ".csv")
_CODES = ("study", "consent", "recruited_person", "recruited_study", "recruited_session")
_TEXTS = {*TEXTS, *(DETAIL + name for name in _CODES)}
"""An id or an answer stays the text that it is, whatever it looks like."""
_REPLY = attrgetter("family", "version", "variant", "who", "arm", "item", "repetition")
"""What a reply is known by when it is compared."""


def is_record_file(place: Path) -> bool:
    return place.suffix.lower() in ENDINGS


def parted(places: Iterable[Path]) -> tuple[list[Path], list[Path]]:
    """The files of records, and all else."""
    files: list[Path] = []
    others: list[Path] = []
    for place in places:
        (files if is_record_file(place) else others).append(place)
    return files, others


def read_runs(runs: Sequence[Path]) -> list[Record]:
    """The records of runs and of files of records, files first where one is named first."""
    files, places = parted(runs)
    held, logged = read_record_files(files), read_records(log_files(places))
    return held + logged if files[:1] == list(runs[:1]) else logged + held


def read_record_files(files: Sequence[Path]) -> list[Record]:
    """All of them, in the order named."""
    return [record for own in read_tables(files).values() for record in own]


def read_tables(files: Sequence[Path]) -> dict[Path, list[Record]]:
    """The records of each file; BadInput with the file, the column and the row (from 0), and where
    a record is in two of them."""
    tables = {file: _records(file) for file in files}
    _check_once(tables)
    return tables


def read_record_file(file: Path) -> list[Record]:
    """BadInput where it is no table, has no row, lacks a column (docs/records.md), holds a number
    that is none (NaN, infinity), or a record twice."""
    return read_tables([file])[file]


def _records(file: Path) -> list[Record]:
    frame = _read(file)
    if frame.is_empty():
        raise BadInput(f"RUN: {file} holds no record")
    with _named(file):
        _check_numbers(frame)
        return records_from_frame(frame)


def _check_once(tables: Mapping[Path, Sequence[Record]]) -> None:
    """BadInput with the files that hold the same record, or with the one that holds it twice."""
    known: dict[object, Path] = {}
    for file, own in tables.items():
        for record in own:
            if (reply := _REPLY(record)) in known:
                files = ", ".join(map(str, dict.fromkeys((known[reply], file))))
                raise BadInput(
                    f"{files}: records: item {record.item!r}, arm {record.arm!r}, "
                    f"who {record.who!r} has repetition {record.repetition} twice"
                )
            known[reply] = file


@contextmanager
def _named(file: Path) -> Iterator[None]:
    try:
        yield
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from None


def _check_numbers(frame: pl.DataFrame) -> None:
    """A file says that a number is missing by an empty cell; NaN, which a data frame may hold
    instead, would be read as missing here and as a text there."""
    for column in frame.iter_columns():
        if column.name in NUMBERS or column.name.startswith((FACTOR, DETAIL, LOGPROB)):
            for at in _not_finite(column):
                said = f"{column[at]!r} is no finite number; a missing one is an empty cell"
                raise BadInput(f"records: column {column.name!r}, row {at}: {said}")


def _not_finite(column: pl.Series) -> Sequence[int]:
    """Rows, in a column of numbers also where it was read as text because of them."""
    if column.dtype.is_float():
        return (~column.is_finite()).arg_true().to_list()
    if column.dtype != pl.String or column.name in _TEXTS:
        return ()
    found = []
    for at, cell in enumerate(column):
        try:
            if cell and not math.isfinite(float(cell)):
                found.append(at)
        except ValueError:  # a column of texts
            return ()
    return found


def _read(file: Path) -> pl.DataFrame:
    if not file.is_file():
        raise BadInput(f"RUN: {file} {'is no file' if file.exists() else 'does not exist'}")
    try:
        if file.suffix.lower() == ".parquet":
            return pl.read_parquet(file)
        return _read_csv(file)
    except (OSError, pl.exceptions.PolarsError) as error:
        line = " ".join(str(error).split())[:120]
        raise BadInput(f"RUN: {file} can't be read as {file.suffix[1:].lower()}: {line}") from None


def _read_csv(file: Path) -> pl.DataFrame:
    """Types are taken from the whole file."""
    columns = pl.read_csv(file, n_rows=0, infer_schema=False).columns
    kept = {name: pl.String for name in columns if name in _TEXTS}
    return pl.read_csv(file, schema_overrides=kept, infer_schema_length=None)


def csv_by_person(records: Sequence[Record]) -> tuple[list[str], dict[str, str]]:
    """The columns that hold anything in any row, and a .csv of them for each of who answered."""
    frame = to_frame(records)
    held = [name for name in frame.columns if frame[name].null_count() < len(frame)]
    kept = frame.select(held).partition_by("who", as_dict=True, maintain_order=True)
    return held, {str(who): own.write_csv() for (who,), own in kept.items()}


def record_bytes(records: Sequence[Record], ending: str) -> bytes:
    """As a file of records holds them, for one that is never written: .parquet or .csv."""
    held = BytesIO()
    frame = to_frame(records)
    frame.write_parquet(held) if ending == ".parquet" else frame.write_csv(held)
    return held.getvalue()
