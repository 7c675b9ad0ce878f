"""Scoring replies that are JSON: read, held against a schema, compared field by field."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

from jsonschema import Draft202012Validator
from referencing import Registry

from misstep.core.answers import ReadingState, read, words
from misstep.core.answers.thinking import cut_thinking
from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.core.questions import Json
from misstep.runner.own.cases import Case

_FENCED = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
_MOST_OPENINGS = 2_000
_CLOSE = 1e-9
_ABSENT = object()
NO_JSON, NOT_BY_SCHEMA = "no_json", "schema"


def expected(case: Case) -> Json:
    """The answer as JSON; BadInput where the row holds something else."""
    if not isinstance(case.answer, str):
        return case.answer
    try:
        found: Json = json.loads(case.answer)
    except (ValueError, RecursionError):
        raise BadInput(
            f"{case.place}: answer: {case.answer[:60]!r} is no JSON, as --scorer json needs"
        ) from None
    return found


class JsonFields:
    """The share of the named fields that are as expected; none named: those of the answer.

    A field is named by its path (`address.city`). An answer that is no object is compared whole.
    """

    def __init__(self, fields: Sequence[str] = ()) -> None:
        self._fields = tuple(fields)

    def __call__(self, case: Case, reply: Reply) -> Score:
        found = find_json(reply.text)
        if found is _ABSENT:
            return _without(reply)
        if case.schema is not None and not _is_valid(case.schema, found):
            return Score(Outcome.UNPARSED, None, reason=NOT_BY_SCHEMA)
        return self._compared(expected(case), found)

    def _compared(self, wanted: Json, found: object) -> Score:
        said = json.dumps(found, ensure_ascii=False)
        names = self._fields or (tuple(wanted) if isinstance(wanted, dict) else ())
        if not names:
            is_same = same_json(wanted, found)
            return Score(Outcome.CORRECT if is_same else Outcome.WRONG, float(is_same), said)
        same = {name: same_json(at_path(wanted, name), at_path(found, name)) for name in names}
        value = sum(same.values()) / len(same)
        details = {f"field.{name}": is_same for name, is_same in same.items()}
        outcome = Outcome.CORRECT if value == 1 else Outcome.WRONG
        return Score(outcome, value, said, details=details)


def check_fields(case: Case, fields: Sequence[str]) -> None:
    """BadInput where a row's answer lacks a field that is to be compared."""
    wanted = expected(case)
    for name in fields:
        if at_path(wanted, name) is _ABSENT:
            raise BadInput(f"--fields: {case.place}: the answer has no field {name!r}")


def at_path(value: object, path: str) -> object:
    """The value there; a mark of absence, equal to itself alone, where there is none."""
    if isinstance(value, dict) and path in value:
        return value[path]
    for name in path.split("."):
        if not isinstance(value, dict) or name not in value:
            return _ABSENT
        value = value[name]
    return value


def same_json(one: object, other: object) -> bool:
    """Equal as JSON is: 1 and 1.0 are the same, 1 and true are not; texts but for outer spaces."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=_CLOSE)
    if isinstance(one, str) and isinstance(other, str):
        return one.strip() == other.strip()
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same_json(one[key], other[key]) for key in one)
    return one is None and other is None


def _is_valid(schema: Mapping[str, Json], found: object) -> bool:
    """By the schema alone: the empty registry fetches nothing that it might refer to."""
    return bool(Draft202012Validator(schema, registry=Registry()).is_valid(found))


def find_json(reply: str) -> object:
    """The reply's JSON: all of it, else its last fenced block, else the last object or list in it.

    A mark of absence where there is none.
    """
    text = cut_thinking(reply).text.strip()
    for whole in (text, *reversed(_FENCED.findall(text))):
        found = _parsed(whole)
        if found is not _ABSENT:
            return found
    return _last_object(text)


def _last_object(text: str) -> object:
    decoder = json.JSONDecoder(parse_constant=_no_number)
    found: object = _ABSENT
    end = 0
    for opening in list(_OPENING.finditer(text))[-_MOST_OPENINGS:]:
        if opening.start() < end:
            continue
        try:
            found, end = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            continue
    return found


def _parsed(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return _ABSENT


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _without(reply: Reply) -> Score:
    """Why a reply holds no JSON, as far as the extractor can tell."""
    reading = read(reply.text, words(NO_JSON), reply.stop_reason)
    if reading.state in (ReadingState.ANSWERED, ReadingState.UNPARSED):
        return Score(Outcome.UNPARSED, None, reason=NO_JSON)
    return Score(Outcome(reading.state.value), None)
