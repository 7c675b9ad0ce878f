"""Solvers that remember whole training strings and compare by edit distance."""

from __future__ import annotations

from functools import lru_cache
from math import exp

from misstep.families.grammar.solvers.evidence import Evidence, Training

SENSITIVITY = 1.0
"""How fast likeness falls with edit distance in the generalised context model."""


def nearest(training: Training) -> Evidence:
    """Minus the edit distance to the nearest training string."""
    return lambda string: -min(edit_distance(string, word) for word in training)


def context_model(training: Training) -> Evidence:
    """GCM: the summed likeness exp(-d) to all training strings, d the edit distance."""
    return lambda string: sum(exp(-SENSITIVITY * edit_distance(string, word)) for word in training)


@lru_cache(maxsize=1 << 14)
def edit_distance(one: str, other: str) -> int:
    """Letters to insert, delete or replace to turn one string into the other (Levenshtein)."""
    above = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        here = [row]
        for column, against in enumerate(other, 1):
            replaced = above[column - 1] + (letter != against)
            here.append(min(replaced, above[column] + 1, here[-1] + 1))
        above = here
    return above[-1]
