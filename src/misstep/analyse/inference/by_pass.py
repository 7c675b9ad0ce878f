"""What records say of each pass over a list: right answers, and errors that follow the lure.

The names of the details are those of docs/records.md; a family without them has none of this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from misstep.core.records import Record

_RIGHT, _SIZE, _SOLVED = "right_{}", "pass_size", "solved"
_ERRORS, _LURED = "errors", "lure_errors"


def right_by_pass(records: Sequence[Record], last: int) -> tuple[float | None, ...]:
    """Mean right answers in pass 1, 2, … `last`; empty where no record says.

    A list that was solved stays all right in the passes it no longer needed. One that ended early
    is left out of those that it did not make; None where no record is left.
    """
    if all(_whole(record, _RIGHT.format(1)) is None for record in records):
        return ()
    return tuple(_mean(_right(record, at) for record in records) for at in range(1, last + 1))


def pass_size(records: Iterable[Record]) -> int | None:
    """Answers in a pass; None where no record says, or two say different things."""
    sizes = {_whole(record, _SIZE) for record in records} - {None}
    return sizes.pop() if len(sizes) == 1 else None


def error_counts(records: Sequence[Record]) -> tuple[int, int] | None:
    """Wrong answers, and those of them that are the lure; None where no record says."""
    pairs = [(_whole(record, _ERRORS), _whole(record, _LURED)) for record in records]
    known = [(errors, lured) for errors, lured in pairs if errors is not None and lured is not None]
    if not known:
        return None
    return sum(errors for errors, _ in known), sum(lured for _, lured in known)


def _right(record: Record, at: int) -> int | None:
    made = _whole(record, _RIGHT.format(at))
    if made is None and record.details.get(_SOLVED):
        return _whole(record, _SIZE)
    return made


def _mean(values: Iterable[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _whole(record: Record, name: str) -> int | None:
    """A file of records may hold whole numbers as 4.0."""
    value = record.details.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        return None
    return int(value)
