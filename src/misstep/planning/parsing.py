"""Reads PDDL: a domain, and a problem of it. Every fault raises PddlError with its place.

>>> domain = read_domain("(define (domain d) (:predicates (lit ?x))"
...     " (:action light :parameters (?x) :precondition (not (lit ?x)) :effect (lit ?x)))")
>>> problem = read_problem("(define (problem p) (:domain d) (:objects a) (:init)"
...     " (:goal (lit a)))", domain)
>>> problem.goal
Atom(predicate='lit', terms=('a',))
"""

from __future__ import annotations

from collections.abc import Mapping

from misstep.planning.declarations import (
    read_functions,
    read_objects,
    read_predicates,
    read_types,
    read_variables,
)
from misstep.planning.effects import read_effect
from misstep.planning.formulas import (
    Scope,
    arguments,
    read_atom,
    read_expression,
    read_fluent,
    read_formula,
    read_number,
)
from misstep.planning.lexing import Tokens, quoted, read_tokens
from misstep.planning.model import (
    TRUE,
    Action,
    Atom,
    Domain,
    Metric,
    Problem,
    Typed,
    Value,
)
from misstep.planning.requirements import SECTIONS, read_requirements, refused

_IN_DOMAINS = (":requirements", ":types", ":constants", ":predicates", ":functions", ":action")
_IN_PROBLEMS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric", ":length")
_IN_ACTIONS = (":parameters", ":precondition", ":effect")


def read_domain(text: str | bytes, file: str = "") -> Domain:
    """`file` is only for messages. Sections may stand in any order, each but :action once."""
    tokens = read_tokens(text, file)
    name, places, actions = _read_sections(tokens, "domain", _IN_DOMAINS)
    requirements = _at(places, ":requirements")
    types = _at(places, ":types")
    constants = _at(places, ":constants")
    predicates = _at(places, ":predicates")
    functions = _at(places, ":functions")
    typed = read_types(tokens, types) if types else ()
    known = Domain(name, types=typed).supertypes
    declared = Domain(
        name,
        read_requirements(tokens, requirements) if requirements else (),
        typed,
        read_objects(tokens, constants, known) if constants else (),
        read_predicates(tokens, predicates, known) if predicates else (),
        read_functions(tokens, functions, known) if functions else (),
    )
    return _with_actions(tokens, declared, actions)


def read_problem(text: str | bytes, domain: Domain, file: str = "") -> Problem:
    """`file` is only for messages; the problem must name `domain` as its own."""
    tokens = read_tokens(text, file)
    name, places, _ = _read_sections(tokens, "problem", _IN_PROBLEMS)
    for section in (":domain", ":init", ":goal"):
        if section not in places:
            raise tokens.unexpected(tokens.ends[0], f"a section ({section} ...)")
    _check_domain(tokens, places[":domain"], domain)
    constants = [one.name for one in domain.constants]
    known, objects = domain.supertypes, _at(places, ":objects")
    own = read_objects(tokens, objects, known, constants) if objects else ()
    scope = _scope(tokens, domain, own)
    init, values = _read_init(scope, places[":init"])
    (goal,) = arguments(tokens, places[":goal"], 1, "one formula")
    return Problem(
        name,
        domain,
        own,
        init,
        read_formula(scope, goal),
        values,
        _read_metric(scope, places[":metric"]) if ":metric" in places else None,
        read_requirements(tokens, places[":requirements"]) if ":requirements" in places else (),
    )


def _read_sections(
    tokens: Tokens, kind: str, allowed: tuple[str, ...]
) -> tuple[str, dict[str, int], list[int]]:
    """The name of the domain or problem, where each section opens, where each action opens."""
    if tokens.words[1] != "define":
        raise tokens.unexpected(1, "define")
    if not tokens.is_list(2):
        raise tokens.unexpected(2, f"({kind} ...)")
    if tokens.head(2) != kind:
        raise tokens.unexpected(3, kind)
    (name,) = arguments(tokens, 2, 1, f"the {kind}'s name")
    places: dict[str, int] = {}
    actions: list[int] = []
    for start in tokens.parts(0)[2:]:
        word = _section(tokens, start, allowed)
        if word == ":action":
            actions.append(start)
        elif word in places:
            raise tokens.error(start + 1, f"section {word} stands twice")
        else:
            places[word] = start
    return tokens.name(name, f"the {kind}'s name"), places, actions


def _section(tokens: Tokens, start: int, allowed: tuple[str, ...]) -> str:
    if not tokens.is_list(start):
        raise tokens.unexpected(start, "a section in parentheses")
    word = tokens.words[start + 1]
    if word in allowed:
        return word
    if word in SECTIONS:
        raise refused(tokens, start + 1, SECTIONS[word])
    raise tokens.error(start + 1, f"unknown section {quoted(word)}", "one of " + " ".join(allowed))


