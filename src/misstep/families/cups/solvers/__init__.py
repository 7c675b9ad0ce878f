"""Reference solvers: no model; the exact one, rules of thumb, fixed letters, a picture's reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from misstep.core.family import Solution, Solver
from misstep.core.items import Item
from misstep.families.cups.drawing import png
from misstep.families.cups.geometry import right_level
from misstep.families.cups.rules import glasses, nearest, rule_levels
from misstep.families.cups.spec import CupsPayload


@dataclass(frozen=True)
class Reference:
    """A solver with its accuracy over all designs and 200 seeds (standard error .002), with the
    default marks and with those of the paper."""

    solve: Solver[CupsPayload]
    accuracy: float
    paper: float
    about: str


def exact(item: Item[CupsPayload]) -> Solution:
    """The mark at the level that pours at the same tilt."""
    source, target = glasses(item.payload)
    level = right_level(source, Fraction(item.payload.water), target)
    return Solution(nearest(item.payload, level))


def picture(item: Item[CupsPayload]) -> Solution:
    """The same, with all lengths and letters read from the PNG's pixels."""
    from misstep.families.cups.solvers.eyes import answer

    return Solution(answer(png(item.payload)))


def _by_rule(rule: str) -> Solver[CupsPayload]:
    return lambda item: Solution(nearest(item.payload, rule_levels(item.payload)[rule]))


def _always(letter: str) -> Solver[CupsPayload]:
    return lambda item: Solution(letter)


REFERENCES: Mapping[str, Reference] = {
    "exact": Reference(exact, 1.0, 1.0, "the mark at the level that pours at the same tilt"),
    "picture": Reference(
        picture, 1.0, 1.0, "the same, with lengths and letters read from the picture's pixels"
    ),
    "same-level": Reference(
        _by_rule("same_level"), 0.447, 0.334, "the mark nearest to the same level"
    ),
    "same-proportion": Reference(
        _by_rule("same_proportion"), 0.531, 0.444, "the mark nearest to the same part of the height"
    ),
    "same-volume": Reference(
        _by_rule("same_volume"), 0.487, 0.379, "the mark nearest to the level of the same amount"
    ),
    "always-a": Reference(_always("A"), 0.25, 0.124, "A, the lowest mark"),
    "always-b": Reference(_always("B"), 0.25, 0.415, "B, the second lowest mark"),
    "always-c": Reference(_always("C"), 0.25, 0.391, "C, the second highest mark"),
    "always-d": Reference(_always("D"), 0.25, 0.070, "D, the highest mark"),
}
SOLVERS = {name: reference.solve for name, reference in REFERENCES.items()}
ABOUT = {name: reference.about for name, reference in REFERENCES.items()}

__all__ = ["ABOUT", "REFERENCES", "SOLVERS", "Reference"]
