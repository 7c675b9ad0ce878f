"""The nouns of planning: domain, problem, types, predicates, formulas, effects, actions, steps.

All names are lower case (PDDL ignores case). A term is a string: a variable begins with "?",
anything else names an object or constant. Reading renames inner variables that shadow outer ones,
so along any nesting a variable's name is declared once. All tuples keep the file's order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from misstep.planning.joining import Join
    from misstep.planning.schemas import Schema

OBJECT = "object"
"""The type above all others, which need not be declared."""

TOTAL_COST = "total-cost"

Number: TypeAlias = int | Fraction
"""Exact; whole numbers are always int."""

Step: TypeAlias = tuple[str, ...]
"""The action's name, then its objects: ("stack", "a", "b")."""

Term: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Typed:
    """A name with its types: an object, a variable, or (its types being its parents) a type.

    More than one type is `(either …)`: a variable may stand for an object of any of them, an
    object declared so belongs to all of them.
    """

    name: str
    types: tuple[str, ...] = (OBJECT,)


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate with its terms; a fact where no term is a variable."""

    predicate: str
    terms: tuple[Term, ...] = ()

    @property
    def text(self) -> str:
        """As in PDDL: "(on a b)"."""
        return f"({' '.join((self.predicate, *self.terms))})"


@dataclass(frozen=True, slots=True)
class Equal:
    """Two terms are the same object."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Not:
    part: Formula


@dataclass(frozen=True, slots=True)
class And:
    """Empty: true."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True)
class Or:
    """Empty: false."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True)
class Imply:
    condition: Formula
    conclusion: Formula


@dataclass(frozen=True, slots=True)
class Forall:
    variables: tuple[Typed, ...]
    part: Formula


@dataclass(frozen=True, slots=True)
class Exists:
    variables: tuple[Typed, ...]
    part: Formula


@dataclass(frozen=True, slots=True)
class Compare:
    """Two numbers compared; `relation` is one of = < > <= >=."""

    relation: str
    left: Expression
    right: Expression


Formula: TypeAlias = Atom | Equal | Not | And | Or | Imply | Forall | Exists | Compare

TRUE = And()


@dataclass(frozen=True, slots=True)
class Constant:
    value: Number


@dataclass(frozen=True, slots=True)
class Fluent:
    """A numeric function with its terms: (distance ?from ?to)."""

    function: str
    terms: tuple[Term, ...] = ()

    @property
    def text(self) -> str:
        """As in PDDL."""
        return f"({' '.join((self.function, *self.terms))})"


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`operator` is one of + - * /; a minus with one part negates it."""

    operator: str
    parts: tuple[Expression, ...]


Expression: TypeAlias = Constant | Fluent | Arithmetic


@dataclass(frozen=True, slots=True)
class Add:
    atom: Atom


@dataclass(frozen=True, slots=True)
class Delete:
    atom: Atom


@dataclass(frozen=True, slots=True)
class Assign:
    """`operation` is one of assign, increase, decrease, scale-up, scale-down."""

    operation: str
    fluent: Fluent
    value: Expression


Change: TypeAlias = Add | Delete | Assign


@dataclass(frozen=True, slots=True)
class Effect:
    """One change, for all `variables`, where `condition` holds before the action.

    A plain effect has no variables and the condition TRUE. Nested `and`, `forall` and `when` are
    flattened to this form when read.
    """

    change: Change
    variables: tuple[Typed, ...] = ()
    condition: Formula = TRUE


@dataclass(frozen=True, slots=True)
class Predicate:
    name: str
    parameters: tuple[Typed, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """Numeric."""

    name: str
    parameters: tuple[Typed, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """An action schema (operator)."""

    name: str
    parameters: tuple[Typed, ...] = ()
    precondition: Formula = TRUE
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True)
class Domain:
    name: str
    requirements: tuple[str, ...] = ()
    types: tuple[Typed, ...] = ()
    constants: tuple[Typed, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    functions: tuple[Function, ...] = ()
    actions: tuple[Action, ...] = ()

    @cached_property
    def predicate(self) -> Mapping[str, Predicate]:
        """By name, as are `function` and `action`."""
        return {predicate.name: predicate for predicate in self.predicates}

    @cached_property
    def function(self) -> Mapping[str, Function]:
        return {function.name: function for function in self.functions}

    @cached_property
    def action(self) -> Mapping[str, Action]:
        return {action.name: action for action in self.actions}

    @cached_property
    def schemas(self) -> Mapping[str, Schema]:
        """Each action made ready to run, by name."""
        from misstep.planning.schemas import compile_schemas  # which knows the nouns above

        return compile_schemas(self)

    @cached_property
    def joins(self) -> tuple[Join, ...]:
        """How grounding joins the actions' preconditions."""
        from misstep.planning.joining import compile_joins  # likewise

        return compile_joins(self)

    @cached_property
    def supertypes(self) -> Mapping[str, frozenset[str]]:
        """Every type with itself and all types above it."""
        parents = {typed.name: typed.types for typed in self.types}
        above: dict[str, frozenset[str]] = {OBJECT: frozenset((OBJECT,))}
        for name in parents:
            found, waiting = {name, OBJECT}, [name]
            while waiting:
                new = [parent for parent in parents.get(waiting.pop(), ()) if parent not in found]
                found.update(new)
                waiting.extend(new)
            above[name] = frozenset(found)
        return above


