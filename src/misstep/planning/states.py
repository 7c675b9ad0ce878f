"""States of a problem, and what plans make of them, without grounding the problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from misstep.planning.errors import PlanningError
from misstep.planning.evaluation import Fact, World
from misstep.planning.model import Atom, Number, Problem, Step, step_text
from misstep.planning.running import start, take, unmet_goals


@dataclass(frozen=True, slots=True)
class State:
    """The facts that hold, and the numeric fluents with values, sorted."""

    facts: frozenset[Fact]
    values: tuple[tuple[Fact, Number], ...] = ()


def initial_state(problem: Problem) -> State:
    return _state(start(problem))


def facts_of(state: State) -> tuple[str, ...]:
    """Sorted: "(clear a)", "(on a b)"."""
    return tuple(sorted(f"({' '.join(fact)})" for fact in state.facts))


def atoms_of(state: State) -> tuple[Atom, ...]:
    """Sorted; as `Problem.init` takes them, for a problem that starts here."""
    return tuple(Atom(fact[0], fact[1:]) for fact in sorted(state.facts))


def apply(problem: Problem, state: State, step: Step) -> State:
    """The state after the step. Raises PlanningError, with the reason, where it can't be taken."""
    world = _world(problem, state)
    fault = take(world, step)
    if fault is not None:
        raise PlanningError(f"{step_text(step)} can't be taken: {fault.reason}")
    return _state(world)


def states_along(problem: Problem, plan: Sequence[Step]) -> Iterator[State]:
    """The initial state, then the state after each step, up to the first that can't be taken."""
    world = start(problem)
    yield _state(world)
    for step in plan:
        if take(world, step) is not None:
            return
        yield _state(world)


def goals_missing(problem: Problem, state: State) -> tuple[str, ...]:
    """The goals that don't hold in the state, in the order written."""
    return unmet_goals(_world(problem, state))


def _world(problem: Problem, state: State) -> World:
    facts = set(state.facts)
    return World(problem, facts, facts, dict(state.values))


def _state(world: World) -> State:
    return State(frozenset(world.facts), tuple(sorted(world.values.items())))
