"""Schemas in the runner's words: references followed, and what it has no words for left out."""

from __future__ import annotations

import pytest

from misstep.core.errors import BadInput
from misstep.core.questions import Json
from misstep.runner.own.schemas import response_schema, tool_params


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
    ],
)
def test_a_schema_that_cannot_be_said_is_told(schema: dict[str, Json], said_so: str) -> None:
    with pytest.raises(BadInput, match=f"line 1: .*{said_so}"):
        response_schema("line 1", schema)