@dataclass(frozen=True, slots=True)
class Value:
    """A numeric fluent's value at the start."""

    fluent: Fluent
    number: Number


@dataclass(frozen=True, slots=True)
class Metric:
    """`direction` is minimize or maximize."""

    direction: str
    expression: Expression


@dataclass(frozen=True, slots=True)
class Goals:
    """A goal's conjuncts in the order written, once each: `parts` are all, `facts` the plain ones,
    `others` the rest."""

    parts: tuple[Formula, ...]
    facts: frozenset[tuple[str, ...]]
    others: tuple[Formula, ...]


@dataclass(frozen=True)
class Problem:
    """`objects` are the problem's own; the domain's constants stand beside them."""

    name: str
    domain: Domain = field(repr=False)
    objects: tuple[Typed, ...] = ()
    init: tuple[Atom, ...] = ()
    goal: Formula = TRUE
    values: tuple[Value, ...] = ()
    metric: Metric | None = None
    requirements: tuple[str, ...] = ()

    @cached_property
    def start_facts(self) -> frozenset[tuple[str, ...]]:
        """The facts of `init`, each a predicate with its objects."""
        return frozenset([(atom.predicate, *atom.terms) for atom in self.init])

    @cached_property
    def start_values(self) -> Mapping[tuple[str, ...], Number]:
        """The fluents that have a value at the start; total-cost is 0 unless given."""
        given = {(one.fluent.function, *one.fluent.terms): one.number for one in self.values}
        return {(TOTAL_COST,): 0, **given} if TOTAL_COST in self.domain.function else given

    @cached_property
    def goals(self) -> Goals:
        """The goal taken apart."""
        from misstep.planning.substitution import take_apart  # which knows the nouns above

        return take_apart(self.goal)

    @cached_property
    def all_objects(self) -> tuple[Typed, ...]:
        """The domain's constants, then the problem's objects."""
        return (*self.domain.constants, *self.objects)

    @cached_property
    def types_of(self) -> Mapping[str, frozenset[str]]:
        """Every object with all the types it belongs to."""
        above = self.domain.supertypes
        return {
            typed.name: above[typed.types[0]]
            if len(typed.types) == 1
            else frozenset().union(*(above[kind] for kind in typed.types))
            for typed in self.all_objects
        }

    @cached_property
    def objects_of(self) -> Mapping[str, tuple[str, ...]]:
        """Every type with its objects, constants first, in the order of declaration."""
        found: dict[str, list[str]] = {kind: [] for kind in self.domain.supertypes}
        for name, kinds in self.types_of.items():
            for kind in kinds:
                found[kind].append(name)
        return {kind: tuple(names) for kind, names in found.items()}

    def objects_for(self, types: tuple[str, ...]) -> tuple[str, ...]:
        """The objects a variable of these types may stand for, in the order of declaration."""
        if len(types) == 1:
            return self.objects_of[types[0]]
        wanted = frozenset(types)
        return tuple(name for name, kinds in self.types_of.items() if not wanted.isdisjoint(kinds))


def step_text(step: Step) -> str:
    """As in a plan file: "(stack a b)"."""
    return f"({' '.join(step)})"
