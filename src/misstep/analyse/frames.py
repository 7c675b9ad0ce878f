"""Records as a table and back: any data frame with the columns of docs/records.md."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

import polars as pl

from misstep.core.errors import BadInput
from misstep.core.items import Scalar
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

NEEDED = ("family", "who", "item", "group", "arm", "outcome")
FACTOR = "factor."
DETAIL = "detail."
LOGPROB = "logprob."
_MOST = 2.0**53
"""Whole numbers above it a float can't tell apart; no count, time or sum comes near."""
_TEXTS = (
    "answer",
    "reason",
    "truth",
    "lure",
    "stop_reason",
    "variant",
    "thinking",
    "thinking_sent",
    "first_arm",
)
_COUNTS = (
    "input_tokens",
    "output_tokens",
    "reasoning_tokens",
    "max_tokens",
    "thinking_chars",
    "visible_bytes",
    "calls",
    "look",
    "look_of",
    "look_replies",
    "cached_tokens",
)
_NUMBERS = ("value", "score", "seconds", "cost", "temperature", "asked_temperature")
_TYPES = {
    **dict.fromkeys(("family", "who", "item", "group", "arm", "outcome"), pl.String),
    **dict.fromkeys(("version", "repetition", *_COUNTS), pl.Int64),
    **dict.fromkeys(_NUMBERS, pl.Float64),
    **dict.fromkeys(_TEXTS, pl.String),
}
TEXTS = tuple(name for name, kind in _TYPES.items() if kind == pl.String)
"""The columns that hold text, whatever it looks like."""
NUMBERS = tuple(name for name, kind in _TYPES.items() if kind != pl.String)
"""The columns that hold a number or nothing."""
_ORDER = (
    "family",
    "version",
    "who",
    "item",
    "group",
    "arm",
    "repetition",
    "outcome",
    "value",
    "answer",
    "reason",
    "truth",
    "lure",
    "score",
    "stop_reason",
    "input_tokens",
    "output_tokens",
    "reasoning_tokens",
    "seconds",
    "cost",
    "temperature",
    "max_tokens",
    "variant",
    "thinking",
    "thinking_sent",
    "thinking_chars",
    "visible_bytes",
    "calls",
    "asked_temperature",
    "look",
    "look_of",
    "look_replies",
    "first_arm",
    "cached_tokens",
)


@runtime_checkable
class PandasFrame(Protocol):
    """As much of a pandas data frame as is used here."""

    def to_dict(self, orient: str) -> object: ...


def records_from_frame(frame: object) -> list[Record]:
    """The records of a Polars or pandas frame, or of a list of mappings.

    Needs the columns of NEEDED. Raises BadInput with the column and the row (from 0).
    """
    return [_record(row, at) for at, row in enumerate(_rows(frame))]


def to_frame(records: Iterable[Record]) -> pl.DataFrame:
    """A row for each record; factors, details and log-probabilities have a column for each name."""
    listed = list(records)
    columns: dict[str, pl.Series] = {}
    for name in _ORDER:
        cells = [getattr(record, name) for record in listed]
        columns[name] = pl.Series(name, [_cell(cell) for cell in cells], dtype=_TYPES[name])
    for factor in _names(record.factors for record in listed):
        cells = [record.factors.get(factor) for record in listed]
        columns[FACTOR + factor] = _mixed(FACTOR + factor, cells)
    for detail in _names(record.details for record in listed):
        cells = [record.details.get(detail) for record in listed]
        columns[DETAIL + detail] = _mixed(DETAIL + detail, cells)
    for answer in _names(record.answer_logprobs or {} for record in listed):
        found = [(record.answer_logprobs or {}).get(answer) for record in listed]
        columns[LOGPROB + answer] = pl.Series(LOGPROB + answer, found, dtype=pl.Float64)
    return pl.DataFrame(list(columns.values()))


def write_frame(records: Iterable[Record], out: Path) -> None:
    """Writes .parquet or .csv, by the ending; BadInput where it can't be written."""
    if out.suffix not in (".parquet", ".csv"):
        raise BadInput(f"--out: {out.name!r} ends in neither .parquet nor .csv")
    frame = to_frame(records)
    try:
        with out.open("wb") as file:
            frame.write_parquet(file) if out.suffix == ".parquet" else frame.write_csv(file)
    except OSError as error:
        raise BadInput(f"--out: {out}: {error.strerror or error}") from None


def _names(mappings: Iterable[Mapping[str, object]]) -> list[str]:
    return sorted({name for mapping in mappings for name in mapping})


def _cell(cell: object) -> object:
    return cell.value if isinstance(cell, Outcome) else cell


def _mixed(name: str, cells: list[Scalar]) -> pl.Series:
    """One type for the whole column: its own if all agree, else text."""
    types = {type(cell) for cell in cells if cell is not None}
    if len(types) > 1 and types != {int, float}:
        return pl.Series(name, [None if cell is None else str(cell) for cell in cells])
    return pl.Series(name, cells, strict=False)


def _rows(frame: object) -> Iterable[Mapping[str, object]]:
    if isinstance(frame, pl.DataFrame):
        return frame.iter_rows(named=True)
    found = frame.to_dict(orient="records") if isinstance(frame, PandasFrame) else frame
    if not isinstance(found, Iterable) or isinstance(found, (str, bytes, Mapping)):
        raise BadInput(f"records: {type(frame).__name__} is no data frame or list of mappings")
    return [_mapping(row, at) for at, row in enumerate(found)]


