"""Domains in disguise: other English words, or random strings, for every name; same structure.

The disguise of a domain comes from one draw of chance, that of a problem's objects from another,
so that all problems of a disguised domain share its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from misstep.planning.deceptive import ADJECTIVES, BETWEEN, NOUNS, RELATIONS, VERBS
from misstep.planning.generators.chance import Chance, sample
from misstep.planning.model import OBJECT, TOTAL_COST, Domain, Predicate, Problem
from misstep.planning.renaming import Renaming, rename_domain
from misstep.planning.wording.defaults import denial_template, plural_of
from misstep.planning.wording.nouns import ActionWording, FactWording, Kind, NameRule, Wording
from misstep.planning.wording.templates import Template, parse_template

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SIGNS = _LETTERS + "0123456789"
_LENGTH = 12


class Disguise(StrEnum):
    DECEPTIVE = "deceptive"
    RANDOM = "random"


@dataclass(frozen=True)
class Disguised:
    """A domain under other names. `renaming` leads from the true names to these; it knows the
    domain's constants, but no problem's objects: see `problem_renaming`."""

    style: Disguise
    renaming: Renaming
    domain: Domain
    wording: Wording


def obfuscate(domain: Domain, style: Disguise, chance: Chance) -> Disguised:
    """Works for every domain. The wording has no introduction of its own: the rules are written
    out from the domain. Type marks of untyped domains are told as facts, since no name does."""
    renaming = _domain_renaming(domain, style, chance)
    hidden = rename_domain(renaming, domain)
    return Disguised(style, renaming, hidden, disguise_wording(hidden, style))


def problem_renaming(disguised: Disguised, problem: Problem, chance: Chance) -> Renaming:
    """The domain's renaming with names for the objects, which tell neither type nor order."""
    taken = set(disguised.renaming.objects.values())
    names = _object_names(disguised.style, len(problem.objects), taken, chance)
    objects = {each.name: new for each, new in zip(problem.objects, names, strict=True)}
    return replace(
        disguised.renaming,
        objects={**disguised.renaming.objects, **objects},
        problem={problem.name: f"{disguised.domain.name}-problem"},
    )


def _domain_renaming(domain: Domain, style: Disguise, chance: Chance) -> Renaming:
    """New names differ from one another and from all old ones, across all sorts of names."""
    taken = {*_names(domain), OBJECT, TOTAL_COST}
    actions = [action.name for action in domain.actions]
    types = [typed.name for typed in domain.types if typed.name != OBJECT]
    functions = [each.name for each in domain.functions if each.name != TOTAL_COST]
    constants = [each.name for each in domain.constants]
    source = _Source(style, chance, taken)
    return Renaming(
        domain={domain.name: f"{style}-{source.words(NOUNS, 1)[0]}"},
        actions=_pairs(actions, source.words(VERBS, len(actions))),
        predicates=_predicate_names(domain.predicates, source),
        functions=_pairs(functions, source.words(NOUNS, len(functions))),
        types=_pairs(types, source.words(NOUNS, len(types))),
        objects=_pairs(constants, _object_names(style, len(constants), taken, chance)),
    )


def _names(domain: Domain) -> Iterable[str]:
    for group in (domain.actions, domain.predicates, domain.functions, domain.types):
        yield from (each.name for each in group)
    yield from (each.name for each in domain.constants)


def _predicate_names(predicates: Sequence[Predicate], source: _Source) -> dict[str, str]:
    """Adjectives for one argument, relations for more, nouns for none."""
    found: dict[str, str] = {}
    for words, least, most in ((NOUNS, 0, 0), (ADJECTIVES, 1, 1), (RELATIONS, 2, None)):
        names = [
            each.name
            for each in predicates
            if len(each.parameters) >= least and (most is None or len(each.parameters) <= most)
        ]
        found |= _pairs(names, source.words(words, len(names)))
    return {each.name: found[each.name] for each in predicates}


def _pairs(old: Sequence[str], new: Sequence[str]) -> dict[str, str]:
    return dict(zip(old, new, strict=True))


