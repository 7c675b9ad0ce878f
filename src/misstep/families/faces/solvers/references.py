"""The list of reference solvers: a fixed answer, four that look beside the face, four at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

from misstep.core.family import Solution, Solver
from misstep.core.items import Item
from misstep.families.faces.spec import FacesPayload


@dataclass(frozen=True)
class Reference:
    """A solver and what it looks at. `at_chance`: one that sees no face must be right in one
    problem of five, but for the luck of the draw; else the pictures give the answer away."""

    solve: Solver[FacesPayload]
    about: str
    at_chance: bool


def _first(item: Item[FacesPayload]) -> Solution:
    return Solution("1")


def _seeing(module: str, name: str) -> Solver[FacesPayload]:
    """A solver of a module that reads pictures, imported when it is first asked."""

    def solve(item: Item[FacesPayload]) -> Solution:
        solvers = import_module(f"misstep.families.faces.solvers.{module}").SOLVERS
        found: Solution = solvers[name](item)
        return found

    return solve


def _pixels(name: str, about: str, *, at_chance: bool) -> Reference:
    return Reference(_seeing("pixels", name), about, at_chance)


REFERENCES: Mapping[str, Reference] = {
    "first": Reference(_first, "always 1", at_chance=True),
    "colours": _pixels("colours", "nearest colour histogram outside the face", at_chance=True),
    "background": _pixels("background", "nearest colour of the background", at_chance=True),
    "clothing": _pixels("clothing", "nearest colour of the clothes", at_chance=True),
    "hair": _pixels("hair", "nearest pixels of the hair around the face", at_chance=True),
    "pixels": _pixels("pixels", "nearest pixels of the whole picture", at_chance=False),
    "face-pixels": _pixels("face-pixels", "nearest pixels of the face", at_chance=False),
    "face-edges": _pixels(
        "face-edges", "nearest directions of edges in the face, tile by tile", at_chance=False
    ),
    "embedding": Reference(
        _seeing("embedding", "embedding"),
        "nearest face embedding: the gate's own measure, so right in what it let pass",
        at_chance=False,
    ),
}
