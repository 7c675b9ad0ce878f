"""A program under way: the facts as they stand, and the steps that it has taken."""

from __future__ import annotations

from collections.abc import Iterator

from misstep.planning.model import Add, And, Atom, Delete, Formula, Not, Problem, Step


class Trace:
    """State is the subject here: a program acts, looks, and acts again.

    `do` doesn't check preconditions; whoever takes the steps validates them.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.steps: list[Step] = []
        # A dict keeps the order of facts, which a set would not.
        self._facts = dict.fromkeys(problem.init)

    def do(self, action: str, *objects: str) -> None:
        schema = self.problem.domain.action[action]
        bound = {one.name: name for one, name in zip(schema.parameters, objects, strict=True)}
        changes = [effect.change for effect in schema.effects]
        for change in changes:
            if isinstance(change, Delete):
                self._facts.pop(_bind(change.atom, bound), None)
        for change in changes:
            if isinstance(change, Add):
                self._facts[_bind(change.atom, bound)] = None
        self.steps.append((action, *objects))

    def has(self, predicate: str, *terms: str) -> bool:
        return Atom(predicate, terms) in self._facts

    def all(self, predicate: str, *terms: str | None) -> list[tuple[str, ...]]:
        """The terms of every fact that fits; None fits anything."""
        return [
            fact.terms
            for fact in self._facts
            if fact.predicate == predicate and _fits(fact.terms, terms)
        ]

    def first(self, predicate: str, *terms: str | None) -> tuple[str, ...] | None:
        return next(iter(self.all(predicate, *terms)), None)


def goal_facts(goal: Formula) -> tuple[Atom, ...]:
    """The facts of a conjunctive goal, in its order; what is no plain fact is left out."""
    return tuple(_facts(goal))


def denied_facts(goal: Formula) -> tuple[Atom, ...]:
    """The facts that a conjunctive goal wants not to hold."""
    parts = goal.parts if isinstance(goal, And) else (goal,)
    return tuple(
        part.part for part in parts if isinstance(part, Not) and isinstance(part.part, Atom)
    )


def _facts(goal: Formula) -> Iterator[Atom]:
    if isinstance(goal, Atom):
        yield goal
    if isinstance(goal, And):
        for part in goal.parts:
            yield from _facts(part)


def _fits(terms: tuple[str, ...], wanted: tuple[str | None, ...]) -> bool:
    return len(terms) == len(wanted) and all(
        want is None or want == term for term, want in zip(terms, wanted, strict=True)
    )


def _bind(atom: Atom, bound: dict[str, str]) -> Atom:
    return Atom(atom.predicate, tuple(bound.get(term, term) for term in atom.terms))
