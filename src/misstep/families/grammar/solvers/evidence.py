"""From a measure of likeness to a reference solver: its evidence, and a Yes or No for one item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from statistics import median

from misstep.core.family import Solution, Solver
from misstep.core.items import Item
from misstep.families.grammar.spec import GrammarPayload

Training = tuple[str, ...]
Evidence = Callable[[str], float]
"""How much a string looks like the training strings; higher is more grammatical."""
Learner = Callable[[Training], Evidence]

GRAMMARS_KEPT = 256
"""Training sets whose learning is kept: the 44 questions of a grammar share it."""


def measured(learn: Learner) -> Solver[GrammarPayload]:
    """A solver that answers Yes where the evidence is above that of a test it sets itself.

    The self-made test needs neither the other questions nor their answers: each training string
    is judged by what the others teach, as it is and with each of its letters changed in turn,
    and the median of all these divides Yes from No. The published reference lines split at the
    median of a group's 44 questions, which the `score` allows later.
    """

    @lru_cache(maxsize=GRAMMARS_KEPT)
    def learned(training: Training) -> tuple[Evidence, float]:
        return learn(training), _threshold(learn, training)

    def solve(item: Item[GrammarPayload]) -> Solution:
        evidence, threshold = learned(item.payload.training)
        score = evidence(item.payload.test)
        return Solution("Yes" if score > threshold else "No", score)

    return solve


def _threshold(learn: Learner, training: Training) -> float:
    letters = sorted({letter for word in training for letter in word})
    judged: list[float] = []
    for at, word in enumerate(training):
        evidence = learn(training[:at] + training[at + 1 :])
        judged += [evidence(word)] * len(word)
        judged += [evidence(changed) for changed in _changed(word, letters, at)]
    return median(judged)


def _changed(word: str, letters: list[str], turn: int) -> Iterator[str]:
    """The word with each letter in turn replaced by another; which one goes round the letters."""
    for place, letter in enumerate(word):
        others = [other for other in letters if other != letter]
        yield word[:place] + others[(turn + place) % len(others)] + word[place + 1 :]
