"""Which numbers the states of a problem must hold, and which only count what a plan costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from misstep.planning.evaluation import Fact
from misstep.planning.model import (
    TRUE,
    And,
    Arithmetic,
    Assign,
    Compare,
    Effect,
    Exists,
    Expression,
    Fluent,
    Forall,
    Formula,
    Imply,
    Not,
    Number,
    Or,
    Problem,
)
from misstep.planning.running import start


@dataclass(frozen=True, slots=True)
class Counting:
    """`counters` are functions such as total-cost: nothing reads them, and actions only ever raise
    them by what is known without a state. `counter` is the one that the metric is about, if it is
    that simple. `in_states` are all others that some action changes. `idle_cost` is that of an
    action that changes no number; None where only the state tells."""

    counters: frozenset[str]
    counter: str | None
    in_states: frozenset[str]
    idle_cost: Number | None

    def tracked(self, values: Mapping[Fact, Number]) -> tuple[tuple[Fact, Number], ...]:
        """Those that a state must hold, sorted."""
        if not self.in_states:
            return ()
        return tuple(sorted(item for item in values.items() if item[0][0] in self.in_states))

    def raises(self, effects: tuple[Effect, ...]) -> Iterator[Expression]:
        """By how much the effects raise the counter that is the cost."""
        for assign in _assigns(effects):
            if assign.fluent.function == self.counter:
                yield assign.value

    def only_counts(self, effects: tuple[Effect, ...]) -> bool:
        functions = [assign.fluent.function for assign in _assigns(effects)]
        return len(functions) == len(effects) and self.counters.issuperset(functions)


def counting_of(problem: Problem) -> Counting:
    effects = [effect for action in problem.domain.actions for effect in action.effects]
    changed = frozenset(assign.fluent.function for assign in _assigns(effects))
    read = set(_read_by_actions_and_goal(problem, effects))
    given = {fluent[0] for fluent in start(problem).values if len(fluent) == 1}
    counters = frozenset(
        name
        for name in changed & given - read
        if all(_counts_up(effect, changed) for effect in effects if _changes(effect, name))
    )
    in_states = changed - counters
    metric = problem.metric
    if metric is None:
        return Counting(counters, None, in_states, 1)
    if isinstance(metric.expression, Fluent) and metric.expression.function in counters:
        return Counting(counters, metric.expression.function, in_states, 0)
    return Counting(frozenset(), None, changed, None)


def _assigns(effects: tuple[Effect, ...] | list[Effect]) -> Iterator[Assign]:
    return (one.change for one in effects if isinstance(one.change, Assign))


def _changes(effect: Effect, name: str) -> bool:
    return isinstance(effect.change, Assign) and effect.change.fluent.function == name


def _counts_up(effect: Effect, changed: frozenset[str]) -> bool:
    """An increase whatever else is true, by an amount that no action changes."""
    change = effect.change
    return (
        isinstance(change, Assign)
        and change.operation == "increase"
        and not effect.variables
        and effect.condition == TRUE
        and changed.isdisjoint(_in_expression(change.value))
    )


def _read_by_actions_and_goal(problem: Problem, effects: list[Effect]) -> Iterator[str]:
    yield from _in_formula(problem.goal)
    for action in problem.domain.actions:
        yield from _in_formula(action.precondition)
    for effect in effects:
        yield from _in_formula(effect.condition)
    for assign in _assigns(effects):
        yield from _in_expression(assign.value)


def _in_formula(formula: Formula) -> Iterator[str]:
    match formula:
        case Not(part) | Forall(_, part) | Exists(_, part):
            yield from _in_formula(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _in_formula(part)
        case Imply(condition, conclusion):
            yield from _in_formula(condition)
            yield from _in_formula(conclusion)
        case Compare(_, left, right):
            yield from _in_expression(left)
            yield from _in_expression(right)
        case _:
            return


def _in_expression(expression: Expression) -> Iterator[str]:
    match expression:
        case Fluent(function, _):
            yield function
        case Arithmetic(_, parts):
            for part in parts:
                yield from _in_expression(part)
        case _:
            return
