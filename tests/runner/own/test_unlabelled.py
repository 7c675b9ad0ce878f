"""Replies whose worth is not known: which of them come to the same answer, and which to none."""

from __future__ import annotations

import pytest

from misstep.core.errors import BadInput
from misstep.core.labels import UNLABELLED
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.runner.own.cases import Case
from misstep.runner.own.scoring import Scoring, check
from misstep.runner.own.unlabelled import FREE, READINGS, reader_of

_CASE = Case("q", "g", "How many?", choices=("red", "green", "blue"))


def _read(name: str, text: str, stop: str | None = "stop", fields: tuple[str, ...] = ()) -> Score:
    return reader_of(name, [_CASE], fields)(_CASE, Reply(text, stop))


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        (FREE, "It is  late.\n", "It is late."),
        (FREE, "<think>hm, 7 or 8</think>Eight.", "Eight."),
        ("exact", "The answer is Paris.", "paris"),
        ("number", "So there are 1,200 in all.", "1200"),
        ("number", "The answer is 0.50", "1/2"),
        ("choice", "Answer: B", "The answer is green."),
        ("json", '{"a": 1, "b": [2]}', 'Here it is:\n```json\n{"b": [2], "a": 1}\n```'),
    ],
)
def test_replies_that_say_the_same_come_to_the_same_answer(name: str, one: str, other: str) -> None:
    first, second = _read(name, one), _read(name, other)
    assert first.answer is not None
    assert first.answer == second.answer
    for score in (first, second):
        assert (score.outcome, score.value, score.reason) == (Outcome.UNPARSED, None, UNLABELLED)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        (FREE, "x = 1", "X = 1"),
        (FREE, "Yes", "Yes."),
        ("exact", "-5", "5"),
        ("exact", "Paris", "Lyon"),
        ("number", "7", "-7"),
        ("number", "0.1", "0.1000001"),
        ("choice", "A", "B"),
        ("json", '{"a": 1}', '{"a": "1"}'),
    ],
)
def test_replies_that_may_differ_in_worth_are_kept_apart(name: str, one: str, other: str) -> None:
    first, second = _read(name, one), _read(name, other)
    assert None not in (first.answer, second.answer)
    assert first.answer != second.answer


@pytest.mark.parametrize(
    ("name", "text", "stop", "outcome"),
    [
        (FREE, "", "stop", Outcome.EMPTY),
        (FREE, "<think>so, let me see", "max_tokens", Outcome.TRUNCATED),
        (FREE, "anything", "content_filter", Outcome.REFUSED),
        ("number", "I'm sorry, but I can't help with that.", "stop", Outcome.REFUSED),
        ("choice", "", "stop", Outcome.EMPTY),
        ("json", "no object here", "stop", Outcome.UNPARSED),
    ],
)
def test_a_reply_without_an_answer_waits_for_no_label(
    name: str, text: str, stop: str, outcome: Outcome
) -> None:
    score = _read(name, text, stop)
    assert (score.outcome, score.answer) == (outcome, None)
    assert score.reason != UNLABELLED


def test_of_json_only_the_named_fields_count() -> None:
    one, other = '{"city": "Rome", "note": "x"}', '{"city": "Rome", "note": "y"}'
    assert _read("json", one).answer != _read("json", other).answer
    fields = ("city", "zip")
    assert _read("json", one, fields=fields).answer == _read("json", other, fields=fields).answer


def test_whether_a_free_reply_refuses_in_words_is_for_people_to_say() -> None:
    assert _read(FREE, "I'm sorry, but I can't help with that.").reason == UNLABELLED


def test_choice_needs_choices() -> None:
    with pytest.raises(BadInput, match="line 3: has no choices"):
        reader_of("choice", [Case("q", "g", "Which?", place="line 3")])


@pytest.mark.parametrize("name", ["contains", "model", "score.py@score", "exakt"])
def test_scorers_that_read_nothing_by_themselves_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match="--label-later"):
        check(Scoring(name, is_later=True))


@pytest.mark.parametrize("name", READINGS)
def test_every_reading_can_be_asked_for(name: str) -> None:
    check(Scoring(name, is_later=True))
