"""Random Logistics problems: a truck in each city, airports in the first place of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from misstep.planning.generators.chance import Chance, choice
from misstep.planning.generators.settings import TRIES, Generator, Setting, SettingError
from misstep.planning.model import And, Atom, Domain, Problem, Typed


def _make(domain: Domain, settings: Mapping[str, int], chance: Chance, name: str) -> Problem:
    cities = [f"c{city}" for city in range(settings["cities"])]
    places = [
        [f"l{city}-{place}" for place in range(settings["places"])] for city in range(len(cities))
    ]
    everywhere = [place for group in places for place in group]
    airports = [group[0] for group in places]
    packages = [f"p{package}" for package in range(settings["packages"])]
    airplanes = [f"a{airplane}" for airplane in range(settings["airplanes"])]
    trucks = [f"t{city}" for city in range(len(cities))]
    starts = {
        **{trucks[city]: choice(chance, places[city]) for city in range(len(cities))},
        **{package: choice(chance, everywhere) for package in packages},
        **{airplane: choice(chance, airports) for airplane in airplanes},
    }
    marks = {"obj": packages, "truck": trucks, "airplane": airplanes}
    marks |= {"location": everywhere, "airport": airports, "city": cities}
    return Problem(
        name,
        domain,
        objects=tuple(Typed(n) for n in (*airplanes, *cities, *trucks, *everywhere, *packages)),
        init=(
            *(Atom(mark, (one,)) for mark, names in marks.items() for one in names),
            *(
                Atom("in-city", (place, city))
                for city, group in zip(cities, places, strict=True)
                for place in group
            ),
            *(Atom("at", (thing, place)) for thing, place in starts.items()),
        ),
        goal=_goal(packages, starts, everywhere, chance),
    )


def _goal(
    packages: Sequence[str], starts: Mapping[str, str], places: Sequence[str], chance: Chance
) -> And:
    """A place for every package; not all are there already."""
    for _ in range(TRIES):
        wanted = {package: choice(chance, places) for package in packages}
        if any(starts[package] != place for package, place in wanted.items()):
            return And(tuple(Atom("at", pair) for pair in wanted.items()))
    raise SettingError("logistics: places: one place in one city leaves no goal")


LOGISTICS = Generator(
    "logistics",
    {
        "cities": Setting(2, 1, "number of cities, each with its truck"),
        "places": Setting(2, 1, "places in each city, the first of them its airport"),
        "packages": Setting(3, 1, "number of packages"),
        "airplanes": Setting(1, 1, "number of airplanes"),
    },
    "a truck reaches all places of its city and an airplane all airports, with no limit of load",
    _make,
)
