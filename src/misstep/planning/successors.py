"""What can be done in a node of a grounded task, at what cost, and where it leads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from misstep.planning.errors import PlanningError
from misstep.planning.evaluation import World
from misstep.planning.grounding import Node, Operator, Task, node_of
from misstep.planning.model import Number
from misstep.planning.running import cost_so_far, start, take, unmet


@dataclass(frozen=True, slots=True)
class Successor:
    operator: Operator
    cost: Number
    node: Node


def successors(task: Task, node: Node) -> Iterator[Successor]:
    """In the order of the task's operators.

    Raises PlanningError where the metric has no value before or after a step.
    """
    facts = node.facts
    for operator in task.operators:
        if facts & operator.needs == operator.needs and not facts & operator.forbids:
            if operator.is_plain and operator.cost is not None:
                after = Node(facts & ~operator.deletes | operator.adds, node.values)
                yield Successor(operator, operator.cost, after)
            else:
                yield from _taken(task, node, operator)


def is_goal(task: Task, node: Node) -> bool:
    if node.facts & task.goal_needs != task.goal_needs or node.facts & task.goal_forbids:
        return False
    return not task.goal_others or not unmet(task.goal_others, {}, _world(task, node))


def _taken(task: Task, node: Node, operator: Operator) -> Iterator[Successor]:
    """At most one: none where a condition that isn't plain does not hold."""
    world = _world(task, node)
    before = _cost(world)
    if take(world, operator.step) is None:
        cost = operator.cost
        if cost is None:
            cost = _cost(world) - before
        yield Successor(operator, cost, node_of(task, world.facts, world.values))


def _cost(world: World) -> Number:
    value = cost_so_far(world, 0)
    if value is None:
        raise PlanningError("the problem's metric has no value in a state")
    return value


def _world(task: Task, node: Node) -> World:
    world = start(task.problem)
    world.facts.clear()
    world.facts.update(task.static_facts)
    world.facts.update(fact for at, fact in enumerate(task.facts) if node.facts >> at & 1)
    world.values.update(node.values)
    return world
