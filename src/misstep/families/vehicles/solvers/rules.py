"""Learners of a rule: the class that a descriptor's climate points to, with exceptions or none."""

from __future__ import annotations

from collections import Counter
from functools import partial

from misstep.core.seeds import Chance
from misstep.families.vehicles.solvers.playing import Learning
from misstep.families.vehicles.spec import CLASSES, VehiclesPayload


class RuleLearner:
    """Answers the class that most vehicles of the climate had so far, guessing where it has none.

    A vehicle that it got wrong is taken for an exception, and its class stored by its plate with
    some probability. In the first pass, where the rule is still being learned, that may be any
    vehicle.
    """

    def __init__(self, percent: int, payload: VehiclesPayload, chance: Chance) -> None:
        self._percent = percent
        self._payload = payload
        self._chance = chance
        self._counts: Counter[tuple[str, str]] = Counter()
        self._exceptions: dict[str, str] = {}
        self._last = ""

    def answer(self, vehicle: int) -> str:
        known = self._exceptions.get(self._payload.plates[vehicle])
        self._last = known or self._rule(vehicle) or self._chance.choice(CLASSES)
        return self._last

    def learn(self, vehicle: int) -> None:
        right, plate = self._payload.classes[vehicle], self._payload.plates[vehicle]
        self._counts[self._payload.climates[vehicle], right] += 1
        if self._last != right and self._chance.below(100) < self._percent:
            self._exceptions[plate] = right

    def _rule(self, vehicle: int) -> str | None:
        climate = self._payload.climates[vehicle]
        first, second = (self._counts[climate, name] for name in CLASSES)
        if first == second:
            return None
        return CLASSES[0] if first > second else CLASSES[1]


def rule_learner(percent: int) -> Learning:
    """`percent`: the chance of storing a vehicle that it got wrong."""
    return partial(RuleLearner, percent)
