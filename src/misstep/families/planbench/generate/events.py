"""Unexpected events: what may happen to a state, by domain (§5.6); None where nothing can."""

from __future__ import annotations

from collections.abc import Callable

from misstep.families.planbench.generate.drawing import Draw
from misstep.families.planbench.generate.walks import walk_from
from misstep.families.planbench.programs import goal_facts
from misstep.planning.model import Problem
from misstep.planning.states import State, apply

Fact = tuple[str, ...]
Event = Callable[[Draw, Problem, State], State | None]


def event_for(domain: str) -> Event:
    return {"blocksworld": put_elsewhere, "logistics": packages_elsewhere}.get(domain, wander)


def put_elsewhere(draw: Draw, problem: Problem, state: State) -> State | None:
    """The held block comes to stand on a random clear block, and the hand is empty."""
    facts = sorted(state.facts)
    held = next((fact[1] for fact in facts if fact[0] == "holding"), None)
    places = [fact[1] for fact in facts if fact[0] == "clear"]
    if held is None or not places:
        return None
    below = draw.chance.choice(places)
    lost = set[Fact]({("holding", held), ("clear", below)})
    return _with(state, lost, {("on", held, below), ("clear", held), ("handempty",)})


def packages_elsewhere(draw: Draw, problem: Problem, state: State) -> State | None:
    """Every package that is inside a vehicle appears at another place that isn't its goal."""
    facts = sorted(state.facts)
    places = [fact[1] for fact in facts if fact[0] == "location"]
    goals = {fact.terms for fact in goal_facts(problem.goal)}
    where = {fact[1]: fact[2] for fact in facts if fact[0] == "at"}
    lost, gained = set[Fact](), set[Fact]()
    for _, package, vehicle in (fact for fact in facts if fact[0] == "in"):
        fit = [p for p in places if (package, p) not in goals and p != where[vehicle]]
        if not fit:
            return None
        lost.add(("in", package, vehicle))
        gained.add(("at", package, draw.chance.choice(fit)))
    return _with(state, lost, gained) if gained else None


def wander(draw: Draw, problem: Problem, state: State) -> State | None:
    """The state after one to three random actions that nobody has ordered: always reachable."""
    steps = walk_from(draw, problem, state, 1 + draw.chance.below(3))
    for step in steps:
        state = apply(problem, state, step)
    return state if steps else None


def _with(state: State, lost: set[Fact], gained: set[Fact]) -> State:
    return State((state.facts - lost) | gained, state.values)
