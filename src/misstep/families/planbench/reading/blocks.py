"""The part of a reply that holds an answer other than a plan, and what replies without one are."""

from __future__ import annotations

import re
from dataclasses import dataclass

from misstep.core.answers import Reading, ReadingState, words
from misstep.core.answers import read as read_words
from misstep.core.answers.refusals import CUT_SHORT
from misstep.core.outcomes import Reply

_MARK = re.compile(r"[*_`# \t]*\[answer\][*_`: \t]*", re.IGNORECASE)
_END = re.compile(r"\[(?:answer|plan)?\s*end\]|\[end of answer\]", re.IGNORECASE)
_NOTHING = words("\x00")
"""A vocabulary that no reply has an answer of: it tells refused, cut and empty replies apart."""


@dataclass(frozen=True)
class Block:
    """`text` begins at `start` in the reply. `is_marked`: the reply said where it begins."""

    text: str
    start: int
    is_marked: bool


def answer_block(reply: Reply) -> Block | None:
    """What follows the last [ANSWER] on a line of its own, else the first [ANSWER], up to the end
    marker; the whole text, up to its first end marker, where there is none.

    None for a reply that the token limit cut before the end marker.
    """
    text = reply.text
    marks = [mark for mark in _MARK.finditer(text) if text[mark.end() :].strip()]
    alone = [mark for mark in marks if "\n" in text[mark.end() - 1 : mark.end() + 1]]
    begin = next((mark.end() for mark in (*alone[-1:], *marks)), 0)
    closed = _END.search(text, begin)
    if closed is None and (reply.stop_reason or "").casefold() in CUT_SHORT:
        return None
    stop = closed.start() if closed else len(text)
    inner = _MARK.sub(lambda mark: " " * len(mark[0]), text[begin:stop])
    return Block(inner, begin, bool(marks))


def without_answer(reply: Reply) -> ReadingState:
    """Why nothing was answered: empty, refused, truncated or unparsed."""
    reading: Reading = read_words(reply.text, _NOTHING, reply.stop_reason)
    return reading.state
