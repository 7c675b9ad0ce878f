"""Features and statements made by a model, by the prompts of F.1; what it replies is read here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from misstep.core.errors import MisstepError
from misstep.core.outcomes import Reply
from misstep.families.apartments.statements.reading import (
    FEATURES,
    LEVELS,
    Feature,
    Statement,
    Statements,
)

POSITIVE = (
    "Generate 80 positive statements about different aspects of an apartment. None of the "
    "statements should be about the same aspect."
)
NEGATIVE = (
    "The following are 80 positive statements about aspects of an apartment. For each, generate a "
    "corresponding negative statement that is the exact opposite. Make sure that all of the "
    "negative statements can coexist with positive statements that are not its direct "
    "correspondent."
)
NEUTRAL = (
    "The following are 80 {end} statements about aspects of an apartment. For each, generate a "
    "corresponding neutral statement that is about the same aspect, is {side} than the {end} "
    "version, but is not {other}. Make sure that all of the neutral statements can coexist with "
    "{end} statements that are not its direct correspondent."
)
"""F.1. It prints the beginning of the last two with dots."""

FORM = (
    "Write 80 lines, numbered from 1 to 80, each with one short sentence of at most 18 words, and "
    "nothing else."
)
"""Ours: without it nobody could tell which sentence belongs to which."""

_LINE = re.compile(r"^\s*(?:[-*]\s+)?\W{0,2}(\d{1,3})\s*[.):]\W{0,2}\s+(.*?)\s*$", re.MULTILINE)
_WRAPS = "*_\"“”'` "


STEPS = (("positive", ""), ("negative", "positive"), ("upper", "positive"), ("lower", "negative"))
"""What is made in which order, and of which statements."""

_WORDS = {
    "positive": POSITIVE,
    "negative": NEGATIVE,
    "upper": NEUTRAL.format(end="positive", side="worse", other="negative"),
    "lower": NEUTRAL.format(end="negative", side="better", other="positive"),
}


def prompt(level: str, made: Sequence[str]) -> str:
    """What is asked for the statements of a level; `made` are those that it is made of."""
    listed = (f"{number}. {text}" for number, text in enumerate(made, 1))
    return "\n".join((f"{_WORDS[level]} {FORM}", *listed))


def read_lines(level: str, reply: Reply) -> list[str]:
    """The 80 sentences of a reply. Raises MisstepError naming what is missing or too much."""
    place = f"{level} statements"
    if not reply.text.strip():
        raise MisstepError(f"{place}: the reply is empty (stopped: {reply.stop_reason})")
    found = [(int(number), text.strip(_WRAPS)) for number, text in _LINE.findall(reply.text)]
    numbers = [number for number, _ in found]
    if numbers != list(range(1, FEATURES + 1)):
        right = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], enumerate(numbers, 1)))
        at = min(right, FEATURES) + 1
        wrong = f"{numbers[at - 1]} stands there" if at <= len(numbers) else "nothing follows"
        cut = ", cut by the token limit" if reply.stop_reason == "max_tokens" else ""
        raise MisstepError(
            f"{place}: the reply has {len(numbers)} numbered lines{cut}, where lines 1 to "
            f"{FEATURES} were asked for; at line {at}, {wrong}"
        )
    return [text for _, text in found]


def made_features(lines: dict[str, list[str]], shared: tuple[str, ...]) -> Statements:
    """The file, not rated yet; features are named by their number."""
    rows = zip(*(lines[level] for level in LEVELS), strict=True)
    features = tuple(
        Feature(f"{number:02d}", tuple(Statement(text, None) for text in row))
        for number, row in enumerate(rows, 1)
    )
    return Statements(features, shared)
