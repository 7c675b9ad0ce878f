"""Random Ferry problems: cars at harbours, each wanted somewhere."""

from __future__ import annotations

from collections.abc import Mapping

from misstep.planning.generators.chance import Chance, choice
from misstep.planning.generators.settings import TRIES, Generator, Setting, SettingError
from misstep.planning.model import And, Atom, Domain, Problem, Typed


def _make(domain: Domain, settings: Mapping[str, int], chance: Chance, name: str) -> Problem:
    cars = [f"c{number}" for number in range(1, settings["cars"] + 1)]
    harbours = [f"h{number}" for number in range(1, settings["harbours"] + 1)]
    start = {car: choice(chance, harbours) for car in cars}
    ferry = choice(chance, harbours)
    for _ in range(TRIES):
        goal = {car: choice(chance, harbours) for car in cars}
        if goal != start:
            break
    else:
        raise SettingError("ferry: harbours: no goal differs from the start")
    return Problem(
        name,
        domain,
        objects=(
            *(Typed(car, ("car",)) for car in cars),
            *(Typed(harbour, ("harbour",)) for harbour in harbours),
        ),
        init=(
            Atom("at-ferry", (ferry,)),
            Atom("empty-ferry"),
            *(Atom("at", pair) for pair in start.items()),
        ),
        goal=And(tuple(Atom("at", pair) for pair in goal.items())),
    )


FERRY = Generator(
    "ferry",
    {
        "cars": Setting(4, 1, "number of cars"),
        "harbours": Setting(4, 2, "number of harbours"),
    },
    "the ferry sails between any two harbours and brings the cars one by one",
    _make,
)
