"""Learners by heart: each vehicle's class, by its plate, and nothing else."""

from __future__ import annotations

from functools import partial

from misstep.core.seeds import Chance
from misstep.families.vehicles.solvers.playing import Learning
from misstep.families.vehicles.spec import CLASSES, VehiclesPayload


class Memoriser:
    """Stores a vehicle's class with some probability whenever it is told it; guesses the rest."""

    def __init__(self, percent: int, payload: VehiclesPayload, chance: Chance) -> None:
        self._percent = percent
        self._payload = payload
        self._chance = chance
        self._known: dict[str, str] = {}

    def answer(self, vehicle: int) -> str:
        known = self._known.get(self._payload.plates[vehicle])
        return self._chance.choice(CLASSES) if known is None else known

    def learn(self, vehicle: int) -> None:
        plate = self._payload.plates[vehicle]
        if plate not in self._known and self._chance.below(100) < self._percent:
            self._known[plate] = self._payload.classes[vehicle]


def memoriser(percent: int) -> Learning:
    return partial(Memoriser, percent)
