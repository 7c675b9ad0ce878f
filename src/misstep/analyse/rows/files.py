"""Files of rows, read one row at a time: .csv, .jsonl and .parquet, each row with its place."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import polars as pl

from misstep.core.errors import BadInput
from misstep.core.questions import Json

ENDINGS = (".csv", ".jsonl", ".parquet")
_AT_ONCE = 2_000
"""Rows of a Parquet file that are in memory at a time."""
_LONGEST_CELL = 50_000_000
_SEPARATORS = ",;\t"


@dataclass(frozen=True)
class RawRow:
    """The cells by column, and the place in the file: "line 3", or "row 3" of a Parquet file."""

    cells: Mapping[str, Json]
    place: str


def is_file_of_rows(path: Path) -> bool:
    return path.suffix.lower() in ENDINGS


def stream_rows(path: Path) -> Iterator[RawRow]:
    """The rows in the file's order; BadInput names the file, the place and what is wrong there."""
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise BadInput(f"{path}: ends in none of {', '.join(ENDINGS)}")
    try:
        if path.is_dir():
            raise BadInput(f"{path}: is a folder, and should be a file of rows")
        yield from reader(path)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from None


def columns_of(path: Path) -> list[str]:
    """The columns of the file, as first met; BadInput where it has no row.

    Each line of a .jsonl file has columns of its own; in the others the first row has all of them.
    """
    found: dict[str, None] = {}
    for row in stream_rows(path):
        found.update(dict.fromkeys(row.cells))
        if path.suffix.lower() != ".jsonl":
            break
    if not found:
        raise BadInput(f"{path}: holds no row")
    return list(found)


def _csv(path: Path) -> Iterator[RawRow]:
    """Separated by whichever of comma, semicolon and tab the first line has most of."""
    csv.field_size_limit(_LONGEST_CELL)
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter=_separator(path), strict=True)
        header = _next(reader, path)
        if header is None:
            return
        _check_header(path, header)
        while True:
            line = reader.line_num + 1
            cells = _next(reader, path)
            if cells is None:
                return
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise BadInput(
                    f"{path}: line {line}: has {len(cells)} cells, and the first line {len(header)}"
                )
            yield RawRow(dict(zip(header, cells, strict=True)), f"line {line}")


def _separator(path: Path) -> str:
    with path.open("rb") as file:
        first = file.readline().decode("utf-8", errors="replace")
    return max(_SEPARATORS, key=first.count)


def _next(reader: Iterator[list[str]], path: Path) -> list[str] | None:
    try:
        return next(reader, None)
    except UnicodeDecodeError as error:
        _no_text(path, error)
    except csv.Error as error:
        number = getattr(reader, "line_num", 0)
        raise BadInput(f"{path}: line {number}: is no line of a .csv file: {error}") from None


def _check_header(path: Path, header: list[str]) -> None:
    for name in header:
        if not name.strip():
            raise BadInput(f"{path}: line 1: a column without a name")
        if header.count(name) > 1:
            raise BadInput(f"{path}: line 1: two columns are named {name!r}")


def _jsonl(path: Path) -> Iterator[RawRow]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if not raw.strip():
                continue
            yield RawRow(_object(path, number, raw), f"line {number}")


def _object(path: Path, number: int, raw: bytes) -> dict[str, Json]:
    where = f"{path}: line {number}"
    try:
        found = json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number, parse_float=_finite)
        _check_signs(found)
    except UnicodeDecodeError as error:
        raise BadInput(f"{where}: is no UTF-8 text (byte {error.start})") from None
    except RecursionError:
        raise BadInput(f"{where}: is nested too deep") from None
    except ValueError as error:
        raise BadInput(f"{where}: is no JSON: {error}: {_shown(raw)}") from None
    if not isinstance(found, dict):
        raise BadInput(f"{where}: is no JSON object: {_shown(raw)}")
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _finite(word: str) -> float:
    found = float(word)
    if math.isinf(found):
        raise ValueError(f"{word} is too large a number")
    return found


def _check_signs(found: Json) -> None:
    """Half of a pair of surrogates is no sign, and can't be sent or written down."""
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])
        raise ValueError(f"{half} is half of a sign") from None


def _parquet(path: Path) -> Iterator[RawRow]:
    try:
        lazy = pl.scan_parquet(path)
        total = int(lazy.select(pl.len()).collect().item())
        for start in range(0, total, _AT_ONCE):
            part = lazy.slice(start, _AT_ONCE).collect()
            for at, cells in enumerate(part.iter_rows(named=True), start + 1):
                plain = {name: _plain(path, at, name, cell) for name, cell in cells.items()}
                yield RawRow(plain, f"row {at}")
    except pl.exceptions.PolarsError as error:
        raise BadInput(f"{path}: is no Parquet file: {str(error).splitlines()[0]}") from None


def _plain(path: Path, at: int, name: str, cell: object) -> Json:
    """The cell as a JSON value: dates as text, lists and tables as such."""
    if isinstance(cell, float) and not math.isfinite(cell):
        # pandas writes an absent number as one that is none.
        return None if math.isnan(cell) else str(cell)
    if cell is None or isinstance(cell, (str, int, float, bool)):
        return cell
    if isinstance(cell, list):
        return [_plain(path, at, name, one) for one in cell]
    if isinstance(cell, dict):
        return {str(key): _plain(path, at, name, one) for key, one in cell.items()}
    if isinstance(cell, bytes):
        raise BadInput(f"{path}: row {at}: {name}: holds bytes, and should be text")
    return str(cell)


def _no_text(path: Path, error: UnicodeDecodeError) -> NoReturn:
    """The decoder knows the place within its block only; look where the first bad line is."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            try:
                raw.decode("utf-8")
            except UnicodeDecodeError as found:
                where = f"{path}: line {number}"
                raise BadInput(
                    f"{where}: is no UTF-8 text (byte {found.start}); save the file as UTF-8"
                ) from None
    raise BadInput(f"{path}: is no UTF-8 text: {error.reason}")


def _shown(raw: bytes) -> str:
    text = raw.decode("utf-8", errors="replace").strip()
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


_READERS: Mapping[str, Callable[[Path], Iterator[RawRow]]] = {
    ".csv": _csv,
    ".jsonl": _jsonl,
    ".parquet": _parquet,
}
