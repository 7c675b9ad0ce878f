"""Sentences that say there is no plan, or nothing to do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources

from misstep.planning.reading.tidy import Line

_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_LONGEST_SENTENCE = 600
_SHORTEST = 2
_BRACKETED = 4
_AFTER = 40
"""So many characters after what was found still belong to it."""


@cache
def _patterns(group: str) -> re.Pattern[str]:
    text = resources.files(__package__).joinpath("endings.toml").read_text("utf-8")
    return re.compile("|".join(f"(?:{pattern})" for pattern in tomllib.loads(text)[group]))


def last_withdrawal(lines: Sequence[Line]) -> int:
    """The number of the last line that says no plan exists or gives up; 0 where none does."""
    return _last(lines, "no_plan", "less")


def last_nothing_to_do(lines: Sequence[Line]) -> int:
    """The number of the last line that says the goal already holds; 0 where none does."""
    return _last(lines, "nothing_to_do", "partly")


def _last(lines: Sequence[Line], group: str, but_not: str) -> int:
    hint, wanted, unwanted = _patterns(f"{group}_hints"), _patterns(group), _patterns(but_not)
    for line in reversed(lines):
        if len(line.text) < _SHORTEST or not hint.search(line.text.lower()):
            continue
        for sentence in _sentences(line):
            found = wanted.search(sentence)
            if found and not unwanted.search(sentence, 0, found.end() + _AFTER):
                return line.number
    return 0


def _sentences(line: Line) -> Iterator[str]:
    for sentence in _SENTENCE.split(line.text.lower()):
        whole = sentence if len(sentence) <= _BRACKETED else sentence.strip("() ")
        yield whole[:_LONGEST_SENTENCE]
