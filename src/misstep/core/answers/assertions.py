"""What a reply asserts: the answer that a cue announces, and the answers a sentence asserts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from misstep.core.answers.cues import Cue, CueKind, find_cues
from misstep.core.answers.denial import alternatives, is_denied, side_clauses
from misstep.core.answers.mentions import Mention, find_mentions, stands_after, stands_before
from misstep.core.answers.refusals import find_abstention
from misstep.core.answers.sentences import Stretch, is_question, sentence_at, sentence_end
from misstep.core.answers.vocabulary import Vocabulary


@dataclass(frozen=True)
class Claim:
    """An answer asserted, or (`answer` None) a choice refused with a `reason`."""

    answer: str | None
    reason: str | None
    span: tuple[int, int]
    kind: CueKind


# What may stand between a cue and its answer: "Answer: the correct option is most likely X".
_GAP = re.compile(
    r"(?:[\s:=(.,#>→—–\ue000|-]++|\b(?:definitely|clearly|likely|most|more|probably|simply|"
    r"indeed|still|"
    r"therefore|thus|then|that|the|it|is|it's|to|be|a|an|my|as|in|with|for|of|this|vehicle|sure|"
    r"answer|final|correct|best|right|choice|option|option is|just|actually|rather|category|"
    r"either|now|definite|resounding|clear|firm|strong|tentative|would|should|will|also|must|"
    r"apparently|perhaps|maybe|so|based|on|image|person|"
    r"shown|matching|one|number|following|ok|okay|well|hmm|let's|go|say|going|i'd|i|type|"
    r"apartment|candidate|marking|not|belongs?|toward|towards|up|level|marked|labeled|labelled|"
    r"height|at|position|line|select|choose|pick|think|believe|guess|would|same|no|wait|sorry|"
    r"isn't|n't)\b){0,24}",
    re.IGNORECASE,
)
_REACH_BACK = 60
_BACK_GAP = re.compile(
    r"[\s).,:-]*(?:\b(?:therefore|thus|clearly|definitely|indeed|also|still|then|overall|here|"
    r"probably|likely|really)\b[\s,]*){0,2}"
)
_QUOTED_INSTRUCTION = re.compile(
    r"\b(?:only|must|should|please|asked|need(?:s)?|has|have|required|supposed|options?|choices?|"
    r"whether|between|deciding|decide|determine|with|as|if|format)\b[^.\n]{0,60}$",
    re.IGNORECASE,
)


def explicit_claims(
    text: str, vocabulary: Vocabulary, opening: str | None
) -> tuple[list[Claim], bool]:
    """The claims that stand, in order, and whether one was taken back after the last.

    `opening` is the answer that opens the reply, which a later "wait, no" may be about.
    """
    claims: list[Claim] = []
    is_retracted = False
    for cue in find_cues(text):
        if cue.kind is CueKind.RETRACTION:
            is_retracted = is_retracted or bool(claims) or opening is not None
            claims = []
            continue
        claim = _claim(text, vocabulary, cue, claims, opening)
        if claim is None:
            continue
        if cue.kind is not CueKind.WRONG:
            claims.append(claim)
        elif (claims[-1].answer if claims else opening) == claim.answer:
            claims, is_retracted = [], True
    return claims, is_retracted


def _claim(
    text: str, vocabulary: Vocabulary, cue: Cue, earlier: Sequence[Claim], opening: str | None
) -> Claim | None:
    sentence = sentence_at(text, cue.start)
    if cue.kind in (CueKind.AFTER, CueKind.WRONG):
        return _claim_before(text, vocabulary, cue, sentence)
    if cue.kind is CueKind.CORRECTION:
        said = earlier[-1].answer if earlier else opening
        return _corrected(text, vocabulary, cue, said)
    return _announced(text, vocabulary, cue, sentence)


def _claim_before(text: str, vocabulary: Vocabulary, cue: Cue, sentence: Stretch) -> Claim | None:
    start = max(sentence.start, cue.start - _REACH_BACK)
    mentions = find_mentions(text, vocabulary, start, cue.end)
    if not mentions or is_question(text, sentence):
        return None
    last = mentions[-1]
    if not _BACK_GAP.fullmatch(text, last.end, cue.end) or last in alternatives(text, mentions):
        return None
    if last.is_number_word and not last.is_labelled:
        return None
    if cue.kind is CueKind.AFTER and (
        is_denied(text, last, sentence.start)
        or _is_within(last.start, side_clauses(text, sentence.start, sentence.end))
    ):
        return None
    return Claim(last.answer, None, last.span, cue.kind)


def _announced(text: str, vocabulary: Vocabulary, cue: Cue, sentence: Stretch) -> Claim | None:
    start = _skip_blank(text, cue.end)
    end = sentence_end(text, start)
    mentions = find_mentions(text, vocabulary, start, end)
    is_final = cue.kind is CueKind.FINAL
    if is_final or cue.end < sentence.end:
        abstained = find_abstention(text, vocabulary, start, end, opens=True)
        if abstained and (is_final or not mentions):
            return Claim(None, abstained.reason, (abstained.start, abstained.end), cue.kind)
    if (
        not mentions
        or is_question(text, Stretch(cue.start, end))
        or _is_supposed(text, cue, sentence)
    ):
        return None
    direct = _direct(text, vocabulary, mentions, start, cue)
    if direct is not None or not is_final:
        return direct
    return sole_claim(text, vocabulary, Stretch(cue.start, end), cue.kind)


def _skip_blank(text: str, position: int) -> int:
    match = re.compile(r"[\s:=—–-]{0,20}").match(text, position)
    return match.end() if match else position


def _is_supposed(text: str, cue: Cue, sentence: Stretch) -> bool:
    """Whether the cue itself stands in an "if" or "otherwise" clause."""
    return _is_within(cue.start, side_clauses(text, sentence.start, sentence.end))


def _is_within(position: int, stretches: Iterable[tuple[int, int]]) -> bool:
    return any(start < position < end for start, end in stretches)


def _direct(
    text: str, vocabulary: Vocabulary, mentions: Sequence[Mention], start: int, cue: Cue
) -> Claim | None:
    """The mention right behind the cue, whatever words of no weight stand between."""
    offered = alternatives(text, mentions)
    for mention in mentions:
        if not _GAP.fullmatch(text, start, mention.label_start):
            return None
        if mention in offered:
            is_quoted = _QUOTED_INSTRUCTION.search(text[max(0, cue.start - 60) : cue.start])
            if is_quoted or cue.kind is not CueKind.FINAL:
                return None
            return Claim(None, "several", (start, mentions[-1].end), cue.kind)
        if _is_pronoun(text, mention) and cue.kind is not CueKind.FINAL:
            return None
        if stands_after(text, mention) and not is_denied(text, mention, max(0, cue.start - 12)):
            return Claim(mention.answer, None, mention.span, cue.kind)
        if not _passes_over(text, mention, cue):
            return None
    return None


def _is_pronoun(text: str, mention: Mention) -> bool:
    """Whether it is the bare word "one", as in "it is hard to choose one"."""
    return not mention.is_labelled and text[mention.start : mention.end].casefold() == "one"


def _passes_over(text: str, mention: Mention, cue: Cue) -> bool:
    """Whether the search may go on behind this mention: an article, or one that was denied."""
    return len(mention.answer) == 1 and not is_denied(text, mention, max(0, cue.start - 12))


def _corrected(text: str, vocabulary: Vocabulary, cue: Cue, said: str | None) -> Claim | None:
    """The answer behind "wait, no": the word "no" itself counts only against an earlier Yes."""
    start = cue.end
    end = sentence_end(text, _skip_marks(text, start))
    if _NO_MORE.match(text, start):
        end = sentence_end(text, _skip_marks(text, end))
    mentions = find_mentions(text, vocabulary, start, end)
    is_no_cue = text[cue.start : cue.end].casefold() == "no"
    for mention in mentions:
        if not _GAP.fullmatch(text, start, mention.label_start):
            return None
        if not stands_after(text, mention) or is_denied(text, mention, cue.end):
            continue
        if mention.answer.casefold() == "no" and said in (None, mention.answer):
            continue
        if is_no_cue and said is None and not mention.is_labelled:
            continue
        if mention in alternatives(text, mentions):
            return None
        return Claim(mention.answer, None, mention.span, CueKind.FINAL)
    return None


_MARKS = re.compile(r"[\s,.:;!?—–-]{0,12}")
_NO_MORE = re.compile(r"[\s,.:;!—–-]{0,6}(?:no|sorry|wait|that's wrong)\s*[.!—–-]", re.IGNORECASE)


def _skip_marks(text: str, position: int) -> int:
    match = _MARKS.match(text, position)
    return match.end() if match else position


def sole_claim(
    text: str, vocabulary: Vocabulary, stretch: Stretch, kind: CueKind = CueKind.SAID
) -> Claim | None:
    """What a sentence asserts: one answer, or `several`, or nothing."""
    asserted = asserted_mentions(text, vocabulary, stretch)
    answers = {mention.answer for mention in asserted}
    if len(answers) == 1:
        return Claim(asserted[-1].answer, None, asserted[-1].span, kind)
    if answers:
        return Claim(None, "several", (asserted[0].start, asserted[-1].end), kind)
    return None


# In "the same woman as in the first picture" an ordinal names what was shown, not an answer.
_POINTS_BACK = re.compile(r"\b(?:as|in|from|of|to|like|with)\s+the\s*(?:first|1st)$", re.IGNORECASE)


def asserted_mentions(text: str, vocabulary: Vocabulary, stretch: Stretch) -> list[Mention]:
    """The mentions in a sentence that are neither denied, conceded, one of two, nor by the way."""
    mentions = find_mentions(text, vocabulary, stretch.start, stretch.end)
    offered = alternatives(text, mentions)
    aside = side_clauses(text, stretch.start, stretch.end)
    return [
        mention
        for mention in mentions
        if mention not in offered
        and (mention.is_labelled or not mention.is_number_word)
        and stands_after(text, mention)
        and not _POINTS_BACK.search(text[max(stretch.start, mention.start - 16) : mention.end])
        and _is_said(text, mention, stretch)
        and not is_denied(text, mention, stretch.start)
        and not _is_within(mention.start, aside)
    ]


def _is_said(text: str, mention: Mention, stretch: Stretch) -> bool:
    if not mention.is_labelled:
        return stands_before(text, mention, stretch.start)
    return not _describes(text, mention, stretch)


_DESCRIPTION = re.compile(
    r"\s*(?:shows|has|have|features|is (?:a|an|in|not|the (?:lowest|highest))|contains|offers|"
    r"appears|"
    r"depicts|includes|lacks|:|\()",
    re.IGNORECASE,
)


def _describes(text: str, mention: Mention, stretch: Stretch) -> bool:
    """Whether the sentence opens with the mention to describe it ("Image 5 has darker hair")."""
    before = text[stretch.start : min(mention.label_start, stretch.start + 60)]
    return not before.strip(" \t\n-*•.(") and _DESCRIPTION.match(text, mention.end) is not None
