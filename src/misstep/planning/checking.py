"""Is a domain folder complete, and does every action, fact and object survive the way to words?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from math import prod
from pathlib import Path

from misstep.planning.errors import PlanningError
from misstep.planning.folders import WORDING_FILE, DomainFolder, draw_problem, load_folder
from misstep.planning.generators import GENERATORS, SeededChance
from misstep.planning.model import Atom, Domain, Problem, Step, Typed, step_text
from misstep.planning.obfuscation import Disguise, obfuscate, problem_renaming
from misstep.planning.renaming import rename_problem
from misstep.planning.wording.defaults import type_names
from misstep.planning.wording.loading import entries
from misstep.planning.wording.nouns import Wording
from misstep.planning.wording.pddl import pddl_wording
from misstep.planning.wording.phrasebook import Phrasebook, phrasebook
from misstep.planning.wording.saying import say_action, say_fact
from misstep.planning.wording.templates import normalised
from misstep.planning.wording.understanding import readings_of_action, readings_of_fact

SHOWN = 5
"""Phrases that don't come back are shown so many times for each wording and problem."""

_MOST = 2000
"""Of one action's (predicate's) ground forms so many are tried, evenly spread over all."""

_DRAWN = 3


class Weight(StrEnum):
    ERROR = "error"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """An error must be mended; a note says what was filled in. `place`: file, field or problem."""

    weight: Weight
    place: str
    message: str


def check(folder: Path) -> tuple[Finding, ...]:
    """All findings in a fixed order; empty where nothing is to be said. Never raises
    PlanningError: what can't be loaded is a finding."""
    try:
        loaded = load_folder(folder)
    except PlanningError as error:
        return (Finding(Weight.ERROR, folder.name, str(error)),)
    found = [*_missing(folder, loaded), *_unusable(loaded)]
    try:
        return (*found, *_lost(loaded))
    except PlanningError as error:
        return (*found, Finding(Weight.ERROR, loaded.name, str(error)))


def lost_phrases(problem: Problem, wording: Wording) -> Iterator[str]:
    """A line for each object, fact or action of the problem that doesn't come back from words."""
    book = phrasebook(problem, wording)
    yield from _lost_objects(book)
    for predicate in problem.domain.predicates:
        for terms in ground_terms(problem, predicate.parameters):
            atom = Atom(predicate.name, terms)
            yield from _lost_fact(book, atom, holds=True)
            yield from _lost_fact(book, atom, holds=False)
    for action in problem.domain.actions:
        for terms in ground_terms(problem, action.parameters):
            yield from _lost_action(book, (action.name, *terms))


def ground_terms(
    problem: Problem, parameters: Sequence[Typed], most: int = _MOST
) -> Iterator[tuple[str, ...]]:
    """Objects of the right types for the parameters: all ways, or `most` evenly spread over all."""
    pools = [problem.objects_for(parameter.types) for parameter in parameters]
    total = prod(len(pool) for pool in pools)
    count = min(total, most)
    for number in range(count):
        yield _numbered(pools, number * total // count)


def _numbered(pools: Sequence[Sequence[str]], number: int) -> tuple[str, ...]:
    """The ground form of this number, counting the last parameter fastest."""
    terms = []
    for pool in reversed(pools):
        number, place = divmod(number, len(pool))
        terms.append(pool[place])
    return tuple(reversed(terms))


def _missing(folder: Path, loaded: DomainFolder) -> list[Finding]:
    """What the wording leaves to be made of names."""
    path = folder / WORDING_FILE
    if not path.is_file():
        return [Finding(Weight.ERROR, WORDING_FILE, "is missing; `new_domain` writes a first one")]
    text = path.read_text(encoding="utf-8")
    found = [
        Finding(Weight.NOTE, f"{section}.{name}", "has no words; they are made of its name")
        for section, names in _expected(loaded.domain, loaded.wording)
        for name in names
        if name not in entries(text, section)
    ]
    if not loaded.wording.introduction:
        message = "is empty; the rules are written out from the domain"
        found.append(Finding(Weight.NOTE, "introduction", message))
    return found


def _expected(domain: Domain, wording: Wording) -> list[tuple[str, Iterable[str]]]:
    """Types need words of their own unless objects are told apart by marks."""
    marked = any(kind.predicate is not None for kind in wording.kinds.values())
    return [
        ("types", () if marked else type_names(domain)),
        ("predicates", domain.predicate),
        ("functions", [name for name in domain.function if name != "total-cost"]),
        ("actions", domain.action),
    ]


def _unusable(loaded: DomainFolder) -> list[Finding]:
    """Where problems can't come from."""
    named = loaded.wording.generator.get("name")
    if loaded.wording.generator and named not in GENERATORS:
        known = ", ".join(GENERATORS)
        message = f"{named!r} is no generator (there are: {known})"
        return [Finding(Weight.ERROR, "generator.name", message)]
    if named is None and not loaded.problems:
        message = "there is neither a [generator] nor a problem*.pddl"
        return [Finding(Weight.ERROR, loaded.name, message)]
    return []


def _lost(loaded: DomainFolder) -> list[Finding]:
    """Phrases that don't come back: in English, in PDDL, and in both disguises."""
    if _unusable(loaded):
        return []
    return [
        Finding(Weight.ERROR, f"{problem.name} ({manner})", line)
        for problem in _examples(loaded)
        for manner, shown, wording in _manners(loaded, problem)
        for line in islice(lost_phrases(shown, wording), SHOWN)
    ]


def _examples(loaded: DomainFolder) -> list[Problem]:
    """All problem files, or a few drawn problems."""
    if loaded.generator is None:
        return list(loaded.problems.values())
    return [
        draw_problem(loaded, SeededChance(seed), name=f"{loaded.name}-{seed}")
        for seed in range(_DRAWN)
    ]


def _manners(loaded: DomainFolder, problem: Problem) -> Iterator[tuple[str, Problem, Wording]]:
    """The problem in each way in which it may be told."""
    yield "english", problem, loaded.wording
    yield "pddl", problem, pddl_wording(loaded.domain)
    for style in Disguise:
        disguised = obfuscate(loaded.domain, style, SeededChance(0))
        renaming = problem_renaming(disguised, problem, SeededChance(0))
        yield style, rename_problem(renaming, problem, disguised.domain), disguised.wording


def _lost_objects(book: Phrasebook) -> Iterator[str]:
    for name, phrase in book.phrases.items():
        if book.names.get(normalised(phrase)) != name:
            yield f"object {name} is called {phrase!r}, which doesn't name it alone"


def _lost_fact(book: Phrasebook, atom: Atom, *, holds: bool) -> Iterator[str]:
    said = say_fact(book, atom, holds=holds)
    found = readings_of_fact(book, said, lenient=False)
    if found != ((atom, holds),):
        readings = [each.text if true else f"(not {each.text})" for each, true in found]
        yield _lost_line(atom.text if holds else f"(not {atom.text})", said, readings)


def _lost_action(book: Phrasebook, step: Step) -> Iterator[str]:
    said = say_action(book, step)
    found = readings_of_action(book, said, lenient=False)
    if found != (step,):
        yield _lost_line(step_text(step), said, [step_text(each) for each in found])


def _lost_line(true: str, said: str, readings: Sequence[str]) -> str:
    others = ", ".join(reading for reading in readings if reading != true) or "nothing"
    return f"{true} is said {said!r}, which reads as {others} too"
