"""Searches in this process, for tests and tiny problems: breadth-first and A*, bounded in states.

The bound is a number of states, never time, so that the answer is the same on every machine. A
space that is seen to its end without a goal is a proof that no plan exists.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

from misstep.planning.errors import PlanningError
from misstep.planning.model import Number, Step
from misstep.planning.planners.answers import Answer, Outcome, Statistics

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Move(Generic[S]):
    """One step out of a state."""

    step: Step
    cost: Number
    state: S


@dataclass(frozen=True, slots=True)
class Space(Generic[S]):
    """What is searched. `moves` gives the steps that can be taken, always in the same order."""

    initial: S
    moves: Callable[[S], Iterable[Move[S]]]
    is_goal: Callable[[S], bool]


Heuristic = Callable[[S], Number | None]
"""At most what the way to a goal still costs; None where no goal can be reached."""


@dataclass(frozen=True, slots=True)
class _Parent(Generic[S]):
    state: S
    step: Step


def breadth_first(space: Space[S], max_states: int) -> Answer:
    """A plan with the fewest steps; its cost is stated, and proven least only by `a_star`."""
    name = "breadth-first search"
    parents: dict[S, _Parent[S] | None] = {space.initial: None}
    costs: dict[S, Number] = {space.initial: 0}
    queue = deque((space.initial,))
    expanded = 0
    while queue:
        state = queue.popleft()
        if space.is_goal(state):
            return _solved(name, parents, state, costs[state], expanded, is_optimal=False)
        expanded += 1
        for move in space.moves(state):
            if move.state not in parents:
                if len(parents) >= max_states:
                    return _out_of_states(name, max_states, expanded)
                parents[move.state] = _Parent(state, move.step)
                costs[move.state] = costs[state] + move.cost
                queue.append(move.state)
    return _proven(name, expanded, len(parents))


def a_star(space: Space[S], heuristic: Heuristic[S], max_states: int, name: str = "A*") -> Answer:
    """A plan of proven least cost. A state reached more cheaply than before is opened again, so
    the heuristic need not be consistent. Equal estimates are taken deepest first, then in the
    order found. Raises `PlanningError` for a step with a negative cost."""
    parents: dict[S, _Parent[S] | None] = {space.initial: None}
    costs: dict[S, Number] = {space.initial: 0}
    estimates: dict[S, Number | None] = {}
    order = count()
    queue: list[tuple[Number, Number, int, S]] = []

    def push(state: S) -> None:
        if state not in estimates:
            estimates[state] = heuristic(state)
        estimate = estimates[state]
        if estimate is not None:
            heappush(queue, (costs[state] + estimate, estimate, next(order), state))

    push(space.initial)
    closed: dict[S, Number] = {}
    expanded = 0
    while queue:
        state = heappop(queue)[3]
        cost = costs[state]
        if closed.get(state, cost + 1) <= cost:
            continue
        closed[state] = cost
        if space.is_goal(state):
            return _solved(name, parents, state, cost, expanded, is_optimal=True)
        expanded += 1
        for move in _cheaper(space, state, costs):
            if move.state not in parents and len(parents) >= max_states:
                return _out_of_states(name, max_states, expanded)
            parents[move.state] = _Parent(state, move.step)
            costs[move.state] = cost + move.cost
            push(move.state)
    return _proven(name, expanded, len(parents))


def blind(_state: object) -> int:
    """Knows nothing: A* becomes uniform-cost search."""
    return 0


def count_reachable(space: Space[S], max_states: int) -> int | None:
    """How many states there are, the first one included; None where there are more than asked."""
    seen = {space.initial}
    queue = [space.initial]
    while queue:
        for move in space.moves(queue.pop()):
            if move.state not in seen:
                if len(seen) >= max_states:
                    return None
                seen.add(move.state)
                queue.append(move.state)
    return len(seen)


def _cheaper(space: Space[S], state: S, costs: Mapping[S, Number]) -> Iterator[Move[S]]:
    """The moves to states not yet reached as cheaply."""
    for move in space.moves(state):
        if move.cost < 0:
            raise PlanningError(f"the step {' '.join(move.step)} has a negative cost: {move.cost}")
        known = costs.get(move.state)
        if known is None or costs[state] + move.cost < known:
            yield move


def _way(parents: Mapping[S, _Parent[S] | None], state: S) -> tuple[Step, ...]:
    steps: list[Step] = []
    parent = parents[state]
    while parent is not None:
        steps.append(parent.step)
        parent = parents[parent.state]
    return tuple(reversed(steps))


def _solved(
    name: str,
    parents: Mapping[S, _Parent[S] | None],
    state: S,
    cost: Number,
    expanded: int,
    *,
    is_optimal: bool,
) -> Answer:
    return Answer(
        Outcome.SOLVED,
        name,
        plan=_way(parents, state),
        cost=cost,
        is_optimal=is_optimal,
        statistics=Statistics(expanded=expanded, generated=len(parents)),
    )


def _proven(name: str, expanded: int, states: int) -> Answer:
    """Every state that can be reached was seen."""
    return Answer(
        Outcome.UNSOLVABLE,
        name,
        statistics=Statistics(expanded=expanded, generated=states),
    )


def _out_of_states(name: str, max_states: int, expanded: int) -> Answer:
    return Answer(
        Outcome.OUT_OF_NODES,
        name,
        said=f"no goal among the first {max_states} states",
        statistics=Statistics(expanded=expanded, generated=max_states),
    )
