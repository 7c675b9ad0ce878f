"""What a domain's wording consists of: kinds of objects with their names, templates, rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from misstep.planning.wording.templates import Template

Style: TypeAlias = Literal["english", "pddl"]

Setting: TypeAlias = int | str | bool
"""A generator's setting as the wording file gives it."""


@dataclass(frozen=True, slots=True)
class NameRule:
    """Names of one pattern: "l{n}-{m}" is said "place {n}-{m}". Each slot stands for digits."""

    match: str
    say: str
    read: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kind:
    """How a type's objects are spoken of.

    A name is said by the first rule that fits; otherwise by `say`, where {name} is the name,
    {words} the name with its hyphens and underscores as spaces, and {word} its entry in `words`;
    otherwise, or where two objects would be called the same, as "<singular> <name>".
    In a domain without types, a kind is made of the objects that have `predicate` at the start.
    """

    name: str
    singular: str
    plural: str
    say: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    names: tuple[NameRule, ...] = ()
    predicate: str | None = None


@dataclass(frozen=True, slots=True)
class FactWording:
    """`denial` says that the fact is false. A silent fact is left out of states that are told:
    the list of objects tells it already."""

    say: Template
    denial: Template
    read: tuple[Template, ...] = ()
    silent: bool = False


@dataclass(frozen=True, slots=True)
class ActionWording:
    """`read` holds further ways in which the action may be put; never used for saying."""

    say: Template
    read: tuple[Template, ...] = ()


@dataclass(frozen=True)
class Wording:
    """A domain's words. Kinds, facts, functions and actions by name, in the file's order.

    `introduction` may be empty: the rules are then written out from the domain itself.
    `cost_unit` is singular and plural; empty for bare numbers.
    """

    title: str
    introduction: str
    kinds: Mapping[str, Kind]
    facts: Mapping[str, FactWording]
    actions: Mapping[str, ActionWording]
    functions: Mapping[str, Template] = field(default_factory=dict)
    cost_unit: tuple[str, str] = ("", "")
    generator: Mapping[str, Setting] = field(default_factory=dict)
    style: Style = "english"
