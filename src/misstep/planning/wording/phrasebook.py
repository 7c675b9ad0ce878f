"""Names of one problem's objects in words: each object one phrase, no phrase for two objects."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from misstep.planning.model import OBJECT, Atom, Domain, Problem
from misstep.planning.wording.defaults import default_kind
from misstep.planning.wording.guessing import as_words
from misstep.planning.wording.nouns import Kind, NameRule, Wording
from misstep.planning.wording.sorts import Sort, action_sorts, predicate_sorts
from misstep.planning.wording.templates import normalised


@dataclass(frozen=True)
class Phrasebook:
    """`phrases`: object → what it is called; `names`: normalised phrase → object; `aliases`: what
    else is understood, normalised; `kinds` and `types`: object → its kind, all its types."""

    domain: Domain
    wording: Wording
    phrases: Mapping[str, str]
    names: Mapping[str, str]
    aliases: Mapping[str, str]
    kinds: Mapping[str, Kind]
    types: Mapping[str, frozenset[str]]

    @cached_property
    def action_sorts(self) -> Mapping[str, tuple[Sort, ...]]:
        return action_sorts(self.domain, self.wording)

    @cached_property
    def predicate_sorts(self) -> Mapping[str, tuple[Sort, ...]]:
        return predicate_sorts(self.domain, self.wording)

    @cached_property
    def known(self) -> Mapping[str, str]:
        """Phrases and aliases together."""
        return {**self.aliases, **self.names}


def phrasebook(problem: Problem, wording: Wording) -> Phrasebook:
    """For a problem's objects and its domain's constants."""
    kinds = _kinds(problem, wording)
    phrases = _apart(kinds)
    names = {normalised(phrase): name for name, phrase in phrases.items()}
    return Phrasebook(
        domain=problem.domain,
        wording=wording,
        phrases=phrases,
        names=names,
        aliases=_aliases(kinds, phrases, names),
        kinds=kinds,
        types=problem.types_of,
    )


def kind_of_type(domain: Domain, wording: Wording, types: Iterable[str]) -> Kind:
    """The kind that speaks for objects of these types: the nearest type that has one."""
    parents = {typed.name: typed.types for typed in domain.types}
    waiting, seen = list(types), set()
    first = waiting[0] if waiting else OBJECT
    while waiting:
        name = waiting.pop(0)
        kind = wording.kinds.get(name)
        if kind is not None and kind.predicate is None:
            return kind
        seen.add(name)
        waiting += [parent for parent in parents.get(name, ()) if parent not in seen]
    plain = wording.kinds.get(OBJECT)
    return plain if plain is not None and plain.predicate is None else default_kind(first)


def _kinds(problem: Problem, wording: Wording) -> dict[str, Kind]:
    """A kind with a predicate goes by the facts that hold at the start; the others by type."""
    marked = [kind for kind in wording.kinds.values() if kind.predicate is not None]
    marks = {atom for atom in problem.init if len(atom.terms) == 1} if marked else set()
    return {
        typed.name: next(
            (kind for kind in marked if Atom(kind.predicate or "", (typed.name,)) in marks),
            None,
        )
        or kind_of_type(problem.domain, wording, typed.types)
        for typed in problem.all_objects
    }


def _apart(kinds: Mapping[str, Kind]) -> dict[str, str]:
    """Objects that would be called the same get plainer phrases, until all are told apart."""
    level = dict.fromkeys(kinds, 0)
    while True:
        phrases = {name: _LEVELS[level[name]](name, kind) for name, kind in kinds.items()}
        counts = Counter(normalised(phrase) for phrase in phrases.values())
        shared = [name for name, phrase in phrases.items() if counts[normalised(phrase)] > 1]
        movable = [name for name in shared if level[name] + 1 < len(_LEVELS)]
        if not movable:
            return phrases
        for name in movable:
            level[name] += 1


def _by_rule(name: str, kind: Kind) -> str:
    for rule in kind.names:
        digits = _pattern(rule.match).fullmatch(name)
        if digits:
            return _with_digits(rule.say, digits.groupdict())
    if "{word}" in kind.say and name not in kind.words:
        return _by_kind(name, kind)
    if not kind.say:
        return _by_kind(name, kind)
    word = kind.words.get(name, name)
    return (
        kind.say.replace("{words}", as_words(name)).replace("{word}", word).replace("{name}", name)
    )


def _by_kind(name: str, kind: Kind) -> str:
    return f"{kind.singular} {name}"


def _by_name(name: str, _: Kind) -> str:
    return name


_LEVELS: tuple[Callable[[str, Kind], str], ...] = (_by_rule, _by_kind, _by_name)


def _with_digits(phrase: str, digits: Mapping[str, str]) -> str:
    for slot, value in digits.items():
        phrase = phrase.replace(f"{{{slot}}}", value)
    return phrase


@lru_cache(maxsize=512)
def _pattern(match: str) -> re.Pattern[str]:
    """ "l{n}-{m}" as a pattern with named groups of digits."""
    pieces = re.split(r"\{([a-z]+)\}", match)
    return re.compile(
        "".join(
            rf"(?P<{piece}>[0-9]+)" if place % 2 else re.escape(piece)
            for place, piece in enumerate(pieces)
        )
    )


def _aliases(
    kinds: Mapping[str, Kind], phrases: Mapping[str, str], names: Mapping[str, str]
) -> dict[str, str]:
    """Further phrases that mean exactly one object and are no object's own phrase."""
    meant: dict[str, set[str]] = {}
    for name, kind in kinds.items():
        for alias in _also(name, kind, phrases[name]):
            meant.setdefault(normalised(alias), set()).add(name)
    return {
        alias: next(iter(owners))
        for alias, owners in meant.items()
        if len(owners) == 1 and alias not in names
    }


def _also(name: str, kind: Kind, phrase: str) -> list[str]:
    """The bare name, the kind with the name, the rule's further phrases, articles in and out."""
    plain = phrase.removeprefix("the ")
    found = [name, f"{kind.singular} {name}", plain, *_read_by_rules(name, kind.names)]
    return [*found, *(f"the {each}" for each in found)]


def _read_by_rules(name: str, rules: Iterable[NameRule]) -> list[str]:
    for rule in rules:
        digits = _pattern(rule.match).fullmatch(name)
        if digits:
            return [_with_digits(phrase, digits.groupdict()) for phrase in rule.read]
    return []