@dataclass(frozen=True)
class _Source:
    """Where new names come from; `taken` grows with what was given out."""

    style: Disguise
    chance: Chance
    taken: set[str]

    def words(self, words: Sequence[str], count: int) -> list[str]:
        if self.style is Disguise.RANDOM:
            return _strings(count, self.taken, self.chance)
        free = [word for word in words if word not in self.taken]
        found = sample(self.chance, free, min(count, len(free)))
        found += [f"{found[place % len(free)]}-{place}" for place in range(len(found), count)]
        self.taken.update(found)
        return found


def _strings(count: int, taken: set[str], chance: Chance, length: int = _LENGTH) -> list[str]:
    """Random strings that begin with a letter, as PDDL wants names to."""
    found: list[str] = []
    while len(found) < count:
        name = _LETTERS[chance.below(len(_LETTERS))]
        name += "".join(_SIGNS[chance.below(len(_SIGNS))] for _ in range(length - 1))
        if name not in taken:
            taken.add(name)
            found.append(name)
    return found


def _object_names(style: Disguise, count: int, taken: set[str], chance: Chance) -> list[str]:
    """Deceptive: o1, o2 … dealt out at random. Random: short random strings."""
    if style is Disguise.RANDOM:
        return _strings(count, taken, chance, length=6)
    free = [f"o{number}" for number in range(1, count + len(taken) + 1)]
    names = [name for name in free if name not in taken][:count]
    return sample(chance, names, count)


def disguise_wording(domain: Domain, style: Disguise) -> Wording:
    """`domain` is the disguised domain, whose names are the words."""
    deceptive = style is Disguise.DECEPTIVE
    say_fact = _deceptive_fact if deceptive else _plain
    say_action = _deceptive_action if deceptive else _plain
    facts = {each.name: say_fact(each.name, len(each.parameters)) for each in domain.predicates}
    return Wording(
        title=domain.name,
        introduction="",
        kinds={name: _kind(name, style) for name in _kind_names(domain)},
        facts={name: _fact(name, facts[name], domain, style) for name in facts},
        actions={
            each.name: ActionWording(
                _template(say_action(each.name, len(each.parameters)), len(each.parameters))
            )
            for each in domain.actions
        },
        functions={
            each.name: _template(_function(each.name, len(each.parameters)), len(each.parameters))
            for each in domain.functions
        },
    )


def _kind_names(domain: Domain) -> tuple[str, ...]:
    return (OBJECT, *(typed.name for typed in domain.types if typed.name != OBJECT))


def _kind(name: str, style: Disguise) -> Kind:
    """All objects are called "object 7", or by their random strings, whatever their type."""
    rules = (NameRule("o{n}", "object {n}", ("object_{n}",)),)
    if style is Disguise.RANDOM:
        singular = name if name == OBJECT else f"{name} object"
        return Kind(name, singular, plural_of(singular), say="{name}")
    return Kind(name, name, plural_of(name), names=rules)


def _fact(name: str, text: str, domain: Domain, style: Disguise) -> FactWording:
    count = len(domain.predicate[name].parameters)
    denial = denial_template(text)
    if style is Disguise.DECEPTIVE and count == 0:
        denial = f"there is no {name}"
    return FactWording(_template(text, count), _template(denial, count))


def _template(text: str, count: int) -> Template:
    return parse_template(text, [str(place + 1) for place in range(count)], "", text)


def _plain(name: str, count: int) -> str:
    """ "k3x9 {1} {2}"."""
    return " ".join([name, *(f"{{{place + 1}}}" for place in range(count))])


def _function(name: str, count: int) -> str:
    slots = " and ".join(f"{{{place + 1}}}" for place in range(count))
    return f"the {name} of {slots}" if slots else f"the {name}"


def _deceptive_fact(name: str, count: int) -> str:
    """ "there is a comet", "{1} is brave", "{1} craves {2} with {3}"."""
    if count == 0:
        return f"there is {'an' if name[0] in 'aeiou' else 'a'} {name}"
    if count == 1:
        return f"{{1}} is {name}"
    return f"{{1}} {name} {{2}}{_further(2, count)}"


def _deceptive_action(name: str, count: int) -> str:
    """ "tickle {1} with {2} near {3}"."""
    return name if count == 0 else f"{name} {{1}}{_further(1, count)}"


def _further(said: int, count: int) -> str:
    return "".join(
        f" {BETWEEN[(place - said) % len(BETWEEN)]} {{{place + 1}}}" for place in range(said, count)
    )
