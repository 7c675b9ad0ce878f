"""Whether a formula holds in a world, and what a numeric expression is worth there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from operator import eq, ge, gt, le, lt
from typing import TypeAlias

from misstep.planning.errors import PlanningError
from misstep.planning.model import (
    And,
    Arithmetic,
    Atom,
    Compare,
    Constant,
    Equal,
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
    Typed,
)

Fact: TypeAlias = tuple[str, ...]
"""A predicate (or a function) and its objects: ("on", "a", "b")."""

Binding: TypeAlias = Mapping[str, str]
"""Variables and the objects that they stand for."""

LARGEST_BITS = 4096
"""Numbers that need more bits are refused, so that repeated scaling can't hang."""

_RELATIONS: Mapping[str, Callable[[Number, Number], bool]] = {
    "=": eq,
    "<": lt,
    ">": gt,
    "<=": le,
    ">=": ge,
}

MOST_CHOICES = 10_000_000
"""A quantifier over more choices of objects is refused rather than waited for."""


class NoValue(PlanningError):
    """A numeric expression has no value: a fluent never set, a division by zero, too large."""


@dataclass(slots=True)
class World:
    """Facts and numbers while a plan runs; the running changes it.

    `kept` is what a negation looks at: a fact is false where it isn't in `kept`. It is `facts`
    itself, but for plans run without deletes: there `facts` are those that were ever true, and
    `kept` those that were never false.
    """

    problem: Problem
    facts: set[Fact]
    kept: set[Fact]
    values: dict[Fact, Number]


def ground_terms(head: str, terms: tuple[str, ...], binding: Binding) -> Fact:
    return (head, *[binding.get(term, term) for term in terms])


def bindings(problem: Problem, variables: tuple[Typed, ...], outer: Binding) -> Iterator[Binding]:
    """The outer binding with every choice of objects for the variables, in a fixed order.

    Raises PlanningError where they are more than MOST_CHOICES.
    """
    names = [variable.name for variable in variables]
    objects = [problem.objects_for(variable.types) for variable in variables]
    if prod(map(len, objects)) > MOST_CHOICES:
        raise PlanningError(f"{' '.join(names)} range over more than {MOST_CHOICES} choices")
    for choice in product(*objects):
        yield {**outer, **dict(zip(names, choice, strict=True))}


def holds(formula: Formula, binding: Binding, world: World) -> bool:
    """Raises NoValue where a comparison that matters has none."""
    match formula:
        case Atom(predicate, terms):
            return ground_terms(predicate, terms, binding) in world.facts
        case Equal(left, right):
            return binding.get(left, left) == binding.get(right, right)
        case Not(part):
            return fails(part, binding, world)
        case And(parts):
            return all(holds(part, binding, world) for part in parts)
        case Or(parts):
            return any(holds(part, binding, world) for part in parts)
        case Imply(condition, conclusion):
            return fails(condition, binding, world) or holds(conclusion, binding, world)
        case Forall(variables, part):
            inner = bindings(world.problem, variables, binding)
            return all(holds(part, one, world) for one in inner)
        case Exists(variables, part):
            inner = bindings(world.problem, variables, binding)
            return any(holds(part, one, world) for one in inner)
        case Compare():
            return _compare(formula, binding, world)


def fails(formula: Formula, binding: Binding, world: World) -> bool:
    """The formula's negation holds: not the same as `not holds` in a world without deletes."""
    match formula:
        case Atom(predicate, terms):
            return ground_terms(predicate, terms, binding) not in world.kept
        case Not(part):
            return holds(part, binding, world)
        case And(parts):
            return any(fails(part, binding, world) for part in parts)
        case Or(parts):
            return all(fails(part, binding, world) for part in parts)
        case Imply(condition, conclusion):
            return holds(condition, binding, world) and fails(conclusion, binding, world)
        case Forall(variables, part):
            inner = bindings(world.problem, variables, binding)
            return any(fails(part, one, world) for one in inner)
        case Exists(variables, part):
            inner = bindings(world.problem, variables, binding)
            return all(fails(part, one, world) for one in inner)
        case _:
            return not holds(formula, binding, world)


def value_of(expression: Expression, binding: Binding, world: World) -> Number:
    """Exact. Raises NoValue."""
    match expression:
        case Constant(value):
            return value
        case Fluent(function, terms):
            fluent = ground_terms(function, terms, binding)
            if fluent not in world.values:
                raise NoValue(f"({' '.join(fluent)}) has no value")
            return world.values[fluent]
        case Arithmetic(operator, parts):
            return calculate(operator, [value_of(part, binding, world) for part in parts])


def calculate(operator: str, values: list[Number]) -> Number:
    """One of + - * / applied from left to right; a single value is negated."""
    result = -values[0] if operator == "-" and len(values) == 1 else values[0]
    for value in values[1:]:
        if operator == "+":
            result += value
        elif operator == "-":
            result -= value
        elif operator == "*":
            result *= value
        elif value == 0:
            raise NoValue("a division by zero has no value")
        else:
            result = Fraction(result) / value
        _check_size(result)
    if isinstance(result, Fraction) and result.denominator == 1:
        return result.numerator
    return result


def _check_size(value: Number) -> None:
    if value.numerator.bit_length() + value.denominator.bit_length() > LARGEST_BITS:
        raise NoValue(f"a number needs more than {LARGEST_BITS} bits")


def _compare(formula: Compare, binding: Binding, world: World) -> bool:
    left = value_of(formula.left, binding, world)
    right = value_of(formula.right, binding, world)
    return _RELATIONS[formula.relation](left, right)
