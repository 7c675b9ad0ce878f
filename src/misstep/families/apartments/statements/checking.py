"""What is wrong with a file of statements, each fault in one line with its place and value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.pictures import PLACE
from misstep.families.apartments.statements.reading import (
    FEATURES,
    LEVELS,
    Feature,
    Statement,
    Statements,
    read_statements,
)
from misstep.families.apartments.statements.words import plain, stem, topics

MOST_LETTERS, FEWEST_WORDS, MOST_WORDS = 100, 3, 18
_NUMBERED = re.compile(r"\bapartment\s+\d", re.IGNORECASE)


def read_checked(path: Path) -> Statements:
    """The file, which has no fault. Raises BadInput with the first one."""
    found = read_statements(path)
    faults = list(problems(found))
    if faults:
        more = f"; {len(faults) - 1} more: misstep apartments-check" if len(faults) > 1 else ""
        raise BadInput(f"{path}: {faults[0]}{more}")
    return found


def problems(found: Statements, *, is_rated: bool = True) -> Iterator[str]:
    """Every fault. Unrated statements are faults only with `is_rated`.

    Ratings that a model gave (`rated_by`) are measured, so their order within a feature is free.
    That no two statements contradict each other is for people to see (contradictions.md).
    """
    if len(found.features) != FEATURES:
        yield f"features: {len(found.features)} instead of {FEATURES}"
    for feature in found.features:
        for level, statement in zip(LEVELS, feature.statements, strict=True):
            for fault in _of_statement(statement, is_rated=is_rated):
                yield f"feature {feature.name}: {level}: {fault}"
        if not found.rated_by:
            yield from _of_order(feature)
    yield from _of_names(found)
    yield from _of_texts(found)
    yield from _of_topics(found)


def out_of_order(found: Statements) -> list[str]:
    """The features whose ratings don't fall from best to worst."""
    return [feature.name for feature in found.features if any(_of_order(feature))]


def _of_statement(statement: Statement, *, is_rated: bool) -> Iterator[str]:
    text = statement.text
    if is_rated and statement.rating is None:
        yield "rating: missing"
    if len(text) > MOST_LETTERS:
        yield f"text: {len(text)} letters, at most {MOST_LETTERS}: {text[:MOST_LETTERS]!r}…"
    if not FEWEST_WORDS <= sum(bool(plain(word)) for word in text.split()) <= MOST_WORDS:
        yield f"text: {text[:MOST_LETTERS]!r} has not {FEWEST_WORDS} to {MOST_WORDS} words"
    if not text.isprintable() or PLACE in text or text != " ".join(text.split()):
        yield f"text: {text[:MOST_LETTERS]!r} is no single line of words with one space between"
    elif not text.endswith("."):
        yield f"text: {text[:MOST_LETTERS]!r} does not end with a full stop"
    if _NUMBERED.search(text):
        yield f"text: {text[:MOST_LETTERS]!r} names an apartment by its number"


def _of_order(feature: Feature) -> Iterator[str]:
    rated = list(zip(LEVELS, (one.rating for one in feature.statements), strict=True))
    for (better, high), (worse, low) in pairwise(rated):
        if high is not None and low is not None and high <= low:
            yield f"feature {feature.name}: {better}: rating: {high} is not above {low} of {worse}"


def _of_names(found: Statements) -> Iterator[str]:
    names: dict[str, str] = {}
    for feature in found.features:
        before = names.setdefault(plain(feature.name), feature.name)
        if before != feature.name:
            yield f"feature {feature.name}: name: the same as {before}"


def _of_texts(found: Statements) -> Iterator[str]:
    places: dict[str, str] = {}
    for feature in found.features:
        for level, statement in zip(LEVELS, feature.statements, strict=True):
            here = f"feature {feature.name}: {level}"
            before = places.setdefault(plain(statement.text), here)
            if before != here:
                yield f"{here}: text: {statement.text[:MOST_LETTERS]!r} is said before, in {before}"


def _of_topics(found: Statements) -> Iterator[str]:
    allowed = {stem(word) for word in found.shared}
    turning: dict[str, str] = {}
    for feature in found.features:
        for one, word in topics(statement.text for statement in feature.statements).items():
            before = turning.setdefault(one, feature.name)
            if before != feature.name and one not in allowed:
                yield (
                    f"feature {feature.name}: turns on the word {word!r}, as {before} does; "
                    "another word, or the word in `shared`"
                )
