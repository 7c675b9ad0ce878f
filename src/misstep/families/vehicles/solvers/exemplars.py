"""The generalised context model (Nosofsky, 1986): a vehicle is what those like it were."""

from __future__ import annotations

from collections import Counter
from math import exp

from misstep.core.seeds import Chance
from misstep.families.vehicles.spec import CLASSES, VehiclesPayload

SENSITIVITY = 0.5
"""Likeness falls by exp(-SENSITIVITY) with each feature that differs; all weigh the same."""


class ContextModel:
    """Every vehicle is stored with its class each time it is told. Answers the class whose stored
    vehicles are more like this one in sum, and guesses between equals."""

    def __init__(self, payload: VehiclesPayload, chance: Chance) -> None:
        self._classes = payload.classes
        self._features = tuple(
            zip(
                payload.plates,
                payload.climates,
                payload.transmissions,
                payload.seat_covers,
                payload.doors,
                strict=True,
            )
        )
        self._chance = chance
        self._stored: Counter[int] = Counter()

    def answer(self, vehicle: int) -> str:
        first, second = (self._likeness(vehicle, name) for name in CLASSES)
        if abs(first - second) < 1e-9:
            return self._chance.choice(CLASSES)
        return CLASSES[0] if first > second else CLASSES[1]

    def learn(self, vehicle: int) -> None:
        self._stored[vehicle] += 1

    def _likeness(self, vehicle: int, name: str) -> float:
        """In the list's order, so that the sum is the same on every machine."""
        return sum(
            self._stored[one] * exp(-SENSITIVITY * self._apart(vehicle, one))
            for one in range(len(self._classes))
            if self._classes[one] == name
        )

    def _apart(self, vehicle: int, one: int) -> int:
        pairs = zip(self._features[vehicle], self._features[one], strict=True)
        return sum(mine != its for mine, its in pairs)
