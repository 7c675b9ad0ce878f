"""Scorers that need nothing but the reply: exact, choice, number, contains."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from string import ascii_uppercase

from misstep.core.answers import (
    Reading,
    ReadingState,
    Vocabulary,
    read,
    read_exact,
    read_number,
    same_words,
    value_of,
    words,
)
from misstep.core.answers.markup import plain
from misstep.core.answers.thinking import cut_thinking
from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.core.questions import MOST_CHOICES
from misstep.runner.own.cases import Case

_CLOSE = 1e-6
"""Two numbers whose ratio differs from 1 by less are the same."""


def graded(reading: Reading, is_right: bool) -> Score:
    """The score of a reading; without an answer, the outcome says why."""
    if reading.state is not ReadingState.ANSWERED:
        return Score(Outcome(reading.state.value), None, reason=reading.reason)
    outcome = Outcome.CORRECT if is_right else Outcome.WRONG
    return Score(outcome, float(is_right), reading.answer, None, reading.span)


def exact(case: Case, reply: Reply) -> Score:
    reading = read_exact(reply.text, case.accepted, reply.stop_reason)
    return graded(reading, reading.answer in case.accepted)


def number(case: Case, reply: Reply) -> Score:
    reading = read_number(reply.text, reply.stop_reason)
    said = None if reading.answer is None else value_of(reading.answer)
    known = [value for text in case.accepted if (value := value_of(text)) is not None]
    is_right = said is not None and any(
        math.isclose(said, value, rel_tol=_CLOSE, abs_tol=1e-12) for value in known
    )
    return graded(reading, is_right)


def contains(case: Case, reply: Reply) -> Score:
    """Whether one of the answers stands in the reply as whole words, its thinking left out.

    A reply that holds none of them, and refuses or was cut off, has that outcome.
    """
    reading = read_exact(reply.text, case.accepted, reply.stop_reason)
    cut = cut_thinking(reply.text)
    said = f" {_spaced(cut.text)} "
    found = next((one for one in case.accepted if f" {_spaced(one)} " in said), None)
    if found is not None and not cut.is_unclosed and reading.state is not ReadingState.REFUSED:
        return Score(Outcome.CORRECT, 1.0, found)
    if reading.state in (ReadingState.ANSWERED, ReadingState.UNPARSED):
        return Score(Outcome.WRONG, 0.0, reading.answer)
    return graded(reading, is_right=False)


def _spaced(text: str) -> str:
    """The words of a text, in small letters, one space between any two."""
    return " ".join(
        "".join(letter if letter.isalnum() else " " for letter in plain(text)).split()
    ).casefold()


class Choice:
    """One of the row's choices, by its letter or its words; of a row without choices, one of the
    answers that the file has."""

    def __init__(self, cases: Iterable[Case]) -> None:
        without = [case for case in cases if not case.choices]
        self._answers = tuple(dict.fromkeys(one for case in without for one in case.accepted))
        if without and not 2 <= len(self._answers) <= MOST_CHOICES:
            raise BadInput(
                f"--scorer: choice: the rows have no choices, and {len(self._answers)} different "
                f"answers, which is not from 2 to {MOST_CHOICES}; exact takes any answer"
            )

    def __call__(self, case: Case, reply: Reply) -> Score:
        if not case.choices:
            reading = read(reply.text, words(*self._answers), reply.stop_reason)
            return graded(reading, reading.answer in case.accepted)
        letters = _letters(case)
        reading = read(reply.text, Vocabulary("letters", tuple(letters)), reply.stop_reason)
        if reading.state is ReadingState.UNPARSED and reading.reason is None:
            reading = read(reply.text, words(*case.choices), reply.stop_reason)
        right = {letter_of(case, one) for one in case.accepted}
        said = None if reading.answer is None else letter_of(case, reading.answer)
        return graded(reading, said in right)


def _letters(case: Case) -> Mapping[str, str]:
    return dict(zip(ascii_uppercase, case.choices, strict=False))


def letter_of(case: Case, answer: str) -> str | None:
    """The letter of an answer that is a choice's words, or a letter itself."""
    letters = _letters(case)
    for letter, choice in letters.items():
        if same_words(choice) == same_words(answer):
            return letter
    return next((one for one in letters if one.casefold() == answer.strip().casefold()), None)
