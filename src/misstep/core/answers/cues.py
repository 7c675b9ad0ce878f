"""The words that announce an answer: "final answer:", an answer box, "I choose", "wait, no:"."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from misstep.core.answers.markup import BOX
from misstep.core.answers.sentences import sentence_at

_MOST = 150
"""Only the last so many cues of a kind are looked at, which keeps hostile replies cheap."""
_MOST_NOUNS = 2000
_LAST_PART = 40_000
"""Cues that are not final ones are looked for only in so many last characters."""


class CueKind(Enum):
    FINAL = "final"  # "Answer: X", a box: wins over everything else
    SAID = "said"  # "I would go with X", "so X": wins unless the last sentence says otherwise
    AFTER = "after"  # "X is the best choice": the answer stands before
    WRONG = "wrong"  # "X is wrong": takes X back if it was said before
    CORRECTION = "correction"  # "Wait, no: X"
    RETRACTION = "retraction"  # "scratch that"


@dataclass(frozen=True)
class Cue:
    """`end` is where the announced answer may begin (where it must end, for AFTER and WRONG)."""

    kind: CueKind
    start: int
    end: int


_NOUN = (
    r"answers?|conclusion|verdict|decision|prediction|guess|selection|final|choice|pick|"
    r"judg(?:e)?ment|"
    r"classification|antwort|respuesta|réponse|reponse|resposta|risposta|ответ"
)
# A thing that may be the answer when it is called the right one.
_THING = (
    r"options?|images?|pictures?|photos?|candidates?|persons?|faces?|apartments?|class|letter|"
    r"match|markings?|mark|level|height|label|category|one|solution|fit|number|response|"
    r"vehicle class"
)
_RIGHT = (
    r"(?:correct|right|best|matching|closest|ideal|optimal|preferred|recommended|top|winning|"
    r"chosen|"
    r"selected|same|likeliest|strongest|appropriate|proper|better|final|suitable|"
    r"(?:most|more) [a-z]{3,20}|highest[a-z-]{0,10})"
)
_CONNECTED = (
    r"[ \t]*(?:\([^()\n]{0,60}\)[ \t]*)?"
    r"(?:,[^,:.\n]{0,60},[ \t]*)?"
    r"(?:\b(?:to|for|of|about|here|in|based|on|regarding|from|among|that|which|as|i|given|with|"
    r"between)"
    r"\b[^.:;?\n]{0,120}?)?"
    r"[ \t]*(?::|=|→|—|–|-(?=\s)|\n|\b(?:is|are|was|would be|will be|should be|must be|has to be|"
    r"can only be|remains|becomes|seems to be|appears to be|might be|may be|could be|"
    r"lautet|ist|es|est|é|è)\b|是|为|は|isn't|is(?=n't))"
)
_NOT_FINAL = re.compile(
    r"\b(?:wrong|incorrect|previous|initial|earlier|other|first|another|possible|tempting|one|"
    r"intuitive|naive|expected|sample|example|alternative|original|each|every|whether|if|unless|"
    r"suppose|assuming|unlikely|no|not|second|whose|any)\s+(?:(?:that|the|my|your)\s+)?"
    rf"(?:{_RIGHT}\s+)?$",
    re.IGNORECASE,
)
_FINAL = re.compile(
    rf"(?:{BOX}|(?:\b(?:{_NOUN})|答案|回答|答え|정답)(?:\s+answer)?)", re.IGNORECASE
)
_FINAL_CONNECTION = re.compile(_CONNECTED, re.IGNORECASE)
_BARE_ANSWER = re.compile(
    r"(?m:^)[ \t]*(?:final[ \t]+|my[ \t]+)?answer[ \t]+"
    r"(?=\(?(?:[A-Za-z]|\d|yes|no)\)?[ \t]*(?:[.,!]|$))",
    re.IGNORECASE | re.MULTILINE,
)
_RIGHT_THING = re.compile(
    rf"\b{_RIGHT}[ \t]+(?:[a-z]{{3,14}}[ \t]+)?(?:{_THING})(?={_CONNECTED})", re.IGNORECASE
)
_VERB = re.compile(
    r"\b(?:choose|pick|select|go with|going with|went with|vote for|vote|opt for|settle on|"
    r"settle for|"
    r"lean(?:ing)? toward(?:s)?|lean|leaning|guess(?: is)?|say|answer(?: with)?|respond(?: with)?|"
    r"conclude(?: that)?|classify (?:it|this|the vehicle|this vehicle|this one) as|"
    r"(?:assign|label|categori[sz]e) (?:it|this|the vehicle|this vehicle) (?:as|to)|"
    r"predict(?: that)?|recommend|"
    r"prefer|think|believe|choosing|picking|selecting|chose|picked|selected|bet on|assume)\b",
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"(?:^|[.,:;!?)\n—–-]|\b(?:i|we|i'd|i'll|i'm|we'd|we'll|let's|let me|to|must|so|therefore|"
    r"thus|hence|"
    r"please))"
    r"(?:\s+(?:would|will|have|had|am|are|to|must|can|may|might|should|could|shall|therefore|thus|"
    r"hence|still|now|also|definitely|probably|rather|just|confidently|be|do|then|say|make|a|"
    r"going|inclined|forced|personally|strongly|ultimately|finally)){0,4}\s*$",
    re.IGNORECASE,
)
_SUBJECT_IS = re.compile(
    r"\b(?:it's|it is|that's|that is|this is|(?:this|it|that|the (?:vehicle|car|given|described|"
    r"new|"
    r"current|matching|original|same|target|person|water|glass|next)(?:[ \t]+[a-z]{3,10}){0,2}|"
    r"this (?:[a-z]{3,10}[ \t]+)?(?:vehicle|one|car|string|person)|they|i)[ \t]+"
    r"(?:(?:is|would|will|should|must|can|may|might|could|seems?|appears?|likely|most|more|"
    r"probably|therefore|thus|also)[ \t]+){0,4}"
    r"(?:is|be|belongs?(?: to| in)?|falls?(?: into| under| in)?|fits?(?: into| in)?|classified as|"
    r"match(?:es)?|corresponds? to|likely|goes (?:in|into|to|with)|filled to|resembles?|"
    r"represents?))"
    r"(?=[ \t\n:])",
    re.IGNORECASE,
)
_THEREFORE = re.compile(
    r"(?:^|(?<=[.!?\n,;]))[ \t]*(?:and |but )?(?:so|therefore|thus|hence|in conclusion|to conclude|"
    r"in summary|overall|ultimately|consequently|finally|final|result|in short|in the end|"
    r"all in all|"
    r"this means|that means|which means|conclusively|accordingly|∴)\b[ \t]*[,:—–-]?",
    re.IGNORECASE | re.MULTILINE,
)
_AFTER = re.compile(
    rf"\b(?:is|are|was|would be|seems|looks|appears|as|shows|depicts|remains|stands out as|has|"
    rf"offers|"
    r"provides|must be|should be|feels|comes out as|emerges as)[ \t]+"
    r"(?:(?:indeed|clearly|likely|probably|definitely|to be|most|the|my|a|an|also|therefore|thus|"
    r"our|slightly|overall|by far|very|still|like|his|her)[ \t]+){0,4}"
    rf"(?:{_RIGHT}|match|winner|answer|one|same|choice|pick|it)\b|\bmatches\b|\bit is\b|\bwins\b",
    re.IGNORECASE,
)
_WRONG = re.compile(
    r"\b(?:is|was|seems|looks|can)(?:[ \t]+(?:actually|clearly|also|probably|in fact))?"
    r"(?:n't[ \t]+|[ \t]+(?:not[ \t]+)?)(?:wrong|incorrect|right|correct|the answer|be right|"
    r"be correct|a mistake)\b",
    re.IGNORECASE,
)
_RIGHT_AFTER_ALL = re.compile(
    r"(?:is|was|seems|looks|can)\s+(?:\w+\s+)?(?:right|correct|the answer)$", re.I
)
_CORRECTION = re.compile(
    r"\b(?:wait|actually|correction|i mean|i meant|on second thoughts?|make that|or rather|oops|"
    r"hold on|sorry|scratch that|no(?=\s*[,:;.!—–-])|my mistake|rather(?! than)|on reflection|"
    r"upon reflection|edit|"
    r"change (?:that|it|my answer)(?: from \w{1,9})? to|instead(?! of)|should be|"
    r"correct(?:ed)? to)\b"
    r"(?=[\s,.:;!?—–-])",
    re.IGNORECASE,
)
_RETRACTION = re.compile(
    r"\b(?:scratch that|i take that back|strike that|"
    r"(?:wait|oops|hmm+|hold on|actually|no|sorry)\b[^\n]{0,25}?\b(?:that|this|it)(?:'s| is| was|"
    r" can't be| cannot be| isn't) (?:wrong|incorrect|not right|not correct|right|a mistake|"
    r"an error)|"
    r"i (?:made|was) (?:a mistake|an error|wrong|mistaken))\b",
    re.IGNORECASE,
)


def find_cues(text: str) -> list[Cue]:
    """The cues by position: the final ones of the whole text, the others of its last part."""
    low = max(0, len(text) - _LAST_PART)
    found = [*_finals(text), *_sayings(text, low), *_simple(text, low)]
    return sorted(found, key=lambda cue: (cue.start, cue.end))


def _last(
    pattern: re.Pattern[str], text: str, low: int = 0, most: int = _MOST
) -> deque[re.Match[str]]:
    return deque(pattern.finditer(text, low), maxlen=most)


def _finals(text: str) -> Iterator[Cue]:
    found: deque[Cue] = deque(maxlen=_MOST)
    for match in _last(_FINAL, text, most=_MOST_NOUNS):
        end = match.end() if match[0] == BOX else _connection_end(text, match)
        if end is not None and not _NOT_FINAL.search(
            text[max(0, match.start() - 40) : match.start()]
        ):
            found.append(Cue(CueKind.FINAL, match.start(), end))
    yield from found
    for match in _last(_BARE_ANSWER, text):
        yield Cue(CueKind.FINAL, match.start(), match.end())


def _connection_end(text: str, match: re.Match[str]) -> int | None:
    """Where the colon or verb behind a noun ends; None if the noun announces nothing."""
    connection = _FINAL_CONNECTION.match(text, match.end())
    return connection.end() if connection else None


def _sayings(text: str, low: int) -> Iterator[Cue]:
    for match in _last(_RIGHT_THING, text, low):
        end = _connection_end(text, match)
        if end is not None and not _NOT_FINAL.search(
            text[max(0, match.start() - 40) : match.start()]
        ):
            yield Cue(CueKind.SAID, match.start(), end)
    for match in _last(_VERB, text, low):
        start = max(sentence_at(text, match.start()).start, match.start() - 80)
        if _SPEAKER.search(text[start : match.start()]):
            yield Cue(CueKind.SAID, match.start(), match.end())
    for pattern in (_SUBJECT_IS, _THEREFORE):
        for match in _last(pattern, text, low):
            yield Cue(CueKind.SAID, match.start(), match.end())


def _simple(text: str, low: int) -> Iterator[Cue]:
    for match in _last(_AFTER, text, low):
        yield Cue(CueKind.AFTER, match.start(), match.start())
    for match in _last(_WRONG, text, low):
        is_praise = _RIGHT_AFTER_ALL.fullmatch(match[0]) and " not " not in match[0]
        yield Cue(CueKind.AFTER if is_praise else CueKind.WRONG, match.start(), match.start())
    for match in _last(_CORRECTION, text, low):
        yield Cue(CueKind.CORRECTION, match.start(), match.end())
    for match in _last(_RETRACTION, text, low):
        yield Cue(CueKind.RETRACTION, match.start(), match.end())
