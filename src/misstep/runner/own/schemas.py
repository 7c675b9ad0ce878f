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
_KNOWN = frozenset(JSONSchema.model_fields)
_NAMES = re.compile(r"[^a-zA-Z0-9_-]")


def response_schema(where: str, schema: Mapping[str, Json]) -> ResponseSchema:
    """What is sent to the provider with every call of the row."""
    title = schema.get("title")
    name = _NAMES.sub("_", title if isinstance(title, str) else "answer")[:64] or "answer"
    return ResponseSchema(name=name, json_schema=_translated(where, schema))


def tool_params(where: str, schema: Mapping[str, Json]) -> ToolParams:
    """The parameters of a tool."""
    whole = _translated(where, schema)
    return ToolParams(
        properties=whole.properties or {},
        required=whole.required or [],
        additionalProperties=whole.additionalProperties is True,
    )


def _translated(where: str, schema: Mapping[str, Json]) -> JSONSchema:
    plain = _plain(where, dict(schema), schema, 0)
    if not isinstance(plain, dict):
        raise BadInput(f"{where}: allows anything, and nothing can be asked for by it")
    return JSONSchema.model_validate(plain)


def _plain(where: str, part: Json, root: Mapping[str, Json], depth: int) -> Json:
    """The part with its references followed, and words that the runner lacks in those it has."""
    if depth > _DEEPEST:
        raise BadInput(f"{where}: refers to itself, or is nested more than {_DEEPEST} deep")
    if not isinstance(part, dict):
        return part
    part = _of_one(part)
    if "$ref" in part:
        found = _referred(where, str(part["$ref"]), root)
        rest = {name: value for name, value in part.items() if name != "$ref"}
        return _plain(where, {**found, **rest}, root, depth + 1)
    said = _in_known_words(part)
    inner = {name: value for name, value in said.items() if name in _KNOWN}
    for name, value in inner.items():
        if name == "properties" and isinstance(value, dict):
            inner[name] = {one: _plain(where, own, root, depth + 1) for one, own in value.items()}
        elif name == "anyOf" and isinstance(value, list):
            inner[name] = [_plain(where, own, root, depth + 1) for own in value]
        elif name in ("items", "additionalProperties"):
            inner[name] = _plain(where, value, root, depth + 1)
    return inner


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
