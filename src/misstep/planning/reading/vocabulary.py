"""The words around a plan, from `phrases.toml`, as compiled searches."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources


@cache
def _phrases() -> dict[str, list[str]]:
    text = resources.files(__package__).joinpath("phrases.toml").read_text("utf-8")
    found: dict[str, list[str]] = tomllib.loads(text)
    return found


@cache
def words_of(group: str) -> frozenset[str]:
    """The group's phrases as they stand."""
    return frozenset(_phrases()[group])


@cache
def anywhere(group: str) -> re.Pattern[str]:
    """Finds a phrase of the group in lower-case text."""
    return re.compile(r"(?<![\w])(?:" + _either(group) + r")(?![\w])")


@cache
def at_start(group: str) -> re.Pattern[str]:
    """Finds a phrase of the group at the text's beginning."""
    return re.compile(r"\s*(?:" + _either(group) + r")(?![\w'])[\s,:]*", re.IGNORECASE)


def _either(group: str) -> str:
    longest = sorted(_phrases()[group], key=len, reverse=True)
    return "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in longest)
