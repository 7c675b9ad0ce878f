"""Which objects an action or predicate can be about: by types, or by marks in untyped domains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from misstep.planning.model import Action, And, Assign, Atom, Domain, Formula, Typed
from misstep.planning.wording.nouns import Kind, Wording


@dataclass(frozen=True, slots=True)
class Sort:
    """An argument's types and, in an untyped domain, the marks (predicates of kinds) of which the
    object must have one; None: any."""

    types: frozenset[str]
    marks: frozenset[str] | None = None

    def admits(self, types: frozenset[str], kind: Kind) -> bool:
        """Whether an object of these types and this kind may stand here."""
        if self.types.isdisjoint(types):
            return False
        return self.marks is None or kind.predicate in self.marks


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """The parts of nested `and`s, in order."""
    if isinstance(formula, And):
        return tuple(each for part in formula.parts for each in conjuncts(part))
    return (formula,)


def action_sorts(domain: Domain, wording: Wording) -> dict[str, tuple[Sort, ...]]:
    """By action: its parameters' types, and marks from preconditions such as (truck ?truck)."""
    return {action.name: _sorts(action, wording) for action in domain.actions}


def predicate_sorts(domain: Domain, wording: Wording) -> dict[str, tuple[Sort, ...]]:
    """By predicate: types as declared, marks as gathered from the actions that use it."""
    marks = _used_marks(domain, wording)
    return {
        predicate.name: tuple(
            Sort(frozenset(parameter.types), marks.get((predicate.name, place)))
            for place, parameter in enumerate(predicate.parameters)
        )
        for predicate in domain.predicates
    }


def _sorts(action: Action, wording: Wording) -> tuple[Sort, ...]:
    marks = _marks(action, wording)
    return tuple(_sort(parameter, marks) for parameter in action.parameters)


def _sort(parameter: Typed, marks: Mapping[str, frozenset[str]]) -> Sort:
    return Sort(frozenset(parameter.types), marks.get(parameter.name))


def _marks(action: Action, wording: Wording) -> dict[str, frozenset[str]]:
    """Variables that a precondition puts into one kind."""
    kinds = {kind.predicate for kind in wording.kinds.values() if kind.predicate is not None}
    return {
        part.terms[0]: frozenset((part.predicate,))
        for part in conjuncts(action.precondition)
        if isinstance(part, Atom) and len(part.terms) == 1 and part.predicate in kinds
    }


def _used_marks(domain: Domain, wording: Wording) -> dict[tuple[str, int], frozenset[str] | None]:
    """Of each predicate's arguments: the marks they have in actions; None if one has no mark."""
    found: dict[tuple[str, int], frozenset[str] | None] = {}
    for action in domain.actions:
        marks = _marks(action, wording)
        for atom in _atoms(action):
            for place, term in enumerate(atom.terms):
                key, mark = (atom.predicate, place), marks.get(term)
                before = found.get(key, frozenset())
                found[key] = None if mark is None or before is None else before | mark
    return found


def _atoms(action: Action) -> Sequence[Atom]:
    """The atoms that stand at the top of the precondition and in the effects."""
    needed = [part for part in conjuncts(action.precondition) if isinstance(part, Atom)]
    changes = [effect.change for effect in action.effects]
    return [*needed, *(change.atom for change in changes if not isinstance(change, Assign))]
