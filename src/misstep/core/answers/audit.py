"""Auditing the extractor: lines of replies in, the same lines with their readings out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from misstep.core.answers.reading import Reading, read
from misstep.core.answers.vocabulary import VOCABULARIES, Vocabulary, words
from misstep.core.errors import BadInput


def read_lines(lines: Iterable[str], file: str) -> Iterator[dict[str, object]]:
    """Read each line as it comes; blank lines are passed over but counted."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield read_line(line, file, number)


def read_line(line: str, file: str, number: int) -> dict[str, object]:
    """One JSON line with `vocabulary`, `reply` and perhaps `stop_reason`, and its reading.

    Gives the line's own fields plus outcome, answer, reason and span. Raises BadInput, naming the
    file, the line, the field and the value.
    """
    where = f"{file}, line {number}"
    fields = _fields(line, where)
    reply = _text(fields, "reply", where)
    stopped = fields.get("stop_reason")
    if stopped is not None:
        stopped = _text(fields, "stop_reason", where)
    reading = read(reply, _vocabulary(fields, where), stopped)
    return {**fields, **_result(reading)}


def _fields(line: str, where: str) -> dict[str, object]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise BadInput(f"{where}: not a JSON object: {_shown(line.strip())}") from None
    if not isinstance(fields, dict):
        raise BadInput(f"{where}: not a JSON object: {_shown(fields)}")
    return fields


def _text(fields: Mapping[str, object], name: str, where: str) -> str:
    if name not in fields:
        raise BadInput(f"{where}: field '{name}' is missing")
    value = fields[name]
    if not isinstance(value, str):
        raise BadInput(f"{where}: field '{name}' must be text, not {_shown(value)}")
    return value


def _vocabulary(fields: Mapping[str, object], where: str) -> Vocabulary:
    if "vocabulary" not in fields:
        raise BadInput(f"{where}: field 'vocabulary' is missing")
    named = fields["vocabulary"]
    if isinstance(named, str) and named in VOCABULARIES:
        return VOCABULARIES[named]
    if isinstance(named, list) and named:
        listed = [word for word in named if isinstance(word, str) and word.strip()]
        if len(listed) == len(named):
            return words(*listed)
    known = ", ".join(VOCABULARIES)
    raise BadInput(
        f"{where}: field 'vocabulary' must be one of {known} or a list of words, "
        f"not {_shown(named)}"
    )


def _result(reading: Reading) -> dict[str, object]:
    return {
        "outcome": str(reading.state),
        "answer": reading.answer,
        "reason": reading.reason,
        "span": None if reading.span is None else list(reading.span),
    }


def _shown(value: object) -> str:
    """The value on one line, shortened."""
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 80 else shown[:77] + "..."
