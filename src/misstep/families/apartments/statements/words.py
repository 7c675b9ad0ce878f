"""The words that a feature turns on, so that two features on one aspect are found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]{3,}")
_ENDINGS = ("ings", "ing", "ies", "es", "ed", "ly", "s", "e")
_FEWEST = 2
"""Statements of one feature that hold a word for the feature to turn on it."""
_PLAIN = """
    about above after again all and another any are around been before behind below beside but
    can could did does down each eight else enough even ever every few five for four from had
    has have her here his how into its just less many may might more most much must near need
    neither next nine no nobody none nor not now off often once one only onto other our out over
    own per quite rather seven several shall should since six some such ten than that the their
    them then there these they this those three through too two under until very was well were
    what when where which while who whose will with within without would you your yourself
"""


@lru_cache(maxsize=1)
def _plain_words() -> frozenset[str]:
    return frozenset(_PLAIN.split())


def stem(word: str) -> str:
    """The word in small letters without a usual ending: "parking" and "parks" are one."""
    small = word.lower()
    for ending in _ENDINGS:
        if small.endswith(ending) and len(small) - len(ending) >= 3:
            return small[: -len(ending)]
    return small


def topics(texts: Iterable[str]) -> dict[str, str]:
    """The stems that two or more of the texts hold, each with the word as first written."""
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for text in texts:
        found = {stem(word): word for word in reversed(_WORD.findall(text))}
        for one, word in found.items():
            written.setdefault(one, word.lower())
        counts.update(sorted(found))
    return {
        one: written[one]
        for one, count in counts.items()
        if count >= _FEWEST and written[one] not in _plain_words()
    }


def plain(text: str) -> str:
    """The text's letters and digits alone: what two statements must not have in common."""
    return re.sub(r"[\W_]+", " ", text).strip().casefold()
