"""Replies to questions whose answer is not known: read, and left for people to say what is right.

Two replies that come to the same text here are equally right, whatever the truth is. Where in
doubt, texts are kept apart: a pair too many is labelled "both", one too few would be an error.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from misstep.core.answers import value_of
from misstep.core.answers.refusals import FILTERED
from misstep.core.answers.thinking import cut_thinking
from misstep.core.errors import BadInput
from misstep.core.labels import UNLABELLED
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.runner.own import grading, json_replies
from misstep.runner.own.cases import Case, Grade

FREE = "free"
"""The reading of whole replies: they are the same where their words are, one by one."""
READINGS = (FREE, "exact", "choice", "number", "json")


def reader_of(name: str, cases: Sequence[Case], fields: Sequence[str] = ()) -> Grade:
    """Reads as the scorer of that name does, one of `READINGS`, and scores nothing.

    Of `json`, only the `fields` count, where they are named. BadInput where `choice` meets a
    question without choices.
    """
    if name == FREE:
        return read_whole
    if name == "choice":
        for case in cases:
            if not case.choices:
                raise BadInput(f"{case.place}: has no choices, which --scorer choice needs")
    if name == "json":
        return _unscored(json_replies.JsonFields(), lambda _case, text: _same_json(text, fields))
    return _unscored(_GRADES[name](cases), _SAME[name])


def read_whole(case: Case, reply: Reply) -> Score:
    """The reply without its thinking. Whether it refuses in words is for who labels to see."""
    cut = cut_thinking(reply.text)
    said = " ".join(cut.text.split())
    if (reply.stop_reason or "").casefold() in FILTERED:
        return Score(Outcome.REFUSED, None)
    if cut.is_unclosed:
        return Score(Outcome.TRUNCATED, None)
    return _open(said) if said else Score(Outcome.EMPTY, None)


def _unscored(grade: Grade, same: Callable[[Case, str], str]) -> Grade:
    def read(case: Case, reply: Reply) -> Score:
        found = grade(replace(case, answer=None), reply)
        if not found.outcome.is_answered or found.answer is None:
            return found
        return replace(_open(same(case, found.answer)), span=found.span)

    return read


def _open(answer: str) -> Score:
    return Score(Outcome.UNPARSED, None, answer, UNLABELLED)


def _same_words(case: Case, answer: str) -> str:
    return " ".join(answer.split()).casefold().rstrip(".")


def _same_number(case: Case, answer: str) -> str:
    value = value_of(answer)
    return answer if value is None else f"{value:.12g}"


def _same_choice(case: Case, answer: str) -> str:
    return grading.letter_of(case, answer) or answer


def _same_json(answer: str, fields: Sequence[str]) -> str:
    found: object = json.loads(answer)
    if fields:
        there = {name: json_replies.at_path(found, name) for name in fields}
        absent = json_replies.at_path({}, "")
        found = {name: value for name, value in there.items() if value is not absent}
    return json.dumps(found, ensure_ascii=False, sort_keys=True)


_GRADES: Mapping[str, Callable[[Sequence[Case]], Grade]] = {
    "exact": lambda _cases: grading.exact,
    "choice": lambda cases: grading.Choice(cases),
    "number": lambda _cases: grading.number,
}
_SAME: Mapping[str, Callable[[Case, str], str]] = {
    "exact": _same_words,
    "choice": _same_choice,
    "number": _same_number,
}
