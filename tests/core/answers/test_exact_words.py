"""Answers in free words: what makes no difference between two of them, and what does."""

from __future__ import annotations

import pytest

from misstep.core.answers import same_words


@pytest.mark.parametrize(
    "text",
    ['"Paris"', "**Paris.**", " paris ", "(Paris)", "- Paris", "PARIS!", "«Paris»", "# Paris"],
)
def test_case_decoration_and_punctuation_at_the_edges_make_no_difference(text: str) -> None:
    assert same_words(text) == same_words("Paris")


@pytest.mark.parametrize(
    ("one", "other"),
    [("-5", "5"), (".5", "5"), ("-.5", ".5"), ("C++", "C"), ("C#", "C"), ("40 %", "40"),
     ("A+", "A"), ("re-do", "redo")],
)  # fmt: skip
def test_marks_that_carry_meaning_do(one: str, other: str) -> None:
    assert same_words(one) != same_words(other)
