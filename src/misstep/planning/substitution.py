"""Formulas with objects put in for variables, and split into what must hold one by one."""

from __future__ import annotations

from collections.abc import Iterator

from misstep.planning.evaluation import Binding
from misstep.planning.model import (
    And,
    Arithmetic,
    Atom,
    Compare,
    Equal,
    Exists,
    Expression,
    Fluent,
    Forall,
    Formula,
    Goals,
    Imply,
    Not,
    Or,
)


def substitute(formula: Formula, binding: Binding) -> Formula:
    """Quantifiers stay, with their own variables in them."""
    match formula:
        case Atom(predicate, terms):
            return Atom(predicate, _terms(terms, binding))
        case Equal(left, right):
            return Equal(binding.get(left, left), binding.get(right, right))
        case Not(part):
            return Not(substitute(part, binding))
        case And(parts):
            return And(tuple(substitute(part, binding) for part in parts))
        case Or(parts):
            return Or(tuple(substitute(part, binding) for part in parts))
        case Imply(condition, conclusion):
            return Imply(substitute(condition, binding), substitute(conclusion, binding))
        case Forall(variables, part):
            return Forall(variables, substitute(part, binding))
        case Exists(variables, part):
            return Exists(variables, substitute(part, binding))
        case Compare(relation, left, right):
            return Compare(
                relation, substitute_number(left, binding), substitute_number(right, binding)
            )


def substitute_number(expression: Expression, binding: Binding) -> Expression:
    match expression:
        case Fluent(function, terms):
            return Fluent(function, _terms(terms, binding))
        case Arithmetic(operator, parts):
            return Arithmetic(operator, tuple(substitute_number(one, binding) for one in parts))
        case _:
            return expression


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """What must hold for the formula to hold, one by one: `and` taken apart, at any depth."""
    match formula:
        case And(parts):
            for part in parts:
                yield from conjuncts(part)
        case Not(Or(parts)):
            for part in parts:
                yield from conjuncts(Not(part))
        case Not(Not(part)):
            yield from conjuncts(part)
        case _:
            yield formula


def take_apart(goal: Formula) -> Goals:
    """`goal` has no free variables."""
    parts = tuple(dict.fromkeys(conjuncts(goal)))
    facts = [(part.predicate, *part.terms) for part in parts if isinstance(part, Atom)]
    others = tuple(part for part in parts if not isinstance(part, Atom))
    return Goals(parts, frozenset(facts), others)


def quantified(formula: Formula) -> Iterator[str]:
    """The variables that quantifiers in the formula declare."""
    match formula:
        case Forall(variables, part) | Exists(variables, part):
            yield from (variable.name for variable in variables)
            yield from quantified(part)
        case Not(part):
            yield from quantified(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from quantified(part)
        case Imply(condition, conclusion):
            yield from quantified(condition)
            yield from quantified(conclusion)
        case _:
            return


def _terms(terms: tuple[str, ...], binding: Binding) -> tuple[str, ...]:
    return tuple(binding.get(term, term) for term in terms)
