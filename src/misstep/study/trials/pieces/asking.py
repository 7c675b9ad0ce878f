"""The pieces that every family's screens for people are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from misstep.core.items import Item
from misstep.core.outcomes import Outcome
from misstep.study.screens import Ask, CheckQuestion, Choice, Part, Write
from misstep.study.trials.nouns import CheckedQuestion, Judged
from misstep.study.trials.pieces.timing import said

P = TypeVar("P")
FEWEST_CHARS = 10
"""Of reasons, and of all else that is to be written for some time."""

MEMORY_ALONE = (
    "Please use your memory alone: write nothing down, and take no picture of the screen."
)


REASONS = "Please reason about your answer, in writing, before you give it."


def at_once(deadline: int | None) -> str:
    """How to answer in a direct arm; a deadline of 0, or None, is none."""
    time = f" You have {said(deadline)} for each." if deadline else ""
    return f"Please answer at once, by your first impression.{time}"


def reasons_first(least: int | None) -> str:
    """How to answer where reasons come before it."""
    return (
        "Before each answer you are asked to reason about it in writing, for at least "
        f"{said(least or 0)}. Then you answer, in your own time."
    )


def paragraphs(*texts: str) -> tuple[Part, ...]:
    return tuple(Part("text", text) for text in texts)


def buttons(answers: Sequence[str]) -> tuple[Choice, ...]:
    """The vocabulary's own words on the buttons; the key of each is its first sign."""
    return tuple(Choice(answer, answer, answer[0].lower()) for answer in answers)


def ask(body: tuple[Part, ...], question: str, answers: Sequence[str], deadline: int | None) -> Ask:
    """One of the answers, by its button; a deadline of 0, or None, is none."""
    return Ask(body, question, buttons(answers), deadline_ms=deadline or None)


def write(body: tuple[Part, ...], label: str, least: int | None) -> Write:
    """Something to write, for at least so many milliseconds."""
    return Write(body, label, min_ms=least or 0, min_chars=FEWEST_CHARS)


def question(name: str, text: str, right: str, **choices: str) -> CheckedQuestion:
    """Whether the instructions were understood: the values of its choices, and their words."""
    shown = tuple(Choice(value, words) for value, words in choices.items())
    if right not in choices:
        raise ValueError(f"{name}: no choice {right!r}")
    return CheckedQuestion(CheckQuestion(name, text, shown), right)


def right_or_wrong(item: Item[P], judged: Judged) -> tuple[Part, ...]:
    """What is said after a practice trial."""
    if judged.score.outcome is Outcome.CORRECT:
        return paragraphs("Correct.")
    found = "Incorrect." if judged.score.outcome.is_answered else "There was no answer in time."
    return paragraphs(f"{found} The right answer is {item.truth}.")
