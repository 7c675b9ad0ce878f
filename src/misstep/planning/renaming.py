"""Renames all that has a name in domains, problems, plans and facts; the structure stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from misstep.planning.errors import PlanningError
from misstep.planning.model import (
    OBJECT,
    TOTAL_COST,
    Action,
    Add,
    And,
    Arithmetic,
    Assign,
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
    Metric,
    Not,
    Or,
    Predicate,
    Problem,
    Step,
    Typed,
    Value,
)


@dataclass(frozen=True)
class Renaming:
    """Old name → new name; names that are not listed stay. `objects` holds constants too.

    The names `object` and `total-cost` always stay, as PDDL gives them their meaning.
    """

    domain: Mapping[str, str] = field(default_factory=dict)
    actions: Mapping[str, str] = field(default_factory=dict)
    predicates: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    objects: Mapping[str, str] = field(default_factory=dict)
    problem: Mapping[str, str] = field(default_factory=dict)

    def back(self) -> Renaming:
        """The renaming that undoes this one. Raises PlanningError where two names became one."""
        return Renaming(
            domain=_turned("domain", self.domain),
            actions=_turned("action", self.actions),
            predicates=_turned("predicate", self.predicates),
            functions=_turned("function", self.functions),
            types=_turned("type", self.types),
            objects=_turned("object", self.objects),
            problem=_turned("problem", self.problem),
        )


def _turned(kind: str, names: Mapping[str, str]) -> dict[str, str]:
    turned = {new: old for old, new in names.items()}
    if len(turned) != len(names):
        raise PlanningError(f"renaming: two {kind} names become one")
    return turned


def rename_step(renaming: Renaming, step: Step) -> Step:
    name, *terms = step
    return (renaming.actions.get(name, name), *_terms(renaming, terms))


def rename_plan(renaming: Renaming, plan: Iterable[Step]) -> tuple[Step, ...]:
    return tuple(rename_step(renaming, step) for step in plan)


def rename_atom(renaming: Renaming, atom: Atom) -> Atom:
    name = renaming.predicates.get(atom.predicate, atom.predicate)
    return Atom(name, _terms(renaming, atom.terms))


def rename_domain(renaming: Renaming, domain: Domain) -> Domain:
    """Parameters are called ?x1, ?x2 …: their names would tell what the others hide.

    Back and forth therefore gives the same domain up to the names of variables.
    """
    return Domain(
        name=renaming.domain.get(domain.name, domain.name),
        requirements=domain.requirements,
        types=tuple(_type(renaming, each) for each in domain.types),
        constants=tuple(_object(renaming, each) for each in domain.constants),
        predicates=tuple(
            Predicate(renaming.predicates.get(each.name, each.name), _declared(renaming, each))
            for each in domain.predicates
        ),
        functions=tuple(
            Function(_function_name(renaming, each.name), _declared(renaming, each))
            for each in domain.functions
        ),
        actions=tuple(_action(renaming, each) for each in domain.actions),
    )


def rename_problem(renaming: Renaming, problem: Problem, domain: Domain) -> Problem:
    """`domain` is the renamed domain."""
    metric = problem.metric
    return Problem(
        name=renaming.problem.get(problem.name, problem.name),
        domain=domain,
        objects=tuple(_object(renaming, each) for each in problem.objects),
        init=tuple(rename_atom(renaming, atom) for atom in problem.init),
        goal=_Walk(renaming, {}).formula(problem.goal),
        values=tuple(
            Value(_Walk(renaming, {}).fluent(each.fluent), each.number) for each in problem.values
        ),
        metric=metric
        and Metric(metric.direction, _Walk(renaming, {}).expression(metric.expression)),
        requirements=problem.requirements,
    )


def _terms(renaming: Renaming, terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(renaming.objects.get(term, term) for term in terms)


def _types(renaming: Renaming, types: Iterable[str]) -> tuple[str, ...]:
    return tuple(name if name == OBJECT else renaming.types.get(name, name) for name in types)


def _type(renaming: Renaming, typed: Typed) -> Typed:
    return Typed(_types(renaming, (typed.name,))[0], _types(renaming, typed.types))


def _object(renaming: Renaming, typed: Typed) -> Typed:
    return Typed(_terms(renaming, (typed.name,))[0], _types(renaming, typed.types))


def _function_name(renaming: Renaming, name: str) -> str:
    return name if name == TOTAL_COST else renaming.functions.get(name, name)


def _declared(renaming: Renaming, owner: Predicate | Function) -> tuple[Typed, ...]:
    return tuple(
        Typed(f"?x{place}", _types(renaming, each.types))
        for place, each in enumerate(owner.parameters, start=1)
    )


def _action(renaming: Renaming, action: Action) -> Action:
    walk = _Walk(renaming, {}).within(action.parameters)
    return Action(
        name=renaming.actions.get(action.name, action.name),
        parameters=walk.declared(action.parameters),
        precondition=walk.formula(action.precondition),
        effects=tuple(walk.effect(effect) for effect in action.effects),
    )


@dataclass(frozen=True)
class _Walk:
    """Renames formulas below declarations of variables (old → new)."""

    renaming: Renaming
    variables: Mapping[str, str]

    def within(self, variables: Iterable[Typed]) -> _Walk:
        names = dict(self.variables)
        for each in variables:
            names[each.name] = f"?x{len(names) + 1}"
        return replace(self, variables=names)

    def declared(self, variables: Iterable[Typed]) -> tuple[Typed, ...]:
        return tuple(
            Typed(self.variables[each.name], _types(self.renaming, each.types))
            for each in variables
        )

    def terms(self, terms: Iterable[str]) -> tuple[str, ...]:
        return _terms(self.renaming, (self.variables.get(term, term) for term in terms))

    def atom(self, atom: Atom) -> Atom:
        name = self.renaming.predicates.get(atom.predicate, atom.predicate)
        return Atom(name, self.terms(atom.terms))

    def fluent(self, fluent: Fluent) -> Fluent:
        return Fluent(_function_name(self.renaming, fluent.function), self.terms(fluent.terms))

    def formula(self, formula: Formula) -> Formula:
        match formula:
            case Atom():
                return self.atom(formula)
            case And(parts):
                return And(tuple(self.formula(part) for part in parts))
            case Or(parts):
                return Or(tuple(self.formula(part) for part in parts))
            case Not(part):
                return Not(self.formula(part))
            case Equal(left, right):
                return Equal(*self.terms((left, right)))
            case Imply(condition, conclusion):
                return Imply(self.formula(condition), self.formula(conclusion))
            case Forall(variables, part) | Exists(variables, part):
                inner = self.within(variables)
                return type(formula)(inner.declared(variables), inner.formula(part))
            case Compare(relation, left_number, right_number):
                return Compare(
                    relation, self.expression(left_number), self.expression(right_number)
                )

    def expression(self, expression: Expression) -> Expression:
        match expression:
            case Constant():
                return expression
            case Fluent():
                return self.fluent(expression)
            case Arithmetic(operator, parts):
                return Arithmetic(operator, tuple(self.expression(part) for part in parts))

    def effect(self, effect: Effect) -> Effect:
        inner = self.within(effect.variables)
        return Effect(
            inner.change(effect.change),
            inner.declared(effect.variables),
            inner.formula(effect.condition),
        )

    def change(self, change: Change) -> Change:
        match change:
            case Add(atom):
                return Add(self.atom(atom))
            case Delete(atom):
                return Delete(self.atom(atom))
            case Assign(operation, fluent, value):
                return Assign(operation, self.fluent(fluent), self.expression(value))
