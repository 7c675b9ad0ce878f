"""Reads an action's effect, flattened: for all variables, where a condition holds, a change."""

from __future__ import annotations

from dataclasses import dataclass, replace

from misstep.planning.declarations import read_variables
from misstep.planning.formulas import (
    Scope,
    arguments,
    read_atom,
    read_expression,
    read_fluent,
    read_formula,
)
from misstep.planning.model import (
    TRUE,
    Add,
    And,
    Assign,
    Change,
    Delete,
    Effect,
    Formula,
    Typed,
)
from misstep.planning.substitution import quantified

_ASSIGNMENTS = frozenset(("assign", "increase", "decrease", "scale-up", "scale-down"))


@dataclass(frozen=True, slots=True)
class _Around:
    """The quantifiers and conditions that an effect stands in."""

    scope: Scope
    variables: tuple[Typed, ...] = ()
    conditions: tuple[Formula, ...] = ()

    def effect(self, change: Change) -> Effect:
        if not self.variables and not self.conditions:
            return Effect(change)
        one = len(self.conditions) == 1
        condition = self.conditions[0] if one else And(self.conditions)
        return Effect(change, self.variables, condition if self.conditions else TRUE)


def read_effect(scope: Scope, start: int) -> tuple[Effect, ...]:
    """The effect that begins at `start`, in the order written."""
    found: list[Effect] = []
    _read(_Around(scope), start, found)
    return tuple(found)


def _read(around: _Around, start: int, found: list[Effect]) -> None:
    tokens = around.scope.tokens
    if not tokens.is_list(start):
        raise tokens.unexpected(start, "an effect in parentheses")
    head = tokens.words[start + 1]
    if head == "and":
        for part in tokens.after_head(start):
            _read(around, part, found)
    elif head == "forall":
        _read_forall(around, start, found)
    elif head == "when":
        _read_when(around, start, found)
    elif head != ")":
        found.append(around.effect(_read_change(around.scope, start, head)))


def _read_forall(around: _Around, start: int, found: list[Effect]) -> None:
    tokens = around.scope.tokens
    variables, part = arguments(tokens, start, 2, "variables and one effect")
    declared = read_variables(tokens, variables, around.scope.types)
    scope, renamed = around.scope.within(declared)
    _read(_Around(scope, (*around.variables, *renamed), around.conditions), part, found)


def _read_when(around: _Around, start: int, found: list[Effect]) -> None:
    """Quantifiers in the effect may come to stand around the condition: no names in common."""
    scope = around.scope
    condition, part = arguments(scope.tokens, start, 2, "a condition and one effect")
    formula = read_formula(scope, condition)
    inner = replace(scope, taken=scope.taken | set(quantified(formula)))
    _read(_Around(inner, around.variables, (*around.conditions, formula)), part, found)


def _read_change(scope: Scope, start: int, head: str) -> Change:
    if head == "not":
        (part,) = arguments(scope.tokens, start, 1, "one atom")
        if not scope.tokens.is_list(part):
            raise scope.tokens.unexpected(part, "an atom in parentheses")
        return Delete(read_atom(scope, part))
    if head in _ASSIGNMENTS and head not in scope.predicates:
        fluent, value = arguments(scope.tokens, start, 2, "a function and a number")
        return Assign(head, read_fluent(scope, fluent), read_expression(scope, value))
    return Add(read_atom(scope, start))
