"""Reference solvers: the truth by its ratings, and shorter ways that take in less of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from misstep.core.family import Solution, Solver
from misstep.core.items import Item
from misstep.core.seeds import stream
from misstep.families.apartments.spec import SPEC, ApartmentsPayload
from misstep.families.apartments.tally import tallies

FEW = 10

Appeal = Callable[[ApartmentsPayload], Sequence[int]]
"""How good each apartment looks; the highest is taken."""


def choosing(appeal: Appeal) -> Solver[ApartmentsPayload]:
    """A solver that takes the apartment of the greatest appeal; one of equals by a fixed lot, so
    that no place is favoured."""

    def solve(item: Item[ApartmentsPayload]) -> Solution:
        found = appeal(item.payload)
        best = [at for at, one in enumerate(found) if one == max(found)]
        chosen = stream(SPEC.name, SPEC.version, 0, "lot", item.id).choice(best)
        return Solution(str(chosen + 1))

    return solve


def _sums(payload: ApartmentsPayload) -> list[int]:
    return [sum(row) for row in payload.ratings]


def _signs(payload: ApartmentsPayload) -> list[int]:
    return tallies(payload.ratings)


def _positives(payload: ApartmentsPayload) -> list[int]:
    return [sum(one > 0 for one in row) for row in payload.ratings]


def _first_features(payload: ApartmentsPayload) -> list[int]:
    return [sum(row[:FEW]) for row in payload.ratings]


def _first_half(payload: ApartmentsPayload) -> list[int]:
    return [sum(row[: len(row) // 2]) for row in payload.ratings]


@dataclass(frozen=True)
class Reference:
    """A solver, and its accuracy in each range (4,000 sets each; standard error at most .008)."""

    solve: Solver[ApartmentsPayload]
    accuracy: Mapping[str, float]
    about: str


def _known(small: float, middle: float, large: float) -> dict[str, float]:
    return {"0.1-0.3": small, "0.3-0.5": middle, "0.5-1": large}


REFERENCES: Mapping[str, Reference] = {
    "sum": Reference(choosing(_sums), _known(1, 1, 1), "the greatest sum of ratings: the truth"),
    "tally": Reference(
        choosing(_signs), _known(0.731, 0.929, 0.995), "statements rated above 0 less those below"
    ),
    "positives": Reference(
        choosing(_positives), _known(0.720, 0.924, 0.994), "the most statements rated above 0"
    ),
    "first-ten": Reference(
        choosing(_first_features),
        _known(0.384, 0.455, 0.546),
        "the sum over the first ten features of the file",
    ),
    "first-half": Reference(
        choosing(_first_half),
        _known(0.545, 0.733, 0.883),
        "the sum over the first half of the features",
    ),
}
