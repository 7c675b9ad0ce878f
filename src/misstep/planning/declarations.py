"""Reads what a domain or problem declares: types, objects, variables, predicates, functions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TypeVar

from misstep.planning.lexing import DEEPEST, Tokens, quoted
from misstep.planning.model import OBJECT, Function, Predicate, Typed
from misstep.planning.requirements import refused

_RESERVED = frozenset(("and", "or", "not", "imply", "forall", "exists", "when", "either"))

_Declared = TypeVar("_Declared", Predicate, Function)


def read_types(tokens: Tokens, start: int) -> tuple[Typed, ...]:
    """The section `(:types …)`; "object" itself may be named there and is left out."""
    typed, places = _typed_list(tokens, tokens.after_head(start), "a type")
    known = {OBJECT, *(one.name for one in typed)}
    _check_types(tokens, typed, places, known)
    found = tuple(one for one in typed if one.name != OBJECT)
    _check_circles(tokens, found, {one.name: at for one, at in zip(typed, places, strict=True)})
    return found


def read_objects(
    tokens: Tokens, start: int, types: Collection[str], taken: Collection[str] = ()
) -> tuple[Typed, ...]:
    """The section `(:objects …)` or `(:constants …)`; `taken` are the constants' names."""
    typed, places = _typed_list(tokens, tokens.after_head(start), "an object")
    _check_types(tokens, typed, places, types)
    for one, place in zip(typed, places, strict=True):
        if one.name in taken:
            raise tokens.error(place, f"object {quoted(one.name)} is a constant of the domain")
    return typed


def read_variables(tokens: Tokens, start: int, types: Collection[str]) -> tuple[Typed, ...]:
    """A list of variables in parentheses, as parameters and quantifiers have."""
    if not tokens.is_list(start):
        raise tokens.unexpected(start, "a list of variables in parentheses")
    typed, places = _typed_list(tokens, tokens.parts(start), "")
    _check_types(tokens, typed, places, types)
    return typed


def read_predicates(tokens: Tokens, start: int, types: Collection[str]) -> tuple[Predicate, ...]:
    """The section `(:predicates …)`."""
    parts = tokens.after_head(start)
    found: dict[str, Predicate] = {}
    for index in parts:
        name, parameters = _signature(tokens, index, types, "a predicate")
        _must_be_new(tokens, index, "predicate", name, found)
        found[name] = Predicate(name, parameters)
    return tuple(found.values())


def read_functions(tokens: Tokens, start: int, types: Collection[str]) -> tuple[Function, ...]:
    """The section `(:functions …)`; only numbers as values."""
    parts = iter(tokens.after_head(start))
    found: dict[str, Function] = {}
    for index in parts:
        if tokens.words[index] == "-":
            _check_number(tokens, index, parts)
            continue
        name, parameters = _signature(tokens, index, types, "a function")
        _must_be_new(tokens, index, "function", name, found)
        found[name] = Function(name, parameters)
    return tuple(found.values())


def _check_number(tokens: Tokens, dash: int, parts: Iterator[int]) -> None:
    index = next(parts, None)
    if index is None:
        raise tokens.unexpected(dash + 1, "the type number")
    if tokens.words[index] != "number":
        raise refused(tokens, index, ":object-fluents")


def _signature(
    tokens: Tokens, start: int, types: Collection[str], what: str
) -> tuple[str, tuple[Typed, ...]]:
    if not tokens.is_list(start):
        raise tokens.unexpected(start, f"{what} in parentheses")
    name = tokens.name(start + 1, f"{what}'s name")
    if name in _RESERVED:
        raise tokens.error(start + 1, f"{quoted(name)} is a word of PDDL", f"{what}'s name")
    typed, places = _typed_list(tokens, tokens.after_head(start), "")
    _check_types(tokens, typed, places, types)
    return name, typed


def _must_be_new(
    tokens: Tokens, start: int, what: str, name: str, found: Mapping[str, _Declared]
) -> None:
    if name in found:
        raise tokens.error(start + 1, f"{what} {quoted(name)} is declared twice")


def _typed_list(tokens: Tokens, parts: list[int], what: str) -> tuple[tuple[Typed, ...], list[int]]:
    """Names and where each stands; variables where `what` is empty. Each name comes once."""
    words = tokens.words
    typed: list[Typed] = []
    places: list[int] = []
    seen: set[str] = set()
    waiting: list[str] = []
    indices = iter(parts)
    for index in indices:
        if words[index] == "-":
            if not waiting:
                raise tokens.unexpected(index, f"{what or 'a variable'} before '-'")
            types = _read_type(tokens, index, next(indices, None))
            typed += [Typed(name, types) for name in waiting]
            waiting = []
            continue
        name = tokens.name(index, f"{what}'s name") if what else tokens.variable(index)
        if name in seen:
            raise tokens.error(index, f"{quoted(name)} is declared twice")
        seen.add(name)
        waiting.append(name)
        places.append(index)
    typed += [Typed(name) for name in waiting]
    return tuple(typed), places


def _read_type(tokens: Tokens, dash: int, index: int | None) -> tuple[str, ...]:
    """One type's name, or `(either a b)`, after the dash."""
    if index is None:
        raise tokens.unexpected(dash + 1, "a type after '-'")
    if not tokens.is_list(index):
        return (tokens.name(index, "a type's name"),)
    if tokens.head(index) != "either":
        raise tokens.unexpected(index + 1, "either")
    names = [tokens.name(part, "a type's name") for part in tokens.after_head(index)]
    if not names:
        raise tokens.unexpected(tokens.ends[index], "a type's name")
    return tuple(dict.fromkeys(names))


def _check_types(
    tokens: Tokens, typed: tuple[Typed, ...], places: list[int], known: Collection[str]
) -> None:
    """The error stands where the unknown type is written: after the last name that has it."""
    for one, place in zip(typed, places, strict=True):
        for name in one.types:
            if name not in known:
                index = tokens.words.index(name, tokens.words.index("-", place))
                found = f"type {quoted(name)} is not declared"
                listed = ", ".join(sorted(known)[:20])
                raise tokens.error(index, found, f"one of {listed}")


def _check_circles(tokens: Tokens, types: tuple[Typed, ...], places: Mapping[str, int]) -> None:
    """Goes down from the top, each type after all its parents; what is never reached, circles."""
    parents = {one.name: {name for name in one.types if name != OBJECT} for one in types}
    below: dict[str, list[str]] = {name: [] for name in parents}
    for name, above in parents.items():
        for parent in above:
            below[parent].append(name)
    missing = {name: len(above) for name, above in parents.items()}
    level = [name for name, count in missing.items() if count == 0]
    depth = 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise tokens.error(places[level[0]], f"types nested deeper than {DEEPEST}")
        following = []
        for name in level:
            del missing[name]
            for child in below[name]:
                missing[child] -= 1
                if missing[child] == 0:
                    following.append(child)
        level = following
    if missing:
        name = next(iter(missing))
        raise tokens.error(places[name], f"type {quoted(name)} stands above itself")
