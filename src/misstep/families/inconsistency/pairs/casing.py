"""The text care of the spec: a sentence as it stands inside another one.

No final stop, and a small first letter unless it begins "I", a name or an acronym. What is a name
is a guess from several signs, in the order of `_keeps_capital`.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from misstep.core.pictures import PLACE
from misstep.families.inconsistency.pairs.words import FORM, SELF, base, names, words_of

_END = re.compile(r"[\s.!…,;:]+$")
_ABBREVIATION = re.compile(r"(?:\b[^\W\d_]\.){2,}$")
_SLIP = re.compile(r"[A-Z]{2}(?!s$)[a-z]+")


@dataclass(frozen=True)
class Seen:
    """Words of a whole file inside its sentences: those with a capital more often than without,
    and those ever without one, as small letters."""

    raised: frozenset[str] = frozenset()
    small: frozenset[str] = frozenset()


NOTHING_SEEN = Seen()


def look_over(sentences: Iterable[str]) -> Seen:
    """How the file writes each word where no sentence begins."""
    raised: Counter[str] = Counter()
    small: Counter[str] = Counter()
    for sentence in sentences:
        raised.update(_raised_within(sentence))
        small.update(word for word in words_of(sentence) if word[0].islower())
    often = frozenset(word for word, count in raised.items() if count > small[word.lower()])
    return Seen(often, frozenset(small))


def _raised_within(sentence: str) -> list[str]:
    """Words with a capital after the first; of a heading, most of whose words have one, none."""
    inner = words_of(sentence)[1:]
    capitals = [base(word) for word in inner if word[0].isupper() and word not in SELF]
    return capitals if len(capitals) * 2 <= len(inner) else []


def tidy(sentence: str) -> str:
    """Plain spaces, no escapes of the web, no marks at the end; those of "U.S." stay."""
    text = " ".join(html.unescape(sentence).split())
    return text if _ABBREVIATION.search(text) else _END.sub("", text)


def strange_sign(text: str) -> str | None:
    """The first sign that nobody would see, or that a question holds a picture by; else None."""
    return next((sign for sign in text if sign == PLACE or not sign.isprintable()), None)


def inside(sentence: str, other: str = "", seen: Seen = NOTHING_SEEN) -> str:
    """The sentence as part of another; `other` is the pair's second, which may show a name."""
    text = tidy(sentence)
    words = words_of(text)
    if not words or not words[0][0].isupper():
        return text
    if len(words) > 1 and text.isupper():
        return _calmed(text)
    first = words[0]
    if _keeps_capital(text, words, other, seen):
        return text
    at = text.index(first)
    lowered = first.lower() if _SLIP.fullmatch(first) or first.isupper() else _lowered(first)
    return text[:at] + lowered + text[at + len(first) :]


def _keeps_capital(text: str, words: list[str], other: str, seen: Seen) -> bool:
    """First what is sure, then the lists, then what the file, the pair and the next word show; a
    possessive of a word that the file never writes small is a name's."""
    first, name = words[0], base(words[0])
    if first in SELF:
        return True
    if name.lower() in FORM or _SLIP.fullmatch(first):
        return False
    if sum(letter.isupper() for letter in first) > 1 or name in names() or name in seen.raised:
        return True
    if _opens_title(text, words):
        return True
    if name.lower() in seen.small:
        return False
    return (
        name != first
        or name in _raised_within(other)
        or other.startswith((name + "'s", name + "’s"))
    )


def _opens_title(text: str, words: list[str]) -> bool:
    """Whether the next word has a capital of no known reason: "Loire Valley", "Peel Edgerton"."""
    if len(words) < 2 or f"{words[0]} {words[1]}" not in text:
        return False
    following = words[1]
    if following in SELF or base(following) in names():
        return False
    return following[0].isupper() and not following.isupper()


def _lowered(word: str) -> str:
    return word[:1].lower() + word[1:]


def _calmed(text: str) -> str:
    """A sentence all in capitals in small letters, "I" apart."""
    return " ".join(word if word in SELF else word.lower() for word in text.split())
