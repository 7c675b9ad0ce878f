"""Phrases back to PDDL: exact readings of a said action, fact or object; never a guess."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from misstep.planning.model import Atom, Step, step_text
from misstep.planning.wording.errors import UnreadError
from misstep.planning.wording.phrasebook import Phrasebook
from misstep.planning.wording.sorts import Sort
from misstep.planning.wording.templates import Template, normalised

_JOINT = re.compile(r"\s*(?:,\s*and\s+|,\s*|;\s*|\n+|\s+and\s+)\s*")
_BULLET = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s+")


def read_object(book: Phrasebook, text: str) -> str:
    """The object's name, from its phrase, its bare name or another known phrase."""
    name = _named(book, normalised(text), lenient=True)
    if name is None:
        raise UnreadError("object", text)
    return name


def read_action(book: Phrasebook, text: str) -> Step:
    """The one action said. Raises UnreadError where none or several could be meant."""
    found = readings_of_action(book, text)
    if len(found) != 1:
        raise UnreadError("action", text, tuple(step_text(step) for step in found))
    return found[0]


def read_fact(book: Phrasebook, text: str) -> tuple[Atom, bool]:
    """The one fact said, and whether it is said to hold. Raises UnreadError."""
    found = readings_of_fact(book, text)
    if len(found) != 1:
        readings = tuple(atom.text if holds else f"(not {atom.text})" for atom, holds in found)
        raise UnreadError("fact", text, readings)
    return found[0]


def read_facts(book: Phrasebook, text: str) -> tuple[tuple[Atom, bool], ...]:
    """Facts in a row, set apart by commas, "and", semicolons or lines, with bullets or without."""
    lines = [_BULLET.sub("", line) for line in text.splitlines()]
    pieces = [piece for piece in _JOINT.split("\n".join(lines).strip()) if normalised(piece)]
    return tuple(read_fact(book, piece) for piece in pieces)


def readings_of_action(book: Phrasebook, text: str, *, lenient: bool = True) -> tuple[Step, ...]:
    """All actions that the text could be.

    The say templates with the objects' own phrases come first; then, if lenient, the read
    templates and aliases. Of several readings, those stay whose objects are of the sorts that the
    action needs, if any are.
    """
    phrase = normalised(text)
    words = book.wording.actions
    found = _steps(book, phrase, ((name, each.say) for name, each in words.items()), lenient=False)
    if not found and lenient:
        every = ((name, t) for name, each in words.items() for t in (each.say, *each.read))
        found = _steps(book, phrase, every, lenient=True)
    if len(found) < 2:
        return found
    sorts = book.action_sorts
    return tuple(step for step in found if _fits(book, sorts[step[0]], step[1:])) or found


def readings_of_fact(
    book: Phrasebook, text: str, *, lenient: bool = True
) -> tuple[tuple[Atom, bool], ...]:
    """All facts that the text could be, each with whether it is said to hold; otherwise as for
    actions."""
    phrase = normalised(text)
    facts = book.wording.facts.items()
    plain = [(name, each.say, True) for name, each in facts]
    plain += [(name, each.denial, False) for name, each in facts]
    found = _atoms(book, phrase, plain, lenient=False)
    if not found and lenient:
        read = [(name, template, True) for name, each in facts for template in each.read]
        found = _atoms(book, phrase, [*plain, *read], lenient=True)
    if len(found) < 2:
        return found
    sorts = book.predicate_sorts
    fitting = [each for each in found if _fits(book, sorts[each[0].predicate], each[0].terms)]
    return tuple(fitting) or found


def _steps(
    book: Phrasebook, phrase: str, templates: Iterable[tuple[str, Template]], *, lenient: bool
) -> tuple[Step, ...]:
    return tuple(
        dict.fromkeys(
            (name, *terms)
            for name, template in templates
            for terms in _arguments(book, template, phrase, lenient=lenient)
        )
    )


def _atoms(
    book: Phrasebook,
    phrase: str,
    templates: Iterable[tuple[str, Template, bool]],
    *,
    lenient: bool,
) -> tuple[tuple[Atom, bool], ...]:
    return tuple(
        dict.fromkeys(
            (Atom(name, terms), holds)
            for name, template, holds in templates
            for terms in _arguments(book, template, phrase, lenient=lenient)
        )
    )


def _arguments(
    book: Phrasebook, template: Template, phrase: str, *, lenient: bool
) -> Iterator[tuple[str, ...]]:
    """Objects in the order of the parameters, for every cut in which each piece is an object."""
    for pieces in template.splits(phrase):
        names = [_named(book, pieces[place], lenient=lenient) for place in sorted(pieces)]
        terms = tuple(name for name in names if name is not None)
        if len(terms) == len(names):
            yield terms


def _named(book: Phrasebook, phrase: str, *, lenient: bool) -> str | None:
    return (book.known if lenient else book.names).get(phrase)


def _fits(book: Phrasebook, sorts: tuple[Sort, ...], terms: tuple[str, ...]) -> bool:
    return all(
        sort.admits(book.types[term], book.kinds[term])
        for sort, term in zip(sorts, terms, strict=True)
    )
