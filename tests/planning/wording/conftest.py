"""Every way in which a small problem of each shipped domain can be told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from misstep.planning.folders import draw_problem, shipped, shipped_names
from misstep.planning.generators import SeededChance
from misstep.planning.model import Atom, Problem, Step, Typed
from misstep.planning.obfuscation import Disguise, obfuscate, problem_renaming
from misstep.planning.renaming import rename_problem
from misstep.planning.wording import Phrasebook, pddl_wording, phrasebook

SMALL = {
    "blocksworld": {"blocks": 5},
    "logistics": {"cities": 2, "places": 2, "packages": 2},
    "depots": {"crates": 3},
    "household": {"rooms": 2, "items": 3},
    "ferry": {"cars": 3, "harbours": 3},
    "satellite": {"satellites": 2, "instruments": 3},
}
MANNERS = ("english", "pddl", *Disguise)


def _told(name: str, manner: str) -> tuple[Problem, Phrasebook]:
    folder = shipped(name)
    problem = draw_problem(folder, SeededChance(11), SMALL[name])
    if manner == "english":
        return problem, phrasebook(problem, folder.wording)
    if manner == "pddl":
        return problem, phrasebook(problem, pddl_wording(folder.domain))
    disguised = obfuscate(folder.domain, Disguise(manner), SeededChance(12))
    renaming = problem_renaming(disguised, problem, SeededChance(13))
    hidden = rename_problem(renaming, problem, disguised.domain)
    return hidden, phrasebook(hidden, disguised.wording)


@pytest.fixture(params=[(name, manner) for name in shipped_names() for manner in MANNERS], ids=str)
def told(request: pytest.FixtureRequest) -> tuple[Problem, Phrasebook]:
    name, manner = request.param
    return _told(name, manner)


def _ground(problem: Problem, parameters: tuple[Typed, ...]) -> Iterator[tuple[str, ...]]:
    """By brute force: all tuples of all objects, those of other types thrown away."""
    names = [typed.name for typed in problem.all_objects]
    for terms in product(names, repeat=len(parameters)):
        if all(
            not problem.types_of[term].isdisjoint(parameter.types)
            for term, parameter in zip(terms, parameters, strict=True)
        ):
            yield terms


@pytest.fixture
def all_steps() -> Callable[[Problem], list[Step]]:
    def steps(problem: Problem) -> list[Step]:
        return [
            (action.name, *terms)
            for action in problem.domain.actions
            for terms in _ground(problem, action.parameters)
        ]

    return steps


@pytest.fixture
def all_atoms() -> Callable[[Problem], list[Atom]]:
    def atoms(problem: Problem) -> list[Atom]:
        return [
            Atom(predicate.name, terms)
            for predicate in problem.domain.predicates
            for terms in _ground(problem, predicate.parameters)
        ]

    return atoms
