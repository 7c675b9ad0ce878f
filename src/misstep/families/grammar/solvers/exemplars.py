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
    """Letters to insert, delete or replace to turn one string into the other (Levenshtein).

    A whole column of the usual table at once, as the bits of whole numbers that say where it rises
    and where it falls (Myers 1999, Hyyrö 2001).
    """
    if not one:
        return len(other)
    places: dict[str, int] = {}
    for place, letter in enumerate(one):
        places[letter] = places.get(letter, 0) | 1 << place
    every, last = (1 << len(one)) - 1, 1 << len(one) - 1
    rises, falls, distance = every, 0, len(one)
    for letter in other:
        same = places.get(letter, 0)
        level = (((same & rises) + rises) ^ rises) | same | falls
        right_rises, right_falls = falls | ~(level | rises), level & rises
        distance += bool(right_rises & last) - bool(right_falls & last)
        right_rises, right_falls = right_rises << 1 | 1, right_falls << 1
        rises = (right_falls | ~(level | right_rises)) & every
        falls = right_rises & level & every
    return distance
