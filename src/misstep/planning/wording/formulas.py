"""Conditions and effects in words, with objects and variables called as the caller says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from misstep.planning.model import (
    TOTAL_COST,
    Add,
    And,
    Arithmetic,
    Assign,
    Atom,
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
    Imply,
    Not,
    Or,
    Typed,
)
from misstep.planning.wording.nouns import Wording
from misstep.planning.wording.phrasebook import kind_of_type
from misstep.planning.writing import number_text

_RELATIONS = {
    "=": "is equal to",
    "<": "is less than",
    ">": "is more than",
    "<=": "is at most",
    ">=": "is at least",
}
_OPERATORS = {"+": "plus", "-": "minus", "*": "times", "/": "divided by"}
_LETTERS = "XYZWVUTSRQPONMLKJIHGFEDCBA"


@dataclass(frozen=True)
class Scope:
    """What terms are called at one place of a formula: objects and the variables around it."""

    domain: Domain
    wording: Wording
    called: Mapping[str, str]

    def call(self, term: str) -> str:
        return self.called.get(term, term)

    def within(self, variables: Sequence[Typed]) -> Scope:
        """With further variables, called "block X", "block Y" and so on."""
        used = sum(1 for term in self.called if term.startswith("?"))
        fresh = {
            variable.name: self._letter(variable, used + place)
            for place, variable in enumerate(variables)
        }
        return replace(self, called={**self.called, **fresh})

    def _letter(self, variable: Typed, place: int) -> str:
        round_, index = divmod(place, len(_LETTERS))
        letter = _LETTERS[index] + (str(round_ + 1) if round_ else "")
        return f"{kind_of_type(self.domain, self.wording, variable.types).singular} {letter}"


def listed(parts: Sequence[str]) -> str:
    """ "a, b and c"."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def say_formula(scope: Scope, formula: Formula) -> str:
    """A clause without a full stop; compound parts beside others stand in brackets."""
    match formula:
        case Atom():
            return _atom(scope, formula)
        case And((only,)) | Or((only,)):
            return say_formula(scope, only)
        case And(parts):
            return listed([_part(scope, each) for each in parts]) or "nothing is needed"
        case Or(parts):
            return " or ".join(_part(scope, each) for each in parts) or "something impossible"
        case Not(part):
            return _denied(scope, part)
        case Equal(left, right):
            return f"{scope.call(left)} is the same as {scope.call(right)}"
        case Imply(condition, conclusion):
            return f"if {_part(scope, condition)}, then {_part(scope, conclusion)}"
        case Forall() | Exists():
            return _quantified(scope, formula)
        case Compare(relation, left_number, right_number):
            verb = _RELATIONS[relation]
            return f"{say_number(scope, left_number)} {verb} {say_number(scope, right_number)}"


def say_number(scope: Scope, expression: Expression) -> str:
    match expression:
        case Constant(value):
            return number_text(value)
        case Fluent(function, terms):
            return scope.wording.functions[function].fill([scope.call(term) for term in terms])
        case Arithmetic("-", (single,)):
            return f"minus {say_number(scope, single)}"
        case Arithmetic(operator, parts):
            between = f" {_OPERATORS[operator]} "
            return f"({between.join(say_number(scope, part) for part in parts)})"


def say_effect(scope: Scope, effect: Effect) -> str | None:
    """One effect as a clause; None for a change of the total cost, which costs tell."""
    inner = scope.within(effect.variables)
    change = effect.change
    if isinstance(change, Assign):
        if change.fluent.function == TOTAL_COST:
            return None
        said = _assignment(inner, change)
    else:
        atom = change.atom
        said = _atom(inner, atom) if isinstance(change, Add) else _denied(inner, atom)
    if effect.condition != And():
        said = f"if {say_formula(inner, effect.condition)} before, then {said}"
    if effect.variables:
        said = f"for every {listed([inner.call(each.name) for each in effect.variables])}: {said}"
    return said


def is_plain(effect: Effect, change: type[Add] | type[Delete]) -> bool:
    """Whether the effect adds (deletes) one fact come what may."""
    return isinstance(effect.change, change) and not effect.variables and effect.condition == And()


def _atom(scope: Scope, atom: Atom) -> str:
    return scope.wording.facts[atom.predicate].say.fill([scope.call(term) for term in atom.terms])


def _denied(scope: Scope, part: Formula) -> str:
    if isinstance(part, Atom):
        terms = [scope.call(term) for term in part.terms]
        return scope.wording.facts[part.predicate].denial.fill(terms)
    if isinstance(part, Equal):
        return f"{scope.call(part.left)} is not the same as {scope.call(part.right)}"
    return f"it is not the case that {_part(scope, part)}"


def _part(scope: Scope, formula: Formula) -> str:
    said = say_formula(scope, formula)
    simple = isinstance(formula, Atom | Equal | Compare)
    denied = isinstance(formula, Not) and isinstance(formula.part, Atom | Equal)
    return said if simple or denied else f"({said})"


def _quantified(scope: Scope, formula: Forall | Exists) -> str:
    inner = scope.within(formula.variables)
    called = listed([inner.call(variable.name) for variable in formula.variables])
    said = _part(inner, formula.part)
    if isinstance(formula, Forall):
        return f"for every {called}, {said}"
    return f"there is some {called} such that {said}"


def _assignment(scope: Scope, change: Assign) -> str:
    fluent, value = say_number(scope, change.fluent), say_number(scope, change.value)
    verbs = {
        "assign": f"becomes {value}",
        "increase": f"grows by {value}",
        "decrease": f"shrinks by {value}",
        "scale-up": f"is multiplied by {value}",
        "scale-down": f"is divided by {value}",
    }
    return f"{fluent} {verbs[change.operation]}"
