"""Random problems of the shipped domains, drawn from chance that is passed in."""

from __future__ import annotations

from collections.abc import Mapping

from misstep.planning.generators.blocksworld import BLOCKSWORLD
from misstep.planning.generators.chance import Chance, SeededChance
from misstep.planning.generators.depots import DEPOTS
from misstep.planning.generators.ferry import FERRY
from misstep.planning.generators.household import HOUSEHOLD
from misstep.planning.generators.logistics import LOGISTICS
from misstep.planning.generators.satellite import SATELLITE
from misstep.planning.generators.settings import Generator, Setting, SettingError, complete
from misstep.planning.model import Domain, Problem

__all__ = [
    "GENERATORS",
    "Chance",
    "Generator",
    "SeededChance",
    "Setting",
    "SettingError",
    "random_problem",
]

GENERATORS: Mapping[str, Generator] = {
    generator.name: generator
    for generator in (BLOCKSWORLD, LOGISTICS, DEPOTS, HOUSEHOLD, FERRY, SATELLITE)
}


def random_problem(
    generator: str,
    domain: Domain,
    chance: Chance,
    settings: Mapping[str, object] | None = None,
    name: str = "",
) -> Problem:
    """A problem that has a plan and whose goal is not met at the start. Raises SettingError."""
    if generator not in GENERATORS:
        known = ", ".join(GENERATORS)
        raise SettingError(f"no generator {generator!r} (there are: {known})")
    chosen = GENERATORS[generator]
    values = complete(chosen, settings or {})
    problem = chosen.make(domain, values, chance, name or f"{generator}-problem")
    _check_fits(generator, problem)
    return problem


def _check_fits(generator: str, problem: Problem) -> None:
    """A domain of one's own can use a generator if it has the predicates and types drawn."""
    types = {name for typed in problem.objects for name in typed.types}
    missing = sorted(types - problem.domain.supertypes.keys())
    arities = {name: len(each.parameters) for name, each in problem.domain.predicate.items()}
    drawn = sorted({(atom.predicate, len(atom.terms)) for atom in problem.init})
    missing += [name for name, arity in drawn if arities.get(name) != arity]
    if missing:
        lacking = ", ".join(missing)
        raise SettingError(f"{generator}: domain {problem.domain.name} doesn't fit: no {lacking}")
