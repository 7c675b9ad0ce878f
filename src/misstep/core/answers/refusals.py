"""Replies that refuse: to do the task at all, or to choose among its options."""

from __future__ import annotations

import re
from dataclasses import dataclass

from misstep.core.answers.mentions import is_lettered, is_numeric
from misstep.core.answers.vocabulary import Vocabulary

FILTERED = frozenset(
    {"content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content"}
    | {"guardrail_intervened", "content_filtered", "spii", "image_safety"}
)
CUT_SHORT = frozenset({"max_tokens", "length", "model_length", "max_output_tokens", "token_limit"})
"""Stop reasons of the runner and of providers, case folded."""

_CANNOT = (
    r"(?:can't|cannot|can not|could not|couldn't|won't|will not|am not able to|'m not able to|"
    r"(?:am|'m|are|'re) unable to|(?:am|'m) not (?:allowed|permitted|programmed|"
    r"comfortable)(?: to)?|"
    r"am not going to|'m not going to|do not|don't|must decline to|have to decline|decline to|"
    r"not able to|unable to|refuse to)"
)
_ADVERBS = r"(?:\s+(?:actually|really|currently|directly|reliably|provide|be able to|to|me)){0,2}"
_SERVICE = (
    r"(?:help|assist|comply|identify|recogni[sz]e|answer|respond|fulfil?l|do that|do this|"
    r"complete (?:this|that|the)|process|engage|participate|discuss|compare (?:the |these |those )?"
    r"(?:faces|people|persons|individuals|images|photos)|view|see|access|analy[sz]e|"
    r"match (?:faces|people|individuals)|generate|support|continue|make (?:an? )?identif\w*|"
    r"(?:an?|any) (?:answer|identification|response)|identification|facial|feel comfortable)"
)
_REFUSAL = re.compile(
    rf"\b(?:i|we|as an ai\b[^.\n]{{0,60}}){{0,1}}\s{{0,3}}{_CANNOT}{_ADVERBS}\s+{_SERVICE}"
    r"|\b(?:sorry|apologi[sz]e|apologies|unfortunately|regret)\b[^.\n]{0,60}?"
    r"\b(?:can't|cannot|can not|unable|not able|won't)\b"
    r"|\bas an? (?:ai|artificial|language|large language)\b[^.\n]{0,120}?"
    r"\b(?:can't|cannot|unable|not able|don't|do not|not (?:allowed|appropriate))\b"
    r"|\b(?:against|violates?) (?:my|our|the|openai|content)[^.\n]{0,30}"
    r"\b(?:guidelines|policy|policies|rules of use|programming)\b"
    r"|\bi(?: must| have to|'d prefer to|'ll have to)? (?:respectfully )?(?:decline|refuse)\b",
    re.IGNORECASE,
)
_SEARCHED = 20_000


def is_refusal(text: str) -> bool:
    return _REFUSAL.search(text, 0, _SEARCHED) is not None


@dataclass(frozen=True)
class Abstention:
    """A refusal to choose: `reason` is several, none or all."""

    reason: str
    start: int
    end: int


_OPTIONS = (
    r"(?:of\s+)?(?:the\s+|these\s+|those\s+|them\b\s*)?(?:above|following|given|provided|shown|"
    r"candidate|listed|available|five|four|two|three|\d)?\s*(?:above|options?|choices?|"
    r"candidates?|images?|pictures?|photos?|photographs?|faces|people|persons|women|men|"
    r"individuals|apartments?|classes|markings?|marks|levels|letters|answers?|them|these|those|us)"
)
_MARK = r"\s*(?:$|\n|[.,:;!?)—–-])"
_FOLLOWED = rf"(?:\s+{_OPTIONS}\b|{_MARK})"
_ALL = (
    rf"(?:all|any|each|every one)(?:\s+(?:five|four|\d)(?={_MARK}))?{_FOLLOWED}"
    r"|all(?= (?:the same|identical|alike|equal)\b)"
)
_NONE = rf"(?:none|no one|not any|no (?:match|option|candidate|image|answer)\b){_FOLLOWED}"
_NONE_ALONE = (
    rf"no match\b|no (?:option|candidate|image|answer) (?:matches|fits|is)|neither(?=\s|{_MARK})"
)
_SEVERAL = rf"(?:both|either)(?:\s+(?:a|b|c|d|\d|yes|no|of)\b|{_FOLLOWED})"
_ABSTENTIONS = re.compile(
    rf"\b(?:(?P<all>{_ALL})|(?P<none>{_NONE}|{_NONE_ALONE})|(?P<several>{_SEVERAL}))",
    re.IGNORECASE,
)
# Yes/No questions are about things that come in numbers ("none of the rules"): only bare words.
_BARE = re.compile(
    r"\b(?:(?P<all>all of the above)|(?P<none>neither(?:\s+yes\s+nor\s+no|(?:\s+of\s+(?:them|the\s"
    rf"(?:two|above|options)))?(?={_MARK}))|none of the above|none(?={_MARK}))"
    rf"|(?P<several>both(?:\s+yes\s+and\s+no|(?={_MARK}))))",
    re.IGNORECASE,
)


_NOT = re.compile(
    r"(?:\bnot|n't|\bcannot|\b(?:in|across|for|from|with|among|of))\s+(?:be\s+)?$", re.IGNORECASE
)


def find_abstention(
    text: str, vocabulary: Vocabulary, start: int, end: int, *, opens: bool = False
) -> Abstention | None:
    """The first refusal to choose in a stretch; with `opens`, only at its very beginning."""
    offers = is_lettered(vocabulary) or is_numeric(vocabulary)
    pattern = _ABSTENTIONS if offers else _BARE
    for match in pattern.finditer(text, start, end):
        if opens and text[start : match.start()].strip(" \t\n.,:;!?(-"):
            return None
        reason = match.lastgroup
        if reason is not None and not _NOT.search(
            text, max(start, match.start() - 12), match.start()
        ):
            return Abstention(reason, match.start(), match.end())
    return None
