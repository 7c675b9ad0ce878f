"""Problems out of portraits: two of one person, and four others with the same attributes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from misstep.core.seeds import Chance, stream
from misstep.families.faces.photographs.people import Skipped
from misstep.families.faces.photographs.portraits import Portrait, Sitter

SOURCE, VERSION = "photographs", 1
OTHERS = 4
NEAREST = 0.6
"""Between two photographs of one person: the embedder's own threshold. The gate of made pictures is
narrower; here the folder says who is who, and light and years may lie between two pictures."""


@dataclass(frozen=True)
class Terms:
    """What a problem needs. `farther`: each other is that much farther from both pictures of the
    person than these are from each other, which are `nearest` apart at most; without `is_gated`
    that is measured and nothing is left out."""

    seed: int
    farther: float
    nearest: float
    is_gated: bool = True


@dataclass(frozen=True)
class Chosen:
    """The six portraits of a problem, the right one before the others."""

    sitter: Sitter
    reference: Portrait
    right: Portrait
    others: tuple[tuple[str, Portrait], ...]
    passes: bool


def choose(
    sitter: Sitter, everybody: Sequence[Sitter], take: int, terms: Terms
) -> Chosen | Skipped:
    """A problem about this person, or why there is none. It hangs on the seed, the take and who is
    there, not on their order."""
    if len(sitter.portraits) < 2:
        return Skipped(sitter.name, "one usable picture: no problem of its own")
    alike = [one for one in everybody if _is_alike(one, sitter)]
    if len(alike) < OTHERS:
        same = " with the same attributes" if sitter.described else ""
        return Skipped(sitter.name, f"{len(alike)} others{same}; a problem needs {OTHERS}")
    chance = stream("faces", VERSION, terms.seed, SOURCE, sitter.name, take)
    order = chance.shuffled(alike)
    pairs = list(_pairs(sitter, chance))
    if not pairs:
        return Skipped(sitter.name, "all usable pictures are copies of one")
    for reference, right in pairs:
        found = _others(reference, right, order, chance, terms)
        if found is not None:
            return Chosen(sitter, reference, right, found, passes=True)
    if terms.is_gated:
        return Skipped(sitter.name, "the gate passes no two pictures with four others")
    others = tuple((one.name, chance.choice(one.portraits)) for one in order[:OTHERS])
    return Chosen(sitter, *pairs[0], others, passes=False)


def _is_alike(one: Sitter, sitter: Sitter) -> bool:
    return one.name != sitter.name and one.described == sitter.described


def _pairs(sitter: Sitter, chance: Chance) -> Iterator[tuple[Portrait, Portrait]]:
    """Each two pictures of the person, in random order; two copies are no two pictures."""
    for first, second in chance.shuffled(list(combinations(sitter.portraits, 2))):
        if first.digest != second.digest:
            yield (first, second) if chance.below(2) == 0 else (second, first)


def _others(
    reference: Portrait, right: Portrait, order: Sequence[Sitter], chance: Chance, terms: Terms
) -> tuple[tuple[str, Portrait], ...] | None:
    """A portrait of each of the first four people that pass; None where there are fewer."""
    apart = math.dist(reference.embedding, right.embedding)
    if apart > terms.nearest:
        return None
    found: list[tuple[str, Portrait]] = []
    for one in order:
        for portrait in chance.shuffled(one.portraits):
            both = (math.dist(portrait.embedding, each.embedding) for each in (reference, right))
            if min(both) >= apart + terms.farther:
                found.append((one.name, portrait))
                break
        if len(found) == OTHERS:
            return tuple(found)
    return None
