"""A conversation: a family whose item takes many turns, each with what was found of the last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from misstep.core.items import Item
from misstep.core.outcomes import Reply, Score

P = TypeVar("P")
FULL = "model_length"


@dataclass(frozen=True)
class Turn(Generic[P]):
    """What is said next.

    `item` is the item as it stands at this turn: the family's words, its score and its solvers
    take it as they would any other, and its truth and lure are this turn's. `opening` is said
    before the arm's words: what was found of the last answer. `is_answer` is false for an aside,
    such as an explanation that is asked for: its words are the family's own whatever the arm's
    are, one call gets it, and nothing scores it.
    """

    item: Item[P]
    opening: str = ""
    is_answer: bool = True


@dataclass(frozen=True)
class Heard(Generic[P]):
    """A turn that is over: the reply that counts of it, and its score (None of an aside)."""

    turn: Turn[P]
    reply: Reply
    score: Score | None


@dataclass(frozen=True)
class Length:
    """How many answers an item takes, and how many asides come with each."""

    fewest: int
    most: int
    asides: int = 0


@dataclass(frozen=True)
class Conversation(Generic[P]):
    """The family's side; all of it is pure, so that a log can be heard again.

    `turn(item, wording, heard)` is the next turn, None where the conversation is over. `keep` is
    what the history holds of a reply; `keeps_text` says whether that is its own text. `score` is
    the item's, once the conversation is over, or can't go on. `length(wording)` is for
    estimates.
    """

    turn: Callable[[Item[P], str, Sequence[Heard[P]]], Turn[P] | None]
    keep: Callable[[Heard[P]], str]
    keeps_text: Callable[[Item[P]], bool]
    score: Callable[[Item[P], Sequence[Heard[P]]], Score]
    length: Callable[[str], Length]

    def next(self, item: Item[P], wording: str, heard: Sequence[Heard[P]]) -> Turn[P] | None:
        """As `turn`; None also where the last question no longer fitted the model's context, as
        none that follows would."""
        return None if heard and is_full(heard[-1].reply) else self.turn(item, wording, heard)

    def play(
        self, item: Item[P], wording: str, hear: Callable[[int, Turn[P]], Heard[P] | None]
    ) -> list[Heard[P]]:
        """Turn after turn as long as `hear`, given the number of the turn, has a reply."""
        heard: list[Heard[P]] = []
        while (turn := self.next(item, wording, heard)) is not None:
            one = hear(len(heard), turn)
            if one is None:
                break
            heard.append(one)
        return heard


def is_full(reply: Reply) -> bool:
    """Whether the question didn't fit the model's context, so that nothing was said to it."""
    return reply.stop_reason == FULL and not reply.text.strip()
