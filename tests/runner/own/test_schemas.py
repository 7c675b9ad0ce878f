"""Schemas in the runner's words: references followed, and what it has no words for left out."""

from __future__ import annotations

import pytest

from misstep.core.errors import BadInput
from misstep.core.questions import Json
from misstep.runner.own.schemas import left_out, response_schema, tool_params


def test_references_and_words_that_the_runner_lacks_are_said_in_its_own() -> None:
    schema: dict[str, Json] = {
        "title": "My answer!",
        "type": "object",
        "$defs": {"City": {"type": "string", "description": "a city"}},
        "properties": {
            "city": {"$ref": "#/$defs/City"},
            "kind": {"const": "x"},
            "size": {"oneOf": [{"type": "integer"}, {"type": "null"}]},
            "list": {"type": "array", "items": {"$ref": "#/$defs/City"}, "minItems": 1},
            "whole": {"allOf": [{"$ref": "#/$defs/City"}], "description": "own"},
        },
        "required": ["city"],
    }
    made = response_schema("line 1", schema)
    assert made.name == "My_answer_"
    assert made.json_schema.model_dump(exclude_none=True) == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "a city"},
            "kind": {"enum": ["x"]},
            "size": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "list": {"type": "array", "items": {"type": "string", "description": "a city"}},
            "whole": {"type": "string", "description": "own"},
        },
        "required": ["city"],
    }


def test_a_tools_parameters_keep_what_is_required_and_whether_more_may_come() -> None:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a"],
        "additionalProperties": True,
    }
    made = tool_params("line 1", schema)
    assert (made.required, made.additionalProperties) == (["a"], True)


@pytest.mark.parametrize(
    ("schema", "said_so"),
    [
        ({"$ref": "https://x.org/a"}, "lies elsewhere"),
        ({"$ref": "#/$defs/none"}, "is not in the schema"),
        (
            {"type": "object", "properties": {"a": {"$ref": "#"}}},
            "refers to itself, or is nested more than 40 deep",
        ),
        ({"type": "object", "not": {"$ref": "#/$defs/none"}}, "is not in the schema"),
        (
            {"type": "object", "patternProperties": {"a": {"$ref": "http://x.org/a"}}},
            "lies elsewhere",
        ),
        (
            {"type": "object", "properties": {"a": {"type": "string", "pattern": "(["}}},
            "pattern: .* is none",
        ),
    ],
)
def test_a_schema_that_cannot_be_said_is_told(schema: dict[str, Json], said_so: str) -> None:
    with pytest.raises(BadInput, match=f"line 1: .*{said_so}"):
        response_schema("line 1", schema)


def test_a_schema_that_doubles_with_each_reference_is_refused_and_not_followed_to_its_end() -> None:
    parts: dict[str, Json] = {
        f"d{at}": {"properties": {side: {"$ref": f"#/$defs/d{at + 1}"} for side in "lr"}}
        for at in range(18)
    }
    schema: dict[str, Json] = {"$ref": "#/$defs/d0", "$defs": parts | {"d18": {"type": "null"}}}
    with pytest.raises(BadInput, match="line 1: has more than 5000 parts"):
        response_schema("line 1", schema)


def test_the_words_that_cannot_be_sent_are_known_and_those_that_ask_nothing_are_not() -> None:
    schema: dict[str, Json] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "x",
        "type": "object",
        "properties": {
            "minItems": {"type": "array", "items": {"type": "string", "pattern": "^a"}},
            "size": {"oneOf": [{"const": 1}, {"not": {"const": 2}}], "description": "x"},
        },
        "minProperties": 1,
    }
    assert left_out("line 1", schema) == {"not", "minProperties"}
