"""Grounds a problem: its facts and actions numbered in a fixed order, states as bit masks.

The order is that of the declarations: predicates and actions as in the domain, then objects,
constants first. Facts that no action changes get no number; they are the task's `static_facts`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from misstep.planning.counting import Counting, counting_of
from misstep.planning.evaluation import Binding, Fact, NoValue, World, ground_terms, value_of
from misstep.planning.joining import fluent_predicates, possible_adds, steps_in_reach
from misstep.planning.model import Atom, Equal, Formula, Not, Number, Problem, Step
from misstep.planning.running import start
from misstep.planning.schemas import Schema
from misstep.planning.states import State

MOST_OPERATORS = 1_000_000


@dataclass(frozen=True, slots=True)
class Node:
    """A state of a task: its facts as bits, and those numbers that steps can depend on, sorted."""

    facts: int
    values: tuple[tuple[Fact, Number], ...] = ()


@dataclass(frozen=True, slots=True)
class Operator:
    """A ground action. `needs` must hold, `forbids` must not; `is_plain` where that is all, and
    `adds`, `deletes` and `cost` are all it does. Else `may_add` also has what it adds under
    conditions, and the schema decides. `cost` is None where it depends on the state."""

    step: Step
    needs: int
    forbids: int
    adds: int
    deletes: int
    may_add: int
    cost: Number | None
    is_plain: bool


@dataclass(frozen=True)
class Task:
    """A grounded problem. The goal is `goal_needs` and `goal_forbids`, and also `goal_others`,
    formulas. `is_in_reach` is false where some goal can't ever hold, deletes aside."""

    problem: Problem
    facts: tuple[Fact, ...]
    static_facts: tuple[Fact, ...]
    operators: tuple[Operator, ...]
    initial: Node
    goal_needs: int
    goal_forbids: int
    goal_others: tuple[Formula, ...]
    is_in_reach: bool
    counting: Counting

    @cached_property
    def number_of(self) -> dict[Fact, int]:
        """Each fact's number: its bit in a node."""
        return {fact: at for at, fact in enumerate(self.facts)}


def ground(problem: Problem, limit: int = MOST_OPERATORS) -> Task:
    """All actions that may ever be possible, and perhaps some that never are.

    Raises PlanningError with more than `limit` of them.
    """
    steps, reached = steps_in_reach(problem, limit)
    ranks = _Ranks.of(problem)
    fluents = fluent_predicates(problem.domain)
    facts = sorted((fact for fact in reached if fact[0] in fluents), key=ranks.fact)
    numbers = _Numbers({fact: 1 << at for at, fact in enumerate(facts)}, reached)
    world = start(problem)
    counting = counting_of(problem)
    steps.sort(key=ranks.step)
    needs, forbids, others = numbers.split(problem.goals.parts, {})
    return Task(
        problem,
        tuple(facts),
        tuple(sorted((fact for fact in world.facts if fact[0] not in fluents), key=ranks.fact)),
        tuple(_operator(world, numbers, counting, step) for step in steps),
        Node(numbers.mask(world.facts), counting.tracked(world.values)),
        needs,
        forbids,
        others,
        problem.goals.facts <= reached,
        counting,
    )


def state_of(task: Task, node: Node) -> State:
    """With the static facts, and of the numbers those that a node has."""
    facts = (fact for at, fact in enumerate(task.facts) if node.facts >> at & 1)
    return State(frozenset((*task.static_facts, *facts)), node.values)


def node_of(task: Task, facts: Iterable[Fact], values: dict[Fact, Number]) -> Node:
    """Facts outside of the task's are left out."""
    number_of = task.number_of
    mask = sum(1 << number_of[fact] for fact in facts if fact in number_of)
    return Node(mask, task.counting.tracked(values))


@dataclass(frozen=True, slots=True)
class _Ranks:
    """Where each name stands in the declarations."""

    objects: dict[str, int]
    predicates: dict[str, int]
    actions: dict[str, int]

    @classmethod
    def of(cls, problem: Problem) -> _Ranks:
        domain = problem.domain
        return cls(
            {one.name: at for at, one in enumerate(problem.all_objects)},
            {one.name: at for at, one in enumerate(domain.predicates)},
            {one.name: at for at, one in enumerate(domain.actions)},
        )

    def fact(self, fact: Fact) -> list[int]:
        objects = self.objects
        return [self.predicates[fact[0]], *[objects[word] for word in fact[1:]]]

    def step(self, step: Step) -> list[int]:
        objects = self.objects
        return [self.actions[step[0]], *[objects[word] for word in step[1:]]]


@dataclass(frozen=True, slots=True)
class _Numbers:
    """`bits` of the facts that may change; `reached` are all that may hold."""

    bits: dict[Fact, int]
    reached: set[Fact]

    def mask(self, facts: Iterable[Fact]) -> int:
        """Facts without a number, static or out of reach, are left out."""
        bits, mask = self.bits, 0
        for fact in facts:
            mask |= bits.get(fact, 0)
        return mask

    def split(
        self, formulas: Iterable[Formula], binding: Binding
    ) -> tuple[int, int, tuple[Formula, ...]]:
        """What must hold, what must not, and the formulas that are neither.

        A static atom that can't hold is one of the latter, so that it is never lost.
        """
        needs, forbids = 0, 0
        others: list[Formula] = []
        for formula in formulas:
            match formula:
                case Atom(predicate, terms):
                    bit = self.bits.get(fact := ground_terms(predicate, terms, binding), 0)
                    needs |= bit
                    if fact not in self.reached:
                        others.append(formula)
                case Not(Atom(predicate, terms)):
                    bit = self.bits.get(fact := ground_terms(predicate, terms, binding), 0)
                    forbids |= bit
                    if not bit and fact in self.reached:
                        others.append(formula)
                case _:
                    others.append(formula)
        return needs, forbids, tuple(others)


def _operator(world: World, numbers: _Numbers, counting: Counting, step: Step) -> Operator:
    problem = world.problem
    schema = problem.domain.schemas[step[0]]
    full = step + schema.symbols
    adds = numbers.mask([pick(full) for pick in schema.adds])
    deletes = numbers.mask([pick(full) for pick in schema.deletes]) & ~adds
    needs = numbers.mask([pick(full) for pick in schema.needs])
    if not schema.others and not schema.effects:
        cost = counting.idle_cost
        return Operator(step, needs, 0, adds, deletes, adds, cost, cost is not None)
    binding = schema.bind(step)
    _, forbids, others = numbers.split(schema.others, binding)
    cost = _cost(world, counting, schema, binding)
    is_plain = (
        cost is not None
        and all(_is_equality(formula) for formula in others)
        and counting.only_counts(schema.effects)
    )
    may_add = numbers.mask(possible_adds(problem, schema, step))
    return Operator(step, needs, forbids, adds, deletes, may_add, cost, is_plain)


def _is_equality(formula: Formula) -> bool:
    """Or the negation of one: the join has judged these."""
    return isinstance(formula.part if isinstance(formula, Not) else formula, Equal)


def _cost(world: World, counting: Counting, schema: Schema, binding: Binding) -> Number | None:
    """None too where an amount has no value: the step can never be taken, as running it shows."""
    total = counting.idle_cost
    if total is None:
        return None
    try:
        for amount in counting.raises(schema.effects):
            total += value_of(amount, binding, world)
    except NoValue:
        return None
    return total
