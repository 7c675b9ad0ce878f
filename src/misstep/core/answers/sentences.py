"""Where sentences begin and end in plain text. Every look is bounded, so that reading is linear."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

REACH = 400
"""A sentence is followed this many characters to either side."""
_TAIL = 2000

_BREAK = re.compile(r"\n|[.!?]+[)]*(?=\s|$)|(?<=[a-z]{2})\.(?=[A-Z])")
_COURTESY = re.compile(
    r"\s*(?:please\s+)?(?:let me know|i hope (?:this|that)|hope (?:this|that)|feel free|"
    r"if you (?:have|need|want|would like)|thank you|thanks|is there anything|would you like|"
    r"(?:my )?confidence\b|i(?:'m| am) happy to|have a (?:nice|great)|good luck|end of)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]")
QUESTION = re.compile(r"\?[\s)]*$")


@dataclass(frozen=True)
class Stretch:
    """A sentence's place in the text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


def sentence_at(text: str, position: int) -> Stretch:
    """The sentence that `position` is in, its final mark included."""
    low = max(0, position - REACH)
    start = low
    for mark in _BREAK.finditer(text, low, position):
        start = mark.end()
    return Stretch(start, sentence_end(text, position))


def sentence_end(text: str, position: int) -> int:
    high = min(len(text), position + REACH)
    mark = _BREAK.search(text, position, high)
    return mark.end() if mark else high


def last_sentences(text: str) -> list[Stretch]:
    """The sentences of the last stretch of the text, in order; closing courtesies left out."""
    end = len(text.rstrip())
    low = max(0, end - _TAIL)
    cuts = [low, *(mark.end() for mark in _BREAK.finditer(text, low, end)), end]
    found = [Stretch(start, end) for start, end in itertools.pairwise(cuts)]
    spoken = [stretch for stretch in found if _WORD.search(text, stretch.start, stretch.end)]
    while len(spoken) > 1 and _COURTESY.match(text, spoken[-1].start, spoken[-1].end):
        spoken.pop()
    return spoken


def is_question(text: str, sentence: Stretch) -> bool:
    return QUESTION.search(sentence.of(text)) is not None