def _mapping(row: object, at: int) -> Mapping[str, object]:
    if not isinstance(row, Mapping):
        raise BadInput(f"records: row {at} is no mapping: {row!r}")
    return row


def _record(row: Mapping[str, object], at: int) -> Record:
    outcome = _outcome(row, at)
    value = _number(row, "value", at)
    if value is None and outcome.is_answered:
        value = float(outcome is Outcome.CORRECT)
    version, repetition = _count(row, "version", at), _count(row, "repetition", at)
    return Record(
        family=_needed(row, "family", at),
        version=1 if version is None else version,
        who=_needed(row, "who", at),
        item=_needed(row, "item", at),
        group=_needed(row, "group", at),
        arm=_needed(row, "arm", at),
        repetition=1 if repetition is None else repetition,
        outcome=outcome,
        value=value,
        answer=_text(row, "answer"),
        reason=_text(row, "reason"),
        truth=_text(row, "truth"),
        lure=_text(row, "lure"),
        factors=_prefixed(row, FACTOR),
        details=_prefixed(row, DETAIL),
        score=_number(row, "score", at),
        answer_logprobs=_logprobs(row, at),
        stop_reason=_text(row, "stop_reason"),
        input_tokens=_count(row, "input_tokens", at),
        output_tokens=_count(row, "output_tokens", at),
        reasoning_tokens=_count(row, "reasoning_tokens", at),
        seconds=_amount(row, "seconds", at),
        cost=_amount(row, "cost", at),
        temperature=_number(row, "temperature", at),
        max_tokens=_count(row, "max_tokens", at),
        variant=_text(row, "variant") or "",
        thinking=_text(row, "thinking"),
        thinking_sent=_text(row, "thinking_sent"),
        thinking_chars=_count(row, "thinking_chars", at),
        visible_bytes=_count(row, "visible_bytes", at),
        calls=_count(row, "calls", at),
        asked_temperature=_number(row, "asked_temperature", at),
        look=_count(row, "look", at, 1),
        look_of=_count(row, "look_of", at, 1),
        look_replies=_count(row, "look_replies", at, 1),
        first_arm=_text(row, "first_arm"),
        cached_tokens=_count(row, "cached_tokens", at),
    )


def _known(row: Mapping[str, object], column: str) -> object:
    """The cell, or None where it is absent, null or not a number (pandas' way of absence)."""
    cell = row.get(column)
    return None if cell is None or (isinstance(cell, float) and math.isnan(cell)) else cell


def _needed(row: Mapping[str, object], column: str, at: int) -> str:
    if column not in row:
        needed = ", ".join(NEEDED)
        raise BadInput(f"records: row {at} has no column {column!r}; needed: {needed}")
    text = _text(row, column)
    if text is None or text == "":
        raise BadInput(f"records: column {column!r}, row {at}: is empty")
    return text


def _text(row: Mapping[str, object], column: str) -> str | None:
    cell = _known(row, column)
    # A column of whole numbers with gaps comes from pandas as floats: 3.0 was "3".
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return None if cell is None else str(cell)


def _outcome(row: Mapping[str, object], at: int) -> Outcome:
    text = _needed(row, "outcome", at)
    if text not in tuple(Outcome):
        known = ", ".join(Outcome)
        raise BadInput(f"records: column 'outcome', row {at}: {text!r} is not one of {known}")
    return Outcome(text)


def _number(row: Mapping[str, object], column: str, at: int) -> float | None:
    cell = _known(row, column)
    if cell is None or cell == "":
        return None
    try:
        number = float(str(cell))
    except ValueError:
        raise BadInput(f"records: column {column!r}, row {at}: {cell!r} is no number") from None
    return None if math.isnan(number) else number


def _amount(row: Mapping[str, object], column: str, at: int) -> float | None:
    """Of time or money: from 0 up, and such that sums of it stay finite."""
    number = _number(row, column, at)
    if number is not None and not 0 <= number <= _MOST:
        raise BadInput(f"records: column {column!r}, row {at}: {number:g} is no amount from 0 up")
    return number


def _count(row: Mapping[str, object], column: str, at: int, least: int = 0) -> int | None:
    number = _number(row, column, at)
    if number is None:
        return None
    if not (number.is_integer() and least <= number <= _MOST):
        cell = row[column]
        said = f"{cell!r} is no whole number from {least} up"
        raise BadInput(f"records: column {column!r}, row {at}: {said}")
    return int(number)


def _prefixed(row: Mapping[str, object], prefix: str) -> dict[str, Scalar]:
    names = [name for name in row if name.startswith(prefix)]
    found = {name.removeprefix(prefix): _known(row, name) for name in names}
    return {name: _scalar(cell) for name, cell in found.items() if cell is not None}


def _scalar(cell: object) -> Scalar:
    return cell if isinstance(cell, (str, int, float, bool)) else str(cell)


def _logprobs(row: Mapping[str, object], at: int) -> dict[str, float] | None:
    names = [name for name in row if name.startswith(LOGPROB)]
    found = {name.removeprefix(LOGPROB): _number(row, name, at) for name in names}
    return {name: number for name, number in found.items() if number is not None} or None
