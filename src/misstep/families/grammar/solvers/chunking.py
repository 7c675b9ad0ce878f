"""Competitive chunking, after Servan-Schreiber & Anderson (1990): chunks grow out of chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt

from misstep.families.grammar.ngrams import marked
from misstep.families.grammar.solvers.evidence import Evidence, Training

PASSES = 3
"""How often the training strings are studied, in their order."""
LETTER_STRENGTH = 1.0
"""A use of a chunk n strings ago counts 1 / sqrt(n + 1); a letter is always at full strength."""


@dataclass
class ChunkMemory:
    """The state of a learner: when each chunk was used, counted in studied strings."""

    now: int = 0
    uses: dict[str, list[int]] = field(default_factory=dict)

    def strength(self, chunk: str) -> float:
        if len(chunk) == 1:
            return LETTER_STRENGTH
        return sum(1 / sqrt(self.now - use + 1) for use in self.uses[chunk])

    def perceive(self, string: str) -> tuple[list[str], list[str]]:
        """The string's parts once no known chunk joins two of them, and the chunks that did.

        The strongest chunk joins first; of equal ones, the leftmost.
        """
        parts: list[str] = list(string)
        joined: list[str] = []
        while known := [chunk for chunk in _joins(parts) if chunk in self.uses]:
            chunk = max(known, key=self.strength)
            at = _joins(parts).index(chunk)
            parts[at : at + 2] = [chunk]
            joined.append(chunk)
        return parts, joined

    def study(self, string: str) -> None:
        """Strengthens the chunks used, and makes one new chunk of the two strongest neighbours."""
        self.now += 1
        parts, joined = self.perceive(string)
        for chunk in joined:
            self.uses[chunk].append(self.now)
        if len(parts) > 1:
            support = [self.strength(a) + self.strength(b) for a, b in pairwise(parts)]
            self.uses[_joins(parts)[support.index(max(support))]] = [self.now]


def _joins(parts: Sequence[str]) -> list[str]:
    return [one + other for one, other in pairwise(parts)]


def chunking(training: Training) -> Evidence:
    """Minus the number of parts that a string, with its marks, is perceived as, per letter."""
    memory = ChunkMemory()
    for word in training * PASSES:
        memory.study(marked(word))
    return lambda string: -len(memory.perceive(marked(string))[0]) / len(string)
