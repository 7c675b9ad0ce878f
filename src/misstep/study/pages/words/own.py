"""A study's own words for the page, held against the English ones (docs/study-words.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from misstep.core.errors import BadInput

LONGEST = 500
_NAME = re.compile(r"\{(\w*)\}")


@cache
def english() -> Mapping[str, str]:
    """All words by their keys; {names} stand for what the page puts there."""
    text = (files("misstep.study.pages.words") / "english.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def names_in(words: str) -> list[str]:
    """Each once, in the order of the alphabet."""
    return sorted(set(_NAME.findall(words)))


def differing(own: Mapping[str, str]) -> Mapping[str, str]:
    """Those that aren't the English ones. BadInput names the key: one that isn't known, a blank or
    long text, or other {names} than the English words have."""
    for key, words in own.items():
        if key not in english():
            near = get_close_matches(key, english(), n=1)
            said = f"did you mean {near[0]!r}?" if near else "docs/study-words.md lists all"
            raise BadInput(f"words.{key[:60]}: is none of the page's words; {said}")
        if not words.strip() or len(words) > LONGEST:
            raise BadInput(f"words.{key}: {words[:80]!r} is blank or over {LONGEST} long")
        wanted, found = names_in(english()[key]), names_in(words)
        if found != wanted:
            listed = ", ".join(f"{{{name}}}" for name in wanted) or "nothing in braces"
            raise BadInput(f"words.{key}: {words[:80]!r}: must hold {listed}, as in English")
    return {key: words for key, words in own.items() if words != english()[key]}
