"""Writes domains, problems, formulas and numbers as PDDL; reading gives the same model again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from misstep.planning.model import (
    OBJECT,
    TRUE,
    Action,
    Add,
    And,
    Arithmetic,
    Atom,
    Change,
    Compare,
    Constant,
    Delete,
    Domain,
    Effect,
    Equal,
    Exists,
    Expression,
    Fluent,
    Forall,
    Formula,
    Function,
    Imply,
    Not,
    Number,
    Or,
    Predicate,
    Problem,
    Typed,
)


def write_domain(domain: Domain) -> str:
    return "\n".join(_domain_lines(domain)) + "\n"


def write_problem(problem: Problem) -> str:
    return "\n".join(_problem_lines(problem)) + "\n"


def formula_text(formula: Formula) -> str:
    """On one line."""
    match formula:
        case Atom():
            return formula.text
        case Equal(left, right):
            return f"(= {left} {right})"
        case Not(part):
            return f"(not {formula_text(part)})"
        case And(parts):
            return _list("and", map(formula_text, parts))
        case Or(parts):
            return _list("or", map(formula_text, parts))
        case Imply(condition, conclusion):
            return f"(imply {formula_text(condition)} {formula_text(conclusion)})"
        case Forall(variables, part):
            return f"(forall ({typed_text(variables)}) {formula_text(part)})"
        case Exists(variables, part):
            return f"(exists ({typed_text(variables)}) {formula_text(part)})"
        case Compare(relation, left, right):
            return f"({relation} {expression_text(left)} {expression_text(right)})"


def expression_text(expression: Expression) -> str:
    match expression:
        case Constant(value):
            return number_text(value)
        case Fluent():
            return expression.text
        case Arithmetic(operator, parts):
            return _list(operator, map(expression_text, parts))


def number_text(value: Number) -> str:
    """Exact: a decimal where there is one, else a fraction such as 1/3, which PDDL lacks."""
    if isinstance(value, int):
        return str(value)
    rest, places = value.denominator, 0
    for factor in (2, 5):
        count = 0
        while rest % factor == 0:
            rest, count = rest // factor, count + 1
        places = max(places, count)
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(int(value * Fraction(10) ** places))).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits


def typed_text(typed: Iterable[Typed]) -> str:
    """Names with their types, which are left out where all are plain objects."""
    listed = list(typed)
    if all(one.types == (OBJECT,) for one in listed):
        return " ".join(one.name for one in listed)
    return " ".join(f"{one.name} - {_type_text(one.types)}" for one in listed)


def _type_text(types: tuple[str, ...]) -> str:
    return types[0] if len(types) == 1 else _list("either", types)


def _list(head: str, parts: Iterable[str]) -> str:
    return f"({' '.join((head, *parts))})"


def _domain_lines(domain: Domain) -> Iterator[str]:
    yield f"(define (domain {domain.name})"
    if domain.requirements:
        yield f"  {_list(':requirements', domain.requirements)}"
    if domain.types:
        yield f"  (:types {typed_text(domain.types)})"
    if domain.constants:
        yield f"  (:constants {typed_text(domain.constants)})"
    if domain.predicates:
        yield "  (:predicates"
        yield from (f"    {_signature(predicate)}" for predicate in domain.predicates)
        yield "  )"
    if domain.functions:
        yield "  (:functions"
        yield from (f"    {_signature(function)} - number" for function in domain.functions)
        yield "  )"
    for action in domain.actions:
        yield from _action_lines(action)
    yield ")"


def _signature(declared: Predicate | Function) -> str:
    parameters = typed_text(declared.parameters)
    return f"({declared.name} {parameters})" if parameters else f"({declared.name})"


def _action_lines(action: Action) -> Iterator[str]:
    yield f"  (:action {action.name}"
    yield f"    :parameters ({typed_text(action.parameters)})"
    if action.precondition != TRUE:
        yield f"    :precondition {formula_text(action.precondition)}"
    effects = [_effect_text(effect) for effect in action.effects]
    yield f"    :effect {effects[0] if len(effects) == 1 else _list('and', effects)})"


def _effect_text(effect: Effect) -> str:
    text = _change_text(effect.change)
    if effect.condition != TRUE:
        text = f"(when {formula_text(effect.condition)} {text})"
    if effect.variables:
        text = f"(forall ({typed_text(effect.variables)}) {text})"
    return text


def _change_text(change: Change) -> str:
    match change:
        case Add(atom):
            return atom.text
        case Delete(atom):
            return f"(not {atom.text})"
        case _:
            return f"({change.operation} {change.fluent.text} {expression_text(change.value)})"


def _problem_lines(problem: Problem) -> Iterator[str]:
    yield f"(define (problem {problem.name})"
    yield f"  (:domain {problem.domain.name})"
    if problem.requirements:
        yield f"  {_list(':requirements', problem.requirements)}"
    if problem.objects:
        yield f"  (:objects {typed_text(problem.objects)})"
    yield "  (:init"
    yield from (f"    {atom.text}" for atom in problem.init)
    for value in problem.values:
        yield f"    (= {value.fluent.text} {number_text(value.number)})"
    yield "  )"
    yield f"  (:goal {formula_text(problem.goal)})"
    if problem.metric:
        yield f"  (:metric {problem.metric.direction} {expression_text(problem.metric.expression)})"
    yield ")"
