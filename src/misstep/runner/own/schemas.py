"""JSON schemas in the runner's form, which has fewer words: what is sent, and what is only checked.

A provider's structured output is asked for with what can be said to it; replies are held against
the whole schema.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from inspect_ai.model import ResponseSchema
from inspect_ai.tool import ToolParams
from inspect_ai.util import JSONSchema

from misstep.core.errors import BadInput
from misstep.core.questions import Json

_DEEPEST = 40
_MOST_PARTS = 5_000
_KNOWN = frozenset(JSONSchema.model_fields)
_ABOUT = {"$anchor", "$comment", "$defs", "$id", "$schema", "definitions", "deprecated", "examples"}
_NOTES = _ABOUT | {
    "$ref",
    "const",
    "default",
    "description",
    "oneOf",
    "readOnly",
    "title",
    "writeOnly",
}
"""Words that ask nothing of a reply, or are said in other words."""
_VALUES = frozenset(("const", "default", "enum", "examples"))
"""Words that hold values, not schemas."""
_NAMES = re.compile(r"[^a-zA-Z0-9_-]")


def response_schema(where: str, schema: Mapping[str, Json]) -> ResponseSchema:
    """What is sent to the provider with every call of the row."""
    title = schema.get("title")
    name = _NAMES.sub("_", title if isinstance(title, str) else "answer")[:64] or "answer"
    return ResponseSchema(name=name, json_schema=_Translation(where, schema).whole())


def tool_params(where: str, schema: Mapping[str, Json]) -> ToolParams:
    """The parameters of a tool."""
    whole = _Translation(where, schema).whole()
    return ToolParams(
        properties=whole.properties or {},
        required=whole.required or [],
        additionalProperties=whole.additionalProperties is True,
    )


def left_out(where: str, schema: Mapping[str, Json]) -> set[str]:
    """The words of the schema that ask something of a reply and can't be sent."""
    made = _Translation(where, schema)
    made.whole()
    return made.left_out


class _Translation:
    """One schema in the runner's words. `left_out`: the words that it has none for."""

    def __init__(self, where: str, root: Mapping[str, Json]) -> None:
        self._where = where
        self._root = root
        self._parts = 0
        self.left_out: set[str] = set()

    def whole(self) -> JSONSchema:
        _check_everywhere(self._where, dict(self._root), self._root)
        plain = self._plain(dict(self._root), 0)
        if not isinstance(plain, dict):
            raise BadInput(f"{self._where}: allows anything, and nothing can be asked for by it")
        return JSONSchema.model_validate(plain)

    def _plain(self, part: Json, depth: int) -> Json:
        """The part with its references followed, in words that the runner has."""
        self._parts += 1
        if depth > _DEEPEST:
            raise BadInput(
                f"{self._where}: refers to itself, or is nested more than {_DEEPEST} deep"
            )
        if self._parts > _MOST_PARTS:
            raise BadInput(f"{self._where}: has more than {_MOST_PARTS} parts, references followed")
        if not isinstance(part, dict):
            return part
        part = _of_one(part)
        if "$ref" in part:
            found = _referred(self._where, str(part["$ref"]), self._root)
            rest = {name: value for name, value in part.items() if name != "$ref"}
            return self._plain({**found, **rest}, depth + 1)
        self.left_out |= part.keys() - _KNOWN - _NOTES
        said = _in_known_words(part)
        return {name: self._inner(name, said[name], depth + 1) for name in said if name in _KNOWN}

    def _inner(self, name: str, value: Json, depth: int) -> Json:
        if name == "properties" and isinstance(value, dict):
            return {one: self._plain(own, depth) for one, own in value.items()}
        if name == "anyOf" and isinstance(value, list):
            return [self._plain(own, depth) for own in value]
        return self._plain(value, depth) if name in ("items", "additionalProperties") else value


def _check_everywhere(where: str, part: Json, root: Mapping[str, Json]) -> None:
    """Also where nothing is sent, replies are held against it: no reference may lead elsewhere,
    and no pattern be none."""
    if isinstance(part, list):
        for one in part:
            _check_everywhere(where, one, root)
    if not isinstance(part, dict):
        return
    for name, value in part.items():
        if name in ("$ref", "$dynamicRef") and isinstance(value, str):
            _referred(where, value, root)
        elif name == "pattern" and isinstance(value, str):
            _check_pattern(where, value)
        elif name == "patternProperties" and isinstance(value, dict):
            for pattern in value:
                _check_pattern(where, pattern)
        if name not in _VALUES:
            _check_everywhere(where, value, root)


def _check_pattern(where: str, pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise BadInput(f"{where}: pattern: {pattern[:60]!r} is none: {error}") from None


def _in_known_words(part: dict[str, Json]) -> dict[str, Json]:
    said = dict(part)
    if "const" in said:
        said["enum"] = [said["const"]]
    if "oneOf" in said and "anyOf" not in said:
        said["anyOf"] = said["oneOf"]
    return said


def _of_one(part: dict[str, Json]) -> dict[str, Json]:
    """`allOf` with one schema in it is that schema, with a description of its own."""
    whole = part.get("allOf")
    if not (isinstance(whole, list) and len(whole) == 1 and isinstance(whole[0], dict)):
        return part
    return {**whole[0], **{name: value for name, value in part.items() if name != "allOf"}}


def _referred(where: str, reference: str, root: Mapping[str, Json]) -> dict[str, Json]:
    found: Json = dict(root)
    if not reference.startswith("#"):
        raise BadInput(f"{where}: $ref: {reference!r} lies elsewhere, and nothing is downloaded")
    for name in reference.lstrip("#/").split("/"):
        if name:
            found = found.get(name) if isinstance(found, dict) else None
    if not isinstance(found, dict):
        raise BadInput(f"{where}: $ref: {reference!r} is not in the schema")
    return found