def _at(places: Mapping[str, int], section: str) -> int:
    """Where the section opens; 0, where none can, if there is none."""
    return places.get(section, 0)


def _scope(tokens: Tokens, domain: Domain, objects: tuple[Typed, ...]) -> Scope:
    types_of = Problem("", domain, objects).types_of
    return Scope(tokens, domain.supertypes, domain.predicate, domain.function, types_of, {})


def _with_actions(tokens: Tokens, domain: Domain, starts: list[int]) -> Domain:
    scope = _scope(tokens, domain, ())
    found: dict[str, Action] = {}
    for start in starts:
        action = _read_action(scope, start)
        if action.name in found:
            raise tokens.error(start + 2, f"action {quoted(action.name)} is declared twice")
        found[action.name] = action
    return Domain(
        domain.name,
        domain.requirements,
        domain.types,
        domain.constants,
        domain.predicates,
        domain.functions,
        tuple(found.values()),
    )


def _read_action(scope: Scope, start: int) -> Action:
    tokens = scope.tokens
    parts = tokens.after_head(start)
    if not parts:
        raise tokens.unexpected(tokens.ends[start], "an action's name")
    name = tokens.name(parts[0], "an action's name")
    places = _action_parts(tokens, start, parts[1:])
    parameters: tuple[Typed, ...] = ()
    if ":parameters" in places:
        parameters = read_variables(tokens, places[":parameters"], scope.types)
    inner, _ = scope.within(parameters)
    precondition, effect = places.get(":precondition"), places.get(":effect")
    return Action(
        name,
        parameters,
        TRUE if precondition is None else read_formula(inner, precondition),
        () if effect is None else read_effect(inner, effect),
    )


def _action_parts(tokens: Tokens, start: int, parts: list[int]) -> dict[str, int]:
    places: dict[str, int] = {}
    for at in range(0, len(parts), 2):
        word = tokens.words[parts[at]]
        if word in SECTIONS:
            raise refused(tokens, parts[at], SECTIONS[word])
        if word not in _IN_ACTIONS:
            raise tokens.unexpected(parts[at], "one of " + " ".join(_IN_ACTIONS))
        if word in places:
            raise tokens.error(parts[at], f"{word} stands twice")
        if at + 1 == len(parts):
            raise tokens.unexpected(tokens.ends[start], f"a list in parentheses after {word}")
        places[word] = parts[at + 1]
    return places


def _check_domain(tokens: Tokens, start: int, domain: Domain) -> None:
    (index,) = arguments(tokens, start, 1, "the domain's name")
    if tokens.words[index] != domain.name:
        found = f"the problem is of domain {quoted(tokens.words[index])}"
        raise tokens.error(index, found, domain.name)


def _read_init(scope: Scope, start: int) -> tuple[tuple[Atom, ...], tuple[Value, ...]]:
    """Facts once each, in the order written. A negated one says what holds anyway, and is left
    out, unless another line says the contrary."""
    tokens = scope.tokens
    facts: dict[Atom, int] = {}
    absent: dict[Atom, int] = {}
    values: dict[tuple[str, ...], Value] = {}
    for index in tokens.after_head(start):
        head = tokens.head(index) if tokens.is_list(index) else ""
        if head == "=":
            value = _read_value(scope, index)
            key = (value.fluent.function, *value.fluent.terms)
            if key in values:
                raise tokens.error(index, f"{value.fluent.text} is given twice")
            values[key] = value
        elif head == "not":
            (part,) = arguments(tokens, index, 1, "one atom")
            absent[_read_fact(scope, part)] = index
        else:
            facts[_read_fact(scope, index)] = index
    for atom, index in absent.items():
        if atom in facts:
            raise tokens.error(index, f"{atom.text} is both given and negated")
    return tuple(facts), tuple(values.values())


def _read_fact(scope: Scope, index: int) -> Atom:
    tokens = scope.tokens
    if not tokens.is_list(index):
        raise tokens.unexpected(index, "a fact in parentheses")
    if tokens.head(index) == "at" and tokens.words[index + 2].replace(".", "").isdigit():
        inner = tokens.parts(index)
        if len(inner) == 3 and tokens.is_list(inner[2]):
            raise refused(tokens, index + 1, ":timed-initial-literals")
    return read_atom(scope, index)


def _read_value(scope: Scope, start: int) -> Value:
    fluent, number = arguments(scope.tokens, start, 2, "a function and a number")
    return Value(read_fluent(scope, fluent), read_number(scope.tokens, number))


def _read_metric(scope: Scope, start: int) -> Metric:
    tokens = scope.tokens
    direction, expression = arguments(tokens, start, 2, "minimize and an expression")
    word = tokens.words[direction]
    if word not in ("minimize", "maximize"):
        raise tokens.unexpected(direction, "minimize or maximize")
    return Metric(word, read_expression(scope, expression))
