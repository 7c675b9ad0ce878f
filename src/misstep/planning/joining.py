"""Finds every step that may ever be possible, by joining preconditions with facts in reach.

A fact is in reach if it holds at the start or a step in reach may add it, deletes aside. Each new
fact is tried in each plain precondition that it fits; the schema's other preconditions are then
joined through indexes, the most bound first. What isn't a plain atom is left out of account, but
for equality and for the negation of facts that no action changes: so more may be found than can
ever be possible, never less.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from operator import itemgetter

from misstep.planning.errors import PlanningError
from misstep.planning.evaluation import Fact, bindings, ground_terms
from misstep.planning.model import (
    OBJECT,
    Add,
    Assign,
    Atom,
    Domain,
    Equal,
    Not,
    Problem,
    Step,
)
from misstep.planning.schemas import Schema

_Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Match:
    """How facts extend a partial binding: those with `key` at `places` add what `fresh` picks.

    `repeats` are pairs of places that must be equal, `typed` places with the types allowed there.
    """

    predicate: str
    places: tuple[int, ...]
    key: Callable[[_Words], _Words]
    fresh: Callable[[_Words], _Words]
    repeats: tuple[tuple[int, int], ...]
    typed: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Join:
    """One precondition as the trigger, and the others in the order they are joined.

    A binding begins with `constants`; `unbound` are parameters that no precondition binds, and
    `order` puts a whole binding into a step's order.
    """

    schema: Schema
    constants: _Words
    trigger: _Match
    rest: tuple[_Match, ...]
    unbound: tuple[tuple[str, ...], ...]
    order: Callable[[_Words], _Words]


def fluent_predicates(domain: Domain) -> frozenset[str]:
    """Those that some action changes."""
    changes = [effect.change for action in domain.actions for effect in action.effects]
    return frozenset(one.atom.predicate for one in changes if not isinstance(one, Assign))


def compile_joins(domain: Domain) -> tuple[Join, ...]:
    """One for each plain precondition of each action."""
    return tuple(join for schema in domain.schemas.values() for join in _joins(schema))


def steps_in_reach(problem: Problem, limit: int) -> tuple[list[Step], set[Fact]]:
    """The steps, in no particular but always the same order, and all facts in reach.

    Raises PlanningError with more than `limit` steps.
    """
    reach = _Reach(problem, limit)
    for schema in problem.domain.schemas.values():
        if not schema.needs:
            types = tuple(parameter.types for parameter in schema.action.parameters)
            reach.found(schema, reach.choices(types))
    reach.spread()
    return list(reach.steps), reach.facts


class _Reach:
    """Facts known so far, indexed for the joins, and facts that wait to be tried."""

    def __init__(self, problem: Problem, limit: int) -> None:
        self.problem = problem
        self.limit = limit
        self.fluents = fluent_predicates(problem.domain)
        self.waiting: list[Fact] = [(atom.predicate, *atom.terms) for atom in problem.init]
        self.start = problem.start_facts
        self.facts: set[Fact] = set(self.waiting)
        self.steps: dict[Step, None] = {}
        self.allowed: dict[tuple[str, ...], frozenset[str]] = {}
        self.joins: dict[str, list[Join]] = defaultdict(list)
        self.indexes: dict[str, dict[tuple[int, ...], dict[_Words, list[Fact]]]] = {}
        for join in problem.domain.joins:
            self.joins[join.trigger.predicate].append(join)
            for match in join.rest:
                self.indexes.setdefault(match.predicate, {}).setdefault(match.places, {})

    def spread(self) -> None:
        """Tries facts in the order they come into reach, until none is left."""
        for fact in self.waiting:  # which grows meanwhile
            for places, index in self.indexes.get(fact[0], {}).items():
                key = tuple([fact[place] for place in places])
                index.setdefault(key, []).append(fact)
            for join in self.joins.get(fact[0], ()):
                if partial := self._extended(join.constants, join.trigger, (fact,)):
                    self._join(join, partial)

    def _join(self, join: Join, partial: list[_Words]) -> None:
        for match in join.rest:
            index = self.indexes[match.predicate][match.places]
            partial = [
                longer
                for words in partial
                if (facts := index.get(match.key(words)))
                for longer in self._extended(words, match, facts)
            ]
            if not partial:
                return
        if join.unbound:
            choices = self.choices(join.unbound)
            partial = [words + choice for words in partial for choice in choices]
        self.found(join.schema, map(join.order, partial))

    def _extended(self, words: _Words, match: _Match, facts: Sequence[Fact]) -> list[_Words]:
        for one, other in match.repeats:
            facts = [fact for fact in facts if fact[one] == fact[other]]
        for at, types in match.typed:
            allowed = self._allowed(types)
            facts = [fact for fact in facts if fact[at] in allowed]
        fresh = match.fresh
        return [words + fresh(fact) for fact in facts]

    def _allowed(self, types: tuple[str, ...]) -> frozenset[str]:
        if types not in self.allowed:
            self.allowed[types] = frozenset(self.problem.objects_for(types))
        return self.allowed[types]

    def choices(self, unbound: Sequence[tuple[str, ...]]) -> list[_Words]:
        """Objects for parameters of these types, that no plain precondition binds."""
        objects = [self.problem.objects_for(types) for types in unbound]
        if prod(map(len, objects)) > self.limit:
            raise PlanningError(f"more than {self.limit} ground actions")
        return list(product(*objects))

    def found(self, schema: Schema, choices: Iterable[_Words]) -> None:
        """Takes note of new steps and of the facts that they may add."""
        name = (schema.action.name,)
        for choice in choices:
            step = name + choice
            if step in self.steps or (schema.others and not self._possible(schema, step)):
                continue
            if len(self.steps) >= self.limit:
                raise PlanningError(f"more than {self.limit} ground actions")
            self.steps[step] = None
            for fact in possible_adds(self.problem, schema, step):
                if fact not in self.facts:
                    self.facts.add(fact)
                    self.waiting.append(fact)

    def _possible(self, schema: Schema, step: Step) -> bool:
        binding = schema.bind(step)
        for formula in schema.others:
            match formula:
                case Equal(left, right):
                    if binding.get(left, left) != binding.get(right, right):
                        return False
                case Not(Equal(left, right)):
                    if binding.get(left, left) == binding.get(right, right):
                        return False
                case Not(Atom(predicate, terms)) if predicate not in self.fluents:
                    if ground_terms(predicate, terms, binding) in self.start:
                        return False
        return True


def possible_adds(problem: Problem, schema: Schema, step: Step) -> Iterator[Fact]:
    """All that the step may add, its conditions aside."""
    full = step + schema.symbols
    for pick in schema.adds:
        yield pick(full)
    for effect in schema.effects:
        if isinstance(effect.change, Add):
            atom = effect.change.atom
            for binding in bindings(problem, effect.variables, schema.bind(step)):
                yield ground_terms(atom.predicate, atom.terms, binding)


def _joins(schema: Schema) -> Iterator[Join]:
    atoms = [part for part in schema.conjuncts if isinstance(part, Atom)]
    constants = tuple(dict.fromkeys(_constants(atoms)))
    types = {parameter.name: parameter.types for parameter in schema.action.parameters}
    for place, trigger in enumerate(atoms):
        slots = {word: at for at, word in enumerate(constants)}
        first = _match(trigger, slots, types)
        left = atoms[:place] + atoms[place + 1 :]
        rest = []
        while left:
            best = max(left, key=lambda atom: _bound_share(atom, slots))
            left.remove(best)
            rest.append(_match(best, slots, types))
        unbound = [name for name in types if name not in slots]
        slots |= {name: len(slots) + at for at, name in enumerate(unbound)}
        order = _picker([slots[name] for name in types])
        kinds = tuple(types[name] for name in unbound)
        yield Join(schema, constants, first, tuple(rest), kinds, order)


def _constants(formulas: Sequence[Atom]) -> Iterator[str]:
    return (term for atom in formulas for term in atom.terms if term[0] != "?")


def _bound_share(atom: Atom, slots: dict[str, int]) -> float:
    """Of the terms; an atom without unbound terms is a mere check and comes first."""
    if not atom.terms:
        return 1.0
    return sum(term in slots for term in atom.terms) / len(atom.terms)


def _match(atom: Atom, slots: dict[str, int], types: dict[str, tuple[str, ...]]) -> _Match:
    """Gives each variable that is new here the next slot: `slots` grows."""
    bound = [at for at, term in enumerate(atom.terms, 1) if term in slots]
    key = _picker([slots[atom.terms[at - 1]] for at in bound])
    fresh: dict[str, int] = {}
    repeats: list[tuple[int, int]] = []
    for at, term in enumerate(atom.terms, 1):
        if term in fresh:
            repeats.append((fresh[term], at))
        elif term not in slots:
            fresh[term] = at
    slots |= {term: len(slots) + at for at, term in enumerate(fresh)}
    # Checked even where the predicate declares the type: an effect may add facts of wider types.
    typed = tuple((at, types[term]) for term, at in fresh.items() if types[term] != (OBJECT,))
    places = list(fresh.values())
    return _Match(atom.predicate, tuple(bound), key, _picker(places), tuple(repeats), typed)


def _picker(places: Sequence[int]) -> Callable[[_Words], _Words]:
    """Always gives a tuple, which `itemgetter` does for two places and more."""
    if len(places) > 1:
        return itemgetter(*places)
    return itemgetter(slice(places[0], places[0] + 1) if places else slice(0))
