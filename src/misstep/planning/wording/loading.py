"""Reading a wording.toml: every field checked against the domain, with its name in the error."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from misstep.planning.model import OBJECT, Domain
from misstep.planning.wording.defaults import (
    default_kind,
    denial_template,
    function_template,
    parameter_names,
)
from misstep.planning.wording.errors import WordingError
from misstep.planning.wording.guessing import guess_action, guess_fact
from misstep.planning.wording.nouns import (
    ActionWording,
    FactWording,
    Kind,
    NameRule,
    Setting,
    Wording,
)
from misstep.planning.wording.templates import Template, missing_parameters, parse_template

SCHEMA = 1
_TOP = {
    *("schema", "title", "introduction", "generator", "cost"),
    *("types", "predicates", "functions", "actions"),
}


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of the file with its place, so that each complaint can name its field."""

    file: str
    path: str
    values: Mapping[str, object]

    def fail(self, key: str, reason: str) -> WordingError:
        return WordingError(self.file, self.field(key), reason)

    def field(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def only(self, allowed: set[str]) -> None:
        for key in self.values:
            if key not in allowed:
                known = ", ".join(sorted(allowed))
                raise self.fail(key, f"is no field here (there are: {known})")

    def table(self, key: str) -> _Table:
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise self.fail(key, f"{value!r} is no table")
        return _Table(self.file, self.field(key), value)

    def text(self, key: str, default: str = "") -> str:
        value = self.values.get(key, default)
        if not isinstance(value, str):
            raise self.fail(key, f"{value!r} is no text")
        return value

    def flag(self, key: str) -> bool:
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            raise self.fail(key, f"{value!r} is neither true nor false")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.fail(key, f"{value!r} is no list of texts")
        return tuple(value)


def read_wording(text: str, domain: Domain, file: str = "wording.toml") -> Wording:
    """What the file leaves out is made of the domain's names. Raises WordingError."""
    top = _top(text, file)
    cost = top.table("cost")
    cost.only({"singular", "plural"})
    unit = cost.text("singular")
    return Wording(
        title=top.text("title", domain.name),
        introduction=top.text("introduction").strip(),
        kinds=_kinds(top.table("types"), domain),
        facts=_facts(top.table("predicates"), domain),
        actions=_actions(top.table("actions"), domain),
        functions=_functions(top.table("functions"), domain),
        cost_unit=(unit, cost.text("plural", unit)),
        generator=_generator(top.table("generator")),
    )


def entries(text: str, section: str, file: str = "wording.toml") -> tuple[str, ...]:
    """The names that a section of the file speaks of; for telling what is left out."""
    return tuple(name.lower() for name in _top(text, file).table(section).values)


def _top(text: str, file: str) -> _Table:
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number may be too long for Python, too
        raise WordingError(file, "", f"no TOML: {error}") from error
    top = _Table(file, "", values)
    top.only(_TOP)
    if values.get("schema", SCHEMA) != SCHEMA:
        raise top.fail("schema", f"{values['schema']!r} is unknown; this is schema {SCHEMA}")
    return top


def _known(table: _Table, names: Sequence[str], what: str) -> dict[str, _Table]:
    """The section's tables by lower-case name; each must be in the domain."""
    found = {}
    for key in table.values:
        if key.lower() not in names:
            known = ", ".join(names) or "none"
            raise table.fail(key, f"the domain has no such {what} (there are: {known})")
        found[key.lower()] = table.table(key)
    return found


def _kinds(table: _Table, domain: Domain) -> dict[str, Kind]:
    """In the file's order; a kind made by a predicate needs no type of its name."""
    kinds = {}
    for key in table.values:
        entry = table.table(key)
        kind = _kind(key.lower(), entry)
        if kind.predicate is None and kind.name not in domain.supertypes:
            known = ", ".join(typed.name for typed in domain.types) or OBJECT
            raise table.fail(key, f"the domain has no such type (there are: {known})")
        if kind.predicate is not None:
            _check_unary(entry, kind.predicate, domain)
        kinds[kind.name] = kind
    return kinds


def _check_unary(entry: _Table, name: str, domain: Domain) -> None:
    predicate = domain.predicate.get(name)
    if predicate is None or len(predicate.parameters) != 1:
        raise entry.fail("predicate", f"{name!r} is no predicate with one parameter")


def _kind(name: str, entry: _Table) -> Kind:
    entry.only({"singular", "plural", "say", "words", "names", "predicate"})
    plain = default_kind(name)
    predicate = entry.text("predicate").lower() or None
    words = entry.table("words")
    return Kind(
        name=name,
        singular=_noun(entry, "singular", plain.singular),
        plural=_noun(entry, "plural", plain.plural),
        say=_named(entry, entry.text("say")),
        words={key.lower(): words.text(key) for key in words.values},
        names=_rules(entry),
        predicate=predicate,
    )


def _noun(entry: _Table, key: str, default: str) -> str:
    noun = entry.text(key, default).strip()
    if not noun:
        raise entry.fail(key, "is empty")
    return noun


def _named(entry: _Table, say: str) -> str:
    """A name can be told from others only if it is in what is said."""
    if say and not any(slot in say for slot in ("{name}", "{words}", "{word}")):
        raise entry.fail("say", f"{say!r} needs one of {{name}}, {{words}}, {{word}}")
    return say


def _rules(entry: _Table) -> tuple[NameRule, ...]:
    rules = entry.values.get("names", [])
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        raise entry.fail("names", "is no list of tables")
    return tuple(
        _rule(_Table(entry.file, f"{entry.path}.names.{place}", rule))
        for place, rule in enumerate(rules, start=1)
    )


def _rule(entry: _Table) -> NameRule:
    """All slots of the pattern must be in each phrase, else names can't be told apart."""
    entry.only({"match", "say", "read"})
    rule = NameRule(entry.text("match").lower(), entry.text("say"), entry.texts("read"))
    slots = re.findall(r"\{[a-z]+\}", rule.match)
    for key, phrase in [
        ("match", rule.match),
        ("say", rule.say),
        *(("read", r) for r in rule.read),
    ]:
        if not phrase:
            raise entry.fail(key, "is empty")
        if sorted(phrase.count(slot) for slot in slots) != [1] * len(slots):
            raise entry.fail(key, f"{phrase!r} must have each of {', '.join(slots)} once")
    return rule


def _facts(table: _Table, domain: Domain) -> dict[str, FactWording]:
    names = [predicate.name for predicate in domain.predicates]
    given = _known(table, names, "predicate")
    empty = _Table(table.file, table.path, {})
    return {
        predicate.name: _fact(
            given.get(predicate.name, empty), predicate.name, parameter_names(predicate.parameters)
        )
        for predicate in domain.predicates
    }


def _fact(entry: _Table, name: str, parameters: Sequence[str]) -> FactWording:
    entry.only({"fact", "not", "read", "silent"})
    guess = guess_fact(name, parameters)
    say = entry.text("fact", guess.fact)
    denial = entry.text("not", guess.denial if say == guess.fact else denial_template(say))
    return FactWording(
        say=_template(entry, "fact", say, parameters),
        denial=_template(entry, "not", denial, parameters),
        read=tuple(_template(entry, "read", each, parameters) for each in entry.texts("read")),
        silent=entry.flag("silent"),
    )


def _actions(table: _Table, domain: Domain) -> dict[str, ActionWording]:
    given = _known(table, [action.name for action in domain.actions], "action")
    empty = _Table(table.file, table.path, {})
    return {
        action.name: _action(
            given.get(action.name, empty), action.name, parameter_names(action.parameters)
        )
        for action in domain.actions
    }


def _action(entry: _Table, name: str, parameters: Sequence[str]) -> ActionWording:
    entry.only({"say", "read"})
    say = entry.text("say", guess_action(name, parameters))
    return ActionWording(
        say=_template(entry, "say", say, parameters),
        read=tuple(_template(entry, "read", each, parameters) for each in entry.texts("read")),
    )


def _functions(table: _Table, domain: Domain) -> dict[str, Template]:
    given = _known(table, [function.name for function in domain.functions], "function")
    found = {}
    for function in domain.functions:
        entry = given.get(function.name, _Table(table.file, table.path, {}))
        entry.only({"say"})
        parameters = parameter_names(function.parameters)
        say = entry.text("say", function_template(function.name, parameters))
        found[function.name] = _template(entry, "say", say, parameters)
    return found


def _template(entry: _Table, key: str, text: str, parameters: Sequence[str]) -> Template:
    template = parse_template(text, parameters, entry.file, entry.field(key))
    missing = missing_parameters(template, parameters)
    if missing:
        slots = ", ".join(f"{{{name}}}" for name in missing)
        raise entry.fail(key, f"{text!r} leaves out {slots}")
    return template


def _generator(table: _Table) -> dict[str, Setting]:
    for key, value in table.values.items():
        if not isinstance(value, bool | int | str):
            raise table.fail(key, f"{value!r} is no number, text or flag")
    return {
        key: value for key, value in table.values.items() if isinstance(value, bool | int | str)
    }
