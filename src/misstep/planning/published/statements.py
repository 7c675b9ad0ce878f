"""A published prompt's last statement in words → the problem that it asks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import resources

from misstep.planning.model import And, Atom, Problem
from misstep.planning.reading.lexicon import Lexicon

_STATEMENT = "[STATEMENT]"
_ASKED = re.compile(
    r"initial conditions I have that,?(.*?)\.?\s*\n\s*My goal is to have that,?(.*?)\.(?:\s|$)",
    re.DOTALL | re.IGNORECASE,
)
_BETWEEN = re.compile(r",\s*(?:and\s+)?|\s+and\s+|\s*\n\s*")


def stated_problem(query: str, instance: Problem, lexicon: Lexicon) -> Problem | None:
    """The instance with the start and goal that the query states; None where a part of the
    statement can't be read or names other objects.

    Facts that such prompts leave unsaid are the instance's.
    """
    found = _ASKED.search(query, query.rfind(_STATEMENT) + 1)
    if found is None:
        return None
    init, goal = (_facts(part, instance, lexicon) for part in found.groups())
    if init is None or not goal:
        return None
    unsaid = [atom for atom in instance.init if atom.predicate not in _phrases()]
    return replace(instance, init=(*unsaid, *init), goal=And(goal))


def _facts(text: str, instance: Problem, lexicon: Lexicon) -> tuple[Atom, ...] | None:
    known = frozenset(item.name for item in instance.all_objects)
    facts = []
    for words in filter(None, _BETWEEN.split(text.strip())):
        fact = _fact(words.strip().lower(), known, lexicon)
        if fact is None:
            return None
        facts.append(fact)
    return tuple(dict.fromkeys(facts))


def _fact(words: str, known: frozenset[str], lexicon: Lexicon) -> Atom | None:
    for predicate, patterns in _phrases().items():
        if predicate not in lexicon.predicates:
            continue
        for pattern in patterns:
            if found := pattern.fullmatch(words):
                objects = _objects(found.groups(), lexicon)
                if known.issuperset(objects):
                    return Atom(predicate, objects)
    return None


def _objects(said: Sequence[str], lexicon: Lexicon) -> tuple[str, ...]:
    """Their names; "" for what is no object's name."""
    return tuple(_named(words.removeprefix("the "), lexicon) for words in said)


def _named(words: str, lexicon: Lexicon) -> str:
    noun, _, rest = words.partition(" ")
    bare = rest if rest and noun in lexicon.nouns else words
    return lexicon.object_named(bare.replace(" ", "-")) or ""


@cache
def _phrases() -> dict[str, tuple[re.Pattern[str], ...]]:
    text = resources.files(__package__).joinpath("statements.toml").read_text("utf-8")
    tables: dict[str, list[str]] = tomllib.loads(text)
    return {name: tuple(map(_compiled, phrases)) for name, phrases in tables.items()}


def _compiled(phrase: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\d\\\}", "(.+)", re.escape(phrase)))
