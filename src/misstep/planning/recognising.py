"""Knows the shipped domains again, in their own names or in a disguise, and gives their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from misstep.planning.folders import shipped, shipped_names
from misstep.planning.model import (
    Action,
    Domain,
    Effect,
    Formula,
    Function,
    Predicate,
    Typed,
)
from misstep.planning.obfuscation import Disguise, disguise_wording
from misstep.planning.renaming import Renaming, rename_domain
from misstep.planning.substitution import conjuncts
from misstep.planning.wording.nouns import Wording

_Named: TypeAlias = Action | Predicate | Function | Typed


@dataclass(frozen=True, slots=True)
class _Schema:
    name: str
    parameters: tuple[Typed, ...]
    preconditions: frozenset[Formula]
    effects: frozenset[Effect]


@dataclass(frozen=True, slots=True)
class _Shape:
    """What makes a domain that domain: not its own name, its requirements, its variables' names or
    the order in which things stand."""

    types: frozenset[Typed]
    constants: frozenset[Typed]
    predicates: frozenset[Predicate]
    functions: frozenset[Function]
    actions: frozenset[_Schema]


def known_wording(domain: Domain) -> Wording | None:
    """The words of the shipped domain that this is; a disguise's own where it is one in disguise,
    as `obfuscate` makes them; None for any other."""
    shape = _shape(domain)
    for name in shipped_names():
        if _shipped_shape(name) == shape:
            return shipped(name).wording
    style = next((each for each in Disguise if domain.name.startswith(f"{each}-")), None)
    if style is not None and any(_is_renamed(shipped(n).domain, domain) for n in shipped_names()):
        return disguise_wording(domain, style)
    return None


@cache
def _shipped_shape(name: str) -> _Shape:
    return _shape(shipped(name).domain)


def _shape(domain: Domain) -> _Shape:
    plain = rename_domain(Renaming(), domain)  # which calls variables by their places
    return _Shape(
        frozenset(plain.types),
        frozenset(plain.constants),
        frozenset(plain.predicates),
        frozenset(plain.functions),
        frozenset(map(_schema, plain.actions)),
    )


def _schema(action: Action) -> _Schema:
    needed = frozenset(conjuncts(action.precondition))
    return _Schema(action.name, action.parameters, needed, frozenset(action.effects))


def _is_renamed(plain: Domain, other: Domain) -> bool:
    """Whether the other is the plain domain with other names, in the same order."""
    renaming = Renaming(
        actions=_pairs(plain.actions, other.actions),
        predicates=_pairs(plain.predicates, other.predicates),
        functions=_pairs(plain.functions, other.functions),
        types=_pairs(plain.types, other.types),
        objects=_pairs(plain.constants, other.constants),
    )
    return _shape(rename_domain(renaming, plain)) == _shape(other)


def _pairs(old: Sequence[_Named], new: Iterable[_Named]) -> dict[str, str]:
    """By place; where one has more, the shapes differ anyway."""
    return {one.name: other.name for one, other in zip(old, new, strict=False)}
