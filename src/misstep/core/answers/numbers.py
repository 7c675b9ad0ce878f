"""Reading a number out of a reply: by what it asserts last, else by the extractor's own rules."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from misstep.core.answers.cues import CueKind, find_cues
from misstep.core.answers.markup import BOX, plain
from misstep.core.answers.reading import Reading, ReadingState, read
from misstep.core.answers.refusals import CUT_SHORT, FILTERED, is_refusal
from misstep.core.answers.sentences import last_sentences, sentence_end
from misstep.core.answers.thinking import cut_thinking
from misstep.core.answers.vocabulary import words

_NUMBER = re.compile(
    r"(?<![^\W\d_])(?<![\d.,])[-+]?"
    r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e[-+]?\d{1,3}\b|/\d+(?:\.\d+)?)?"
    r"|(?<![\w.])[-+]?\.\d+",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"\\[dt]?frac\s?\{(\d+)\}\{(\d+)\}")
_SEPARATED = re.compile(r"\d{1,3}(?:\{,\}\d{3})+")
_CONNECTIVE = re.compile(
    r"\b(?:is|are|was|were|be|equals?|makes?|gives?|get|yields?|leaves?|totals?|costs?|becomes?)\b"
    r"|(?<=\w)'s\b|=|:|→|≈",
    re.IGNORECASE,
)
_SECOND = re.compile(r"\s*(?:or|to|and|–)\s+[$€£¥]?\s*[-+]?\.?\d", re.IGNORECASE)
_NEVER = "no number whatsoever"
"""A word that keeps the vocabulary from being one of bare digits, which stand for options."""
_MOST = 400
"""Only the last so many numbers of a reply are looked at, which keeps hostile replies cheap."""


def value_of(text: str) -> float | None:
    """The value of a number as it is written ("1,234.50", "3/4", "$5", "12 %"), else None."""
    bare = plain(_without_latex(text)).strip().strip(" $€£¥%").strip()
    found = _NUMBER.fullmatch(bare)
    if found is None:
        return None
    above, _, below = bare.replace(",", "").partition("/")
    if below and float(below) == 0:
        return None
    value = float(above) / float(below) if below else float(above)
    return value if math.isfinite(value) else None


def read_number(reply: str, stop_reason: str | None = None) -> Reading:
    """The number that the reply gives as its answer, as it is written.

    What the sentence of the last announcement ("the answer to 7 - 4 is 3") or, without one, the
    last sentence leads to. After a correction, and where neither says any, it is what the
    extractor's rules find among the reply's numbers. Two numbers offered there: unparsed.
    """
    flat = _without_latex(reply)
    cut = cut_thinking(flat)
    text = plain(cut.text)
    numbers = dict.fromkeys([match[0] for match in _NUMBER.finditer(text)][-_MOST:])
    found = read(flat, words(*numbers, _NEVER), stop_reason)
    if not numbers or cut.is_unclosed or (stop_reason or "").casefold() in FILTERED:
        return found
    is_cut_short = (stop_reason or "").casefold() in CUT_SHORT
    said = _announced(text) or (None if is_cut_short else _last_said(text))
    if said is None or _is_taken_back(text, said):
        return found
    return found if is_refusal(text) and found.state is ReadingState.REFUSED else said


def _is_taken_back(text: str, said: Reading) -> bool:
    """Whether a correction follows, with a number in it."""
    end = said.span[1] if said.span else 0
    kinds = (CueKind.CORRECTION, CueKind.RETRACTION)
    later = [cue for cue in find_cues(text) if cue.kind in kinds and cue.start >= end]
    return any(_NUMBER.search(text, cue.end) for cue in later)


def _announced(text: str) -> Reading | None:
    """What the sentence of the last final announcement leads to."""
    cues = [cue for cue in find_cues(text) if cue.kind is CueKind.FINAL]
    for cue in reversed(cues):
        boxed = _NUMBER.search(text, cue.end, _line_end(text, cue.end))
        if text[cue.start] == BOX and boxed is not None:
            return _answered(boxed)
        end = max(sentence_end(text, cue.end), cue.end)
        said = _led_to(text, cue.start, end, is_last=False)
        if said is None:
            said = _first(text, cue.end, _line_end(text, cue.end))
        if said is not None:
            return said
    return None


def _last_said(text: str) -> Reading | None:
    """What the last sentence that has a number leads to; without a lead, its only number."""
    for sentence in reversed(last_sentences(text)):
        matches = list(_NUMBER.finditer(text, sentence.start, sentence.end))
        if not matches or _is_only_a_label(text, matches, sentence.start, sentence.end):
            continue
        said = _led_to(text, sentence.start, sentence.end, is_last=True)
        if said is not None:
            return said
        if len({match[0] for match in matches}) == 1:
            return _answered(matches[-1])
        span = (matches[0].start(), matches[-1].end())
        return Reading(ReadingState.UNPARSED, None, "several", span)
    return None


def _led_to(text: str, start: int, end: int, *, is_last: bool) -> Reading | None:
    """The number behind the last equals sign of a stretch, else behind its first or last verb."""
    leads = [
        (lead[0], number)
        for lead in _CONNECTIVE.finditer(text, start, end)
        if (number := _NUMBER.search(text, lead.end(), end)) is not None
        and (lead[0] != ":" or not re.search(r"\w", text[lead.end() : number.start()]))
    ]
    if not leads:
        return None
    equal = [number for word, number in leads if word == "="]
    chosen = equal[-1] if equal else leads[-1 if is_last else 0][1]
    return _one_of_two(text, chosen, end) or _answered(chosen)


def _first(text: str, start: int, end: int) -> Reading | None:
    match = _NUMBER.search(text, start, end)
    return None if match is None else _one_of_two(text, match, end) or _answered(match)


def _one_of_two(text: str, match: re.Match[str], end: int) -> Reading | None:
    """Unparsed, where another number is offered beside this one ("5 or 6")."""
    second = _SECOND.match(text, match.end(), end)
    if second is None:
        return None
    return Reading(ReadingState.UNPARSED, None, "several", (match.start(), second.end()))


def _is_only_a_label(text: str, matches: Sequence[re.Match[str]], start: int, end: int) -> bool:
    """Whether the only number is that of an entry in a list ("3. Check it.")."""
    if len(matches) != 1:
        return False
    before, after = text[start : matches[0].start()], text[matches[0].end() : end]
    return not re.search(r"\w", before) and bool(re.match(r"[.)]\s*[^\W\d]", after))


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _without_latex(reply: str) -> str:
    """Fractions, separators and minus signs as numbers have them; as long as before."""
    flat = _FRACTION.sub(lambda one: f"{one[1]}/{one[2]}".ljust(len(one[0])), reply)
    flat = _SEPARATED.sub(lambda one: one[0].replace("{,}", ",").ljust(len(one[0])), flat)
    return flat.replace("\u2212", "-")


def _answered(match: re.Match[str]) -> Reading:
    return Reading(ReadingState.ANSWERED, match[0], None, match.span())
