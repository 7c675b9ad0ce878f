"""The h-max heuristic: what the dearest goal fact costs at least, when nothing is ever deleted."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush

from misstep.planning.grounding import Node, Operator, Task
from misstep.planning.model import Number
from misstep.planning.planners.search import Heuristic


def h_max(task: Task) -> Heuristic[Node]:
    """Admissible: negations, conditions that aren't plain and costs known only in a state (taken
    as 0) can only make the true way dearer. None: some goal fact can't be reached at all."""
    relaxed = _Relaxed(task)
    goal = tuple(_bits(task.goal_needs))

    def estimate(node: Node) -> Number | None:
        if not task.is_in_reach:
            return None
        costs = relaxed.costs_from(node.facts)
        if any(fact not in costs for fact in goal):
            return None
        return max((costs[fact] for fact in goal), default=0)

    return estimate


class _Relaxed:
    """The operators without deletes, by the facts that they wait for."""

    def __init__(self, task: Task) -> None:
        self._waiting: dict[int, list[int]] = {}
        self._needed = [operator.needs.bit_count() for operator in task.operators]
        self._adds = [tuple(_bits(operator.may_add)) for operator in task.operators]
        self._costs = [_least(operator) for operator in task.operators]
        self._free = [at for at, needed in enumerate(self._needed) if not needed]
        for at, operator in enumerate(task.operators):
            for fact in _bits(operator.needs):
                self._waiting.setdefault(fact, []).append(at)

    def costs_from(self, facts: int) -> dict[int, Number]:
        """Every fact that can be reached, with the least it costs; facts are taken cheapest first,
        so that an operator's last need is its dearest."""
        settled: dict[int, Number] = {}
        left = list(self._needed)
        queue: list[tuple[Number, int]] = [(0, fact) for fact in _bits(facts)]
        for at in self._free:
            self._push(queue, at, 0)
        queue.sort()
        while queue:
            cost, fact = heappop(queue)
            if fact in settled:
                continue
            settled[fact] = cost
            for at in self._waiting.get(fact, ()):
                left[at] -= 1
                if left[at] == 0:
                    self._push(queue, at, cost)
        return settled

    def _push(self, queue: list[tuple[Number, int]], at: int, cost: Number) -> None:
        for fact in self._adds[at]:
            heappush(queue, (cost + self._costs[at], fact))


def _least(operator: Operator) -> Number:
    return operator.cost if operator.cost is not None else 0


def _bits(mask: int) -> Iterator[int]:
    """The places of the ones, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
