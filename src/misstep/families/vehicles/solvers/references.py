"""The list of reference solvers, what each does, and how many passes it is known to take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from misstep.core.family import Solution, Solver
from misstep.core.items import Item
from misstep.families.vehicles.solvers.exemplars import ContextModel
from misstep.families.vehicles.solvers.memory import memoriser
from misstep.families.vehicles.solvers.playing import Learning, said
from misstep.families.vehicles.solvers.rules import rule_learner
from misstep.families.vehicles.spec import MOST_PASSES, VehiclesPayload

EXPLANATION = "That is the class it was said to be."


@dataclass(frozen=True)
class Reference:
    """A learner, and the lowest and highest mean of its passes over very many lists."""

    learning: Learning
    passes: tuple[float, float]
    about: str


def _memoriser(percent: int, passes: float) -> Reference:
    about = (
        "stores each vehicle's class, by its plate, when it is told it"
        + ("" if percent == 100 else f", with probability .{percent // 10}")
        + "; guesses what it has not stored"
    )
    return Reference(memoriser(percent), (passes, passes), about)


def _rulex(percent: int, low: float, high: float) -> Reference:
    share = f"{percent / 100:.2f}".rstrip("0").lstrip("0")
    about = (
        f"as rule, but stores a vehicle that it got wrong, by its plate, with probability {share}; "
        "in the first pass, while the rule is being learned, that may be any vehicle"
    )
    return Reference(rule_learner(percent), (low, high), about)


REFERENCES: Mapping[str, Reference] = {
    "memoriser": _memoriser(100, 2.0),
    "memoriser-80": _memoriser(80, 2.82),
    "memoriser-50": _memoriser(50, 4.29),
    "memoriser-30": _memoriser(30, 6.33),
    "rule": Reference(
        rule_learner(0),
        (MOST_PASSES, MOST_PASSES),
        "answers the class that most vehicles of the descriptor's climate had so far; guesses "
        "between equals",
    ),
    "rulex-50": _rulex(50, 3.7, 4.0),
    "rulex-25": _rulex(25, 6.6, 6.9),
    "rulex-10": _rulex(10, 11.4, 11.6),
    "gcm": Reference(
        ContextModel,
        (2.0, MOST_PASSES),
        "generalised context model: the class whose vehicles so far are more like this one in sum; "
        "likeness falls by exp(-.5) with each feature that differs (plate, climate, transmission, "
        "seat cover, doors); guesses between equals",
    ),
}


def solver(name: str) -> Solver[VehiclesPayload]:
    """What the learner answers at the turn of the item that it is given."""
    learning = REFERENCES[name].learning

    def solve(item: Item[VehiclesPayload]) -> Solution:
        if item.payload.is_explaining:
            return Solution(EXPLANATION)
        return Solution(said(item, name, learning))

    return solve
