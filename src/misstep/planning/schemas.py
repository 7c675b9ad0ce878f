"""Action schemas made ready to run: for plain literals, a step becomes its facts by picking places.

Plain means atoms that must hold, are added or deleted whatever else is true; that is all of
STRIPS. The rest keeps its formulas, which `evaluation` judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeAlias

from misstep.planning.evaluation import Binding, Fact
from misstep.planning.model import (
    OBJECT,
    TRUE,
    Action,
    Add,
    Assign,
    Atom,
    Delete,
    Domain,
    Effect,
    Formula,
    Step,
)
from misstep.planning.substitution import conjuncts

Pick: TypeAlias = Callable[[tuple[str, ...]], Fact]
"""Makes a fact from a step with the schema's symbols after it."""


@dataclass(frozen=True, slots=True)
class Schema:
    """`types` is empty where no parameter has a type. `needs` are the plain preconditions and
    `others` the rest; `conjuncts` are both, in the order written. `effects` are those that are not
    plain."""

    action: Action
    arity: int
    types: tuple[tuple[str, ...], ...]
    symbols: tuple[str, ...]
    needs: tuple[Pick, ...]
    others: tuple[Formula, ...]
    conjuncts: tuple[Formula, ...]
    adds: tuple[Pick, ...]
    deletes: tuple[Pick, ...]
    effects: tuple[Effect, ...]

    def bind(self, step: Step) -> Binding:
        names = (parameter.name for parameter in self.action.parameters)
        return dict(zip(names, step[1:], strict=True))


def compile_schemas(domain: Domain) -> Mapping[str, Schema]:
    """By the action's name."""
    return {action.name: _compile(action) for action in domain.actions}


def _compile(action: Action) -> Schema:
    parts = tuple(conjuncts(action.precondition))
    needs = [part for part in parts if isinstance(part, Atom)]
    plain, others = _parted(action.effects)
    adds = [change.atom for change in plain if isinstance(change, Add)]
    deletes = [change.atom for change in plain if isinstance(change, Delete)]
    needed, added, deleted = _words(needs), _words(adds), _words(deletes)
    symbols = _symbols([*needed, *added, *deleted])
    places = {parameter.name: at for at, parameter in enumerate(action.parameters, 1)}
    places |= {symbol: len(places) + at for at, symbol in enumerate(symbols, 1)}
    types = tuple(parameter.types for parameter in action.parameters)
    return Schema(
        action,
        len(types),
        types if any(kinds != (OBJECT,) for kinds in types) else (),
        symbols,
        _picks(needed, places),
        tuple(part for part in parts if not isinstance(part, Atom)),
        parts,
        _picks(added, places),
        _picks(deleted, places),
        tuple(others),
    )


def _parted(effects: Iterable[Effect]) -> tuple[list[Add | Delete], list[Effect]]:
    """The plain changes, and the effects that are not plain."""
    plain: list[Add | Delete] = []
    others: list[Effect] = []
    for effect in effects:
        change, condition = effect.change, effect.condition
        always = not effect.variables and (condition is TRUE or condition == TRUE)
        if always and not isinstance(change, Assign):
            plain.append(change)
        else:
            others.append(effect)
    return plain, others


def _words(atoms: Iterable[Atom]) -> list[Fact]:
    return [(atom.predicate, *atom.terms) for atom in atoms]


def _symbols(atoms: Iterable[Fact]) -> tuple[str, ...]:
    """Predicates and constants, each once. A constant named like a predicate shares its place."""
    return tuple(dict.fromkeys([word for words in atoms for word in words if word[0] != "?"]))


def _picks(atoms: Iterable[Fact], places: Mapping[str, int]) -> tuple[Pick, ...]:
    return tuple([_pick([places[word] for word in words]) for words in atoms])


def _pick(places: list[int]) -> Pick:
    """A slice, where there is but one place, since `itemgetter` gives a tuple only for more."""
    if len(places) == 1:
        return itemgetter(slice(places[0], places[0] + 1))
    return itemgetter(*places)
