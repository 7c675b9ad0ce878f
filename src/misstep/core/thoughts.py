"""Words of a vote among thoughts, for any family; what asks for a thought is `wording.words`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from misstep.core.answers.thinking import cut_thinking
from misstep.core.arms import Arm
from misstep.core.family import Family
from misstep.core.items import Item
from misstep.core.pictures import PLACE
from misstep.core.wording import question

P = TypeVar("P")

VOTE = "Which of these thoughts answers the question best?"
"""After A.3, which says that votes select the best thought, and prints no words."""


def ballot(family: Family[P], item: Item[P], arm: Arm, thoughts: Sequence[str]) -> str:
    """What is asked for one vote: by the family's own words, if it has any, else by these.

    Each picture of the question is shown again, once.
    """
    if family.ballot is not None:
        return family.ballot(item, thoughts)
    return ballot_words(question(family, item, arm), thoughts)


def ballot_words(asked: str, thoughts: Sequence[str], vote: str = VOTE) -> str:
    """The question without its instruction, the thoughts numbered from 1, and what to answer."""
    parts = [asked.rstrip()]
    parts += [f"Thought {number}:\n{_visible(text)}" for number, text in enumerate(thoughts, 1)]
    numbers = ", ".join(str(number) for number in range(1, len(thoughts)))
    parts.append(f"{vote}\nPlease ONLY answer with its number: {numbers} or {len(thoughts)}.")
    return "\n\n".join(parts)


def _visible(thought: str) -> str:
    """Without thinking between tags, which nobody but the thinker sees elsewhere, and without the
    sign for pictures, which would stand for one that isn't there."""
    cut = cut_thinking(thought).text
    return (thought if cut == thought else cut.strip()).replace(PLACE, "")
