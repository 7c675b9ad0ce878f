"""The audit of replies, line by line, and what it says of bad lines."""

from __future__ import annotations

import json

import pytest

from misstep.core.answers.audit import read_line, read_lines
from misstep.core.errors import BadInput


def line(**fields: object) -> str:
    return json.dumps(fields)


def test_a_line_comes_back_with_its_own_fields_and_its_reading() -> None:
    out = read_line(line(id=7, vocabulary="yes_no", reply="Answer: **No**"), "r.jsonl", 1)
    assert out == {
        "id": 7,
        "vocabulary": "yes_no",
        "reply": "Answer: **No**",
        "outcome": "answered",
        "answer": "No",
        "reason": None,
        "span": [10, 12],
    }


def test_a_list_of_words_is_a_vocabulary() -> None:
    out = read_line(line(vocabulary=["plan", "no plan"], reply="No plan."), "r.jsonl", 1)
    assert out["answer"] == "no plan"


def test_the_stop_reason_of_a_line_counts() -> None:
    cut = line(vocabulary="abcd", reply="First, the tilt", stop_reason="max_tokens")
    assert read_line(cut, "r.jsonl", 1)["outcome"] == "truncated"


def test_a_refusal_to_choose_keeps_its_reason() -> None:
    out = read_line(line(vocabulary="one_to_five", reply="All of them."), "r.jsonl", 1)
    assert (out["outcome"], out["reason"]) == ("unparsed", "all")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{oops", '"{oops"'),
        ("[1]", "[1]"),
        ("[" * 100_000, "not a JSON object"),
        (line(reply="Yes"), "'vocabulary' is missing"),
        (line(vocabulary="yes_no"), "'reply' is missing"),
        (line(vocabulary="letters", reply="A"), '"letters"'),
        (line(vocabulary=[], reply="A"), "not []"),
        (line(vocabulary=["A", 2], reply="A"), '["A", 2]'),
        (line(vocabulary=["A", " "], reply="A"), '["A", " "]'),
        (line(vocabulary="yes_no", reply=3), "'reply' must be text, not 3"),
        (line(vocabulary="yes_no", reply="", stop_reason=1), "'stop_reason' must be text, not 1"),
    ],
)
def test_a_bad_line_is_named_by_file_number_field_and_value(text: str, named: str) -> None:
    with pytest.raises(BadInput) as error:
        read_line(text, "replies.jsonl", 12)
    message = str(error.value)
    assert message.startswith("replies.jsonl, line 12: ")
    assert named in message
    assert "\n" not in message


def test_lines_are_read_as_they_come_and_blank_ones_still_count() -> None:
    good = line(vocabulary="yes_no", reply="Yes")
    reading = read_lines(iter([good, "\n", "broken"]), "r.jsonl")
    assert next(reading)["answer"] == "Yes"
    with pytest.raises(BadInput, match="line 3"):
        next(reading)
