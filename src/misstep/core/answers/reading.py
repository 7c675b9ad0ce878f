"""The extractor: reply text → what was answered, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from misstep.core.answers.assertions import Claim, explicit_claims, sole_claim
from misstep.core.answers.cues import CueKind
from misstep.core.answers.denial import alternatives
from misstep.core.answers.markup import plain
from misstep.core.answers.mentions import Mention, find_mentions, stands_after, stands_as_sentence
from misstep.core.answers.refusals import CUT_SHORT, FILTERED, find_abstention, is_refusal
from misstep.core.answers.sentences import Stretch, is_question, last_sentences, sentence_end
from misstep.core.answers.thinking import cut_thinking
from misstep.core.answers.vocabulary import Vocabulary


class ReadingState(StrEnum):
    ANSWERED = "answered"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    EMPTY = "empty"


@dataclass(frozen=True)
class Reading:
    """What a reply says: `answer` and `span` (start, end in the reply) where it was answered."""

    state: ReadingState
    answer: str | None = None
    reason: str | None = None
    span: tuple[int, int] | None = None


def read(reply: str, vocabulary: Vocabulary, stop_reason: str | None = None) -> Reading:
    """Read one reply. `reason` is several, none or all where the reply refused to choose.

    `stop_reason` is the runner's or the provider's word for why the reply ended.
    """
    stopped = (stop_reason or "").casefold()
    if stopped in FILTERED:
        return Reading(ReadingState.REFUSED)
    cut = cut_thinking(reply)
    if cut.is_unclosed:
        return Reading(ReadingState.TRUNCATED)
    text = plain(cut.text)
    is_cut_short = stopped in CUT_SHORT
    if not text.strip():
        return Reading(ReadingState.TRUNCATED if is_cut_short else ReadingState.EMPTY)
    claim = _decide(text, vocabulary, is_cut_short=is_cut_short)
    return _judge(text, claim, is_cut_short=is_cut_short)


def _judge(text: str, claim: Claim | None, *, is_cut_short: bool) -> Reading:
    if claim is not None and claim.answer is not None:
        return Reading(ReadingState.ANSWERED, claim.answer, None, claim.span)
    if is_refusal(text):
        return Reading(ReadingState.REFUSED)
    if claim is not None and not (is_cut_short and claim.kind is not CueKind.FINAL):
        return Reading(ReadingState.UNPARSED, None, claim.reason, claim.span)
    return Reading(ReadingState.TRUNCATED if is_cut_short else ReadingState.UNPARSED)


def _decide(text: str, vocabulary: Vocabulary, *, is_cut_short: bool) -> Claim | None:
    """The rules in their order; None where nothing is asserted."""
    sentences = last_sentences(text)
    only = _whole_reply(text, vocabulary, sentences)
    if only is not None:
        return only
    opening = _opening(text, vocabulary)
    claims, is_retracted = explicit_claims(text, vocabulary, opening.answer if opening else None)
    last = None if is_cut_short else _closing(text, vocabulary, sentences)
    closes_alone = None if is_cut_short else _last_alone(text, vocabulary, sentences)
    finals = [claim for claim in claims if claim.kind is CueKind.FINAL]
    if closes_alone is not None:
        finals.append(closes_alone)
    if finals:
        return max(finals, key=lambda claim: claim.span[0])
    if is_retracted:
        return last or (claims[-1] if claims else None)
    return _without_final(text, vocabulary, opening, claims, last)


def _without_final(
    text: str,
    vocabulary: Vocabulary,
    opening: Claim | None,
    said: Sequence[Claim],
    last: Claim | None,
) -> Claim | None:
    """Rule 3: the first word, else the last thing said, else the last sentence."""
    if opening is not None:
        return opening
    latest = said[-1] if said else None
    if last is not None and last.answer is None:
        within = [claim for claim in said if last.span[0] - 80 <= claim.span[0] <= last.span[1]]
        if within and len({claim.answer for claim in within}) == 1:
            return within[-1]
    if last is not None and (latest is None or last.span[1] >= latest.span[0]):
        return last
    return latest or _opening_abstention(text, vocabulary)


def _opening_abstention(text: str, vocabulary: Vocabulary) -> Claim | None:
    start = _OPENER.match(text)
    begin = start.end() if start else 0
    end = sentence_end(text, begin)
    found = find_abstention(text, vocabulary, begin, end, opens=True)
    return _abstained(found.reason, found.start, found.end) if found else None


def _abstained(reason: str, start: int, end: int) -> Claim:
    return Claim(None, reason, (start, end), CueKind.SAID)


_SHORT = 300


def _alone(text: str, vocabulary: Vocabulary, sentence: Stretch) -> Claim | None:
    """The answer that is all of a sentence, label and punctuation apart."""
    if sentence.end - sentence.start > _SHORT:
        return None
    for mention in find_mentions(text, vocabulary, sentence.start, sentence.end):
        before = text[sentence.start : mention.label_start]
        after = text[mention.end : sentence.end]
        if _LEAD.fullmatch(before) and not re.search(r"[^\W_]", after):
            return Claim(mention.answer, None, mention.span, CueKind.FINAL)
        return None
    return None


_LEAD = re.compile(
    r"[\W_]*(?:(?:so|therefore|thus|hence|then|and|final|finally|overall|result|conclusion|"
    r"the|a|it's|it is|it|is|definitely|in conclusion|answer)\b[\W_]*){0,5}",
    re.IGNORECASE,
)


def _whole_reply(text: str, vocabulary: Vocabulary, sentences: Sequence[Stretch]) -> Claim | None:
    """A reply that consists of answers only: the one, or `several` if they differ."""
    if len(text.strip()) > _SHORT or not sentences:
        return None
    alone = [_alone(text, vocabulary, sentence) for sentence in sentences]
    answers = [claim for claim in alone if claim is not None]
    if len(answers) == len(sentences):
        if len({claim.answer for claim in answers}) == 1:
            return answers[0]
        return _abstained("several", answers[0].span[0], answers[-1].span[1])
    mentions = find_mentions(text, vocabulary, sentences[0].start, sentences[-1].end)
    are_bare = len(sentences) == 1 and not _SPOKEN.search(_without(text, mentions))
    if mentions and are_bare and alternatives(text, mentions) == set(mentions):
        return _abstained("several", mentions[0].start, mentions[-1].end)
    return None


_SPOKEN = re.compile(r"\b(?!and\b|or\b|either\b|both\b|class\b|maybe\b)[^\W_]+", re.IGNORECASE)


def _without(text: str, mentions: Sequence[Mention]) -> str:
    pieces, kept_from = [], 0
    for mention in mentions:
        pieces.append(text[kept_from : mention.label_start])
        kept_from = mention.end
    return " ".join([*pieces, text[kept_from:]])


_OPENER = re.compile(
    r"(?:[\s.,:;!(—–-]++|\b(?:sure|okay|ok|well|hmm+|certainly|of course|alright|so|thank you|"
    r"thanks|"
    r"great question|good question|absolutely|based on (?:this|that)|i see|uh|um|let's see|"
    r"bitte(?: sch(?:ö|oe)n)?|gerne|claro|por supuesto|bien s(?:û|u)r|voil(?:à|a)|ja gerne|"
    r"here is my answer|here's my answer|here you go|hello|hi)\b){0,12}",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s*([.):])")


def _opening(text: str, vocabulary: Vocabulary) -> Claim | None:
    """The first word, where it is an answer that stands as a sentence."""
    opener = _OPENER.match(text)
    start = opener.end() if opener else 0
    mentions = find_mentions(text, vocabulary, start, sentence_end(text, start))
    if not mentions or mentions[0].label_start != start:
        return None
    first = mentions[0]
    if first in alternatives(text, mentions) or not stands_as_sentence(text, first):
        return None
    if _declines(text, first.span):
        return None
    if not stands_after(text, first) or _is_list_label(text, vocabulary, first):
        return None
    if is_question(text, Stretch(start, sentence_end(text, start))):
        return None
    return Claim(first.answer, None, first.span, CueKind.SAID)


def _declines(text: str, span: tuple[int, int]) -> bool:
    """Whether the sentence that the word opens refuses the task ("No, I can't help with that")."""
    said = text[span[0] : span[1]].casefold()
    return said in ("yes", "no") and is_refusal(text[span[1] : span[1] + 120].split("\n")[0])


def _is_list_label(text: str, vocabulary: Vocabulary, label: Mention) -> bool:
    """Whether the word only labels one entry of a list of the options ("A: low, B: high")."""
    mark = _LISTED.match(text, label.end)
    if mark is None or label.answer.casefold() in ("yes", "no"):
        return False
    around = find_mentions(
        text, vocabulary, max(0, label.start - 4000), min(len(text), label.end + 4000)
    )
    for other in around:
        same_mark = _LISTED.match(text, other.end)
        if other.answer == label.answer or same_mark is None or same_mark[1] != mark[1]:
            continue
        if _begins_line(text, other) or (mark[1] != "." and other.start > label.start):
            return True
    return False


def _begins_line(text: str, mention: Mention) -> bool:
    line = text[max(0, mention.label_start - 12) : mention.label_start].split("\n")[-1]
    return not line.strip(" -*•(")


_LIST_ITEM = re.compile(r"[ \t]*(?:[-•+*–|]|\d{1,2}[.)])[ \t]*\S")


def _closing(text: str, vocabulary: Vocabulary, sentences: Sequence[Stretch]) -> Claim | None:
    """What the last sentence asserts, or that it refuses to choose."""
    if not sentences:
        return None
    last = sentences[-1]
    if is_question(text, last) or _is_list_entry(text, last):
        return None
    mentions = find_mentions(text, vocabulary, last.start, last.end)
    begins = bool(mentions) and _begins_line(text, mentions[0])
    if begins and _is_list_label(text, vocabulary, mentions[0]):
        return None
    claim = sole_claim(text, vocabulary, last)
    if claim is not None:
        return None if _declines(text, claim.span) else claim
    found = find_abstention(text, vocabulary, last.start, last.end)
    if found is not None:
        return _abstained(found.reason, found.start, found.end)
    offered = alternatives(text, mentions)
    if offered and not _INSTRUCTION.search(last.of(text)):
        spans = sorted(mention.span for mention in offered)
        return _abstained("several", spans[0][0], spans[-1][1])
    return None


_INSTRUCTION = re.compile(
    r"\b(?:should|must|please|need to|have to|asked to|going to|supposed to|want me to|only)\s+"
    r"(?:\w+\s+){0,2}(?:answer|respond|reply|say|choose|decide|pick|select)\b|\bwhether\b",
    re.IGNORECASE,
)


def _is_list_entry(text: str, last: Stretch) -> bool:
    """Whether the sentence is the last of several list entries or table rows."""
    lines = text[max(0, last.start - 600) : last.end].rstrip().split("\n")
    spoken = [line for line in lines if line.strip()]
    return len(spoken) > 1 and all(_LIST_ITEM.match(line) for line in spoken[-2:])


def _last_alone(text: str, vocabulary: Vocabulary, sentences: Sequence[Stretch]) -> Claim | None:
    """The answer that is all of the last line or sentence, unless it replies to a question."""
    if len(sentences) < 2:
        return None
    last, before = sentences[-1], sentences[-2]
    claim = _alone(text, vocabulary, last)
    if claim is None or is_question(text, last) or _is_list_entry(text, last):
        return None
    shares_line = "\n" not in text[before.end : claim.span[0]] and not before.of(text).endswith(
        "\n"
    )
    return None if shares_line and is_question(text, before) else claim
