"""A learner at play: what it answers at each turn of a list's conversation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Protocol

from misstep.core.items import Item
from misstep.core.seeds import Chance, stream
from misstep.families.vehicles.spec import SPEC, VehiclesPayload


class Learner(Protocol):
    """One that is asked for a vehicle's class, by its place in the list, and then told it."""

    def answer(self, vehicle: int) -> str: ...

    def learn(self, vehicle: int) -> None: ...


Learning = Callable[[VehiclesPayload, Chance], Learner]
"""A fresh learner before a list of which it knows nothing yet."""


def said(item: Item[VehiclesPayload], name: str, learning: Learning) -> str:
    """The learner's answer at the item's turn: that of a learner who has answered all turns before
    as it does, so no memory is needed from one call to the next."""
    whole = replace(item.payload, answers=(), is_explaining=False)
    return _answers(item.id, whole, name, learning)[len(item.payload.answers)]


@lru_cache(maxsize=512)
def _answers(item: str, payload: VehiclesPayload, name: str, learning: Learning) -> tuple[str, ...]:
    """All its answers, as if no pass ended it. Its chance is the list's own."""
    seed = stream(SPEC.name, SPEC.version, 0, "solver", name, item)
    learner = learning(payload, seed)
    answers: list[str] = []
    for order in payload.orders:
        for vehicle in order:
            answers.append(learner.answer(vehicle))
            learner.learn(vehicle)
    return tuple(answers)
