"""Answer vocabularies: what may count as an answer to a task."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Vocabulary:
    """The answers of a task, in their canonical spelling and fixed order."""

    name: str
    answers: tuple[str, ...]


def words(*answers: str) -> Vocabulary:
    """A vocabulary of one's own words."""
    return Vocabulary("words", answers)


VOCABULARIES = {
    vocabulary.name: vocabulary
    for vocabulary in (
        Vocabulary("yes_no", ("Yes", "No")),
        Vocabulary("class_ab", ("A", "B")),
        Vocabulary("abcd", ("A", "B", "C", "D")),
        Vocabulary("one_to_five", ("1", "2", "3", "4", "5")),
        Vocabulary("apartment_1_to_4", ("1", "2", "3", "4")),
    )
}
