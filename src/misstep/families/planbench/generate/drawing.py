"""What every kind of test draws with: problems, their solutions, changed goals and states."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from misstep.core.seeds import Chance
from misstep.families.planbench.settings import Settings
from misstep.families.planbench.solving import Solved, Solvers
from misstep.families.planbench.source import Source
from misstep.planning.joining import fluent_predicates
from misstep.planning.model import (
    TOTAL_COST,
    And,
    Atom,
    Domain,
    Fluent,
    Formula,
    Problem,
    Step,
    Value,
)
from misstep.planning.states import State, atoms_of
from misstep.planning.substitution import conjuncts

TRIES = 40
"""Draws for one case of one item; where all fail, the item is passed over."""


@dataclass(frozen=True)
class Draw:
    """Where one item comes from: nothing in it depends on any other item."""

    source: Source
    solvers: Solvers
    settings: Settings
    chance: Chance

    @property
    def sizes(self) -> tuple[int, int]:
        """The least and the most that are drawn."""
        return self.settings.sizes or self.source.sizes

    def problem(self, size: int | None = None) -> Problem:
        """Of the given size, or of one drawn from the settings' range."""
        low, high = self.sizes
        drawn = low + self.chance.below(high - low + 1) if size is None else size
        return self.source.instance(self.chance, drawn)

    def solved(self, problem: Problem) -> Solved | None:
        """Some plan, shortest where that is quickly known; None also where the goal holds."""
        found = self.solvers.some_plan(problem)
        return found if found is not None and found.plan else None


@dataclass(frozen=True)
class Drawn:
    """A case before it is disguised and put as text. `length` counts the actions that the test is
    about: of the plan that is asked for, or of the sequence that is shown."""

    problem: Problem
    answer: tuple[str, ...]
    length: int
    shown: tuple[Step, ...] = ()
    before: Problem | None = None
    executed: int = 0
    optimum: int | None = None
    is_shortest: bool = False
    kind: str = ""


@dataclass(frozen=True)
class Draft:
    """An item: its question and the examples before it."""

    query: Drawn
    examples: tuple[Drawn, ...]


One = Callable[[Draw], Drawn | None]


def independent(draw: Draw, ones: Iterable[One]) -> Draft | None:
    """The question (the first) and its examples, each about an instance of its own."""
    cases: list[Drawn] = []
    for one in ones:
        case = _fresh(draw, one, {instance_key(case) for case in cases})
        if case is None:
            return None
        cases.append(case)
    return Draft(cases[0], tuple(cases[1:]))


def _fresh(draw: Draw, one: One, taken: set[str]) -> Drawn | None:
    for _ in range(TRIES):
        case = one(draw)
        if case is not None and instance_key(case) not in taken:
            return case
    return None


def instance_key(case: Drawn) -> str:
    """Equal for cases about the same initial state and goal."""
    return problem_key(case.before or case.problem)


def problem_key(problem: Problem) -> str:
    facts = sorted(atom.text for atom in problem.init)
    return f"{[typed.name for typed in problem.objects]} {facts} {problem.goal}"


def with_goal(problem: Problem, parts: Iterable[Formula]) -> Problem:
    return replace(problem, goal=And(tuple(parts)))


def with_start(problem: Problem, state: State) -> Problem:
    """The problem from that state on; what has been spent so far doesn't count."""
    spent = tuple(value for value in problem.values if value.fluent.function == TOTAL_COST)
    values = tuple(
        Value(Fluent(name, tuple(terms)), number)
        for (name, *terms), number in state.values
        if name != TOTAL_COST
    )
    return replace(problem, init=atoms_of(state), values=(*spent, *values))


def goals(problem: Problem) -> tuple[Formula, ...]:
    """The parts of the goal, in the order written."""
    return tuple(conjuncts(problem.goal))


def fluent_facts(domain: Domain, state: State) -> tuple[Atom, ...]:
    """The state's facts that actions can change, sorted."""
    changing = fluent_predicates(domain)
    return tuple(atom for atom in atoms_of(state) if atom.predicate in changing)
