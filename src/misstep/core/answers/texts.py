"""Reading an answer in free words out of a reply, to be held against the words that are right."""

from __future__ import annotations

import re
from collections.abc import Sequence

from misstep.core.answers.cues import CueKind, find_cues
from misstep.core.answers.markup import plain
from misstep.core.answers.reading import Reading, ReadingState, read
from misstep.core.answers.refusals import CUT_SHORT, FILTERED, is_refusal
from misstep.core.answers.thinking import cut_thinking
from misstep.core.answers.vocabulary import words

# Marks that carry meaning stay: the sign of -5, the point of .5, "C++", "C#", "40 %".
_EDGES = re.compile(
    r"""^(?:[\s"'“”‘’„«»()\[\]{},;:!?…*_`#>~|•–—]|[-.](?![.]?\d))+"""
    r"""|(?:[\s"'“”‘’„«»()\[\]{}.,;:!?…*_`~|–—]|(?<=\s)-)+$"""
)
_LONGEST = 300
"""A last line of more characters is no answer but the end of an explanation."""


def same_words(text: str) -> str:
    """The text without case, decoration, punctuation at its edges, and breaks between words."""
    return _EDGES.sub("", " ".join(plain(text).split())).casefold()


def read_exact(reply: str, accepted: Sequence[str], stop_reason: str | None = None) -> Reading:
    """The answer that the reply gives, as one of the accepted where it is one of them.

    The whole reply, or what follows its last announcement ("The answer is ..."), else its last
    line. Another text is an answer, too, and a wrong one.
    """
    stopped = (stop_reason or "").casefold()
    cut = cut_thinking(reply)
    text = plain(cut.text)
    if stopped in FILTERED or cut.is_unclosed or not text.strip():
        return read(reply, words(*accepted), stop_reason)
    begin = len(text) - len(text.lstrip())
    whole = (begin, len(text.rstrip()))
    said = _announced(text)
    for span in (whole, said):
        known = None if span is None else _accepted(text[span[0] : span[1]], accepted)
        if known is not None:
            return Reading(ReadingState.ANSWERED, known, None, span)
    return _another(text, said, accepted, is_cut_short=stopped in CUT_SHORT)


def _another(
    text: str, said: tuple[int, int] | None, accepted: Sequence[str], *, is_cut_short: bool
) -> Reading:
    if said is None and is_refusal(text):
        return Reading(ReadingState.REFUSED)
    if said is None and is_cut_short:
        return Reading(ReadingState.TRUNCATED)
    span = said or _last_line(text)
    words_there = text[span[0] : span[1]]
    if said is None and len(words_there) > max(_LONGEST, *map(len, accepted)):
        return Reading(ReadingState.UNPARSED)
    known = _accepted(words_there, accepted)
    return Reading(ReadingState.ANSWERED, known or " ".join(words_there.split()), None, span)


def _accepted(text: str, accepted: Sequence[str]) -> str | None:
    said = same_words(text)
    return next((one for one in accepted if same_words(one) == said), None)


def _announced(text: str) -> tuple[int, int] | None:
    """What stands behind the last final announcement, to the end of its line."""
    cues = [cue for cue in find_cues(text) if cue.kind is CueKind.FINAL]
    if not cues:
        return None
    begin = cues[-1].end
    begin += len(text[begin:]) - len(text[begin:].lstrip())
    end = text.find("\n", begin)
    end = len(text) if end < 0 else end
    return (begin, end) if text[begin:end].strip(" .:") else None


def _last_line(text: str) -> tuple[int, int]:
    end = len(text.rstrip())
    begin = text.rfind("\n", 0, end) + 1
    begin += len(text[begin:end]) - len(text[begin:end].lstrip())
    return begin, end
