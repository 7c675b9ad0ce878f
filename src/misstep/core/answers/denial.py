"""What takes an assertion away from a mention: negation, comparison, alternatives, side clauses."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from misstep.core.answers.mentions import Mention, stands_after

_FILLER = (
    r"be|been|being|the|a|an|in|to|with|that|of|it|is|it's|likely|answer|choose|choosing|pick|"
    r"option|as|say|think|belong|fall|same|person|into|under|really|actually|necessarily|"
    r"definitely|simply|just|match|class|for|either|consider|select|classify|this|correct|on|at|"
    r"any|me|other|vehicle|image|apartment|candidate|marking|go|going|more|quite|only"
)
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:second|third|2nd|3rd|4th)[ -](?:place|choice|best)\b[ \t]*:?|"
    r"\brunner-up:?|\bnot|n't|\bcannot|\bnever|\bnor|\bneither|\brather than|\binstead of|\bthan|"
    r"\bunlike|"
    r"\bexcept|\bexclud(?:e|es|ed|ing)|\beliminat(?:e|es|ed|ing)|\breject(?:s|ed|ing)?|"
    r"\brul(?:e|es|ed|ing) out|\bdiscard(?:s|ed|ing)?|\bdismiss(?:es|ed|ing)?|\bopposed to|"
    r"\bversus|\bvs\.?|\bcompared (?:to|with)|\bover|\bwithout|\bagainst|\bfollowed by|\bbesides|"
    r"\bno longer|\bavoid(?:s|ed|ing)?|\bother than|\bsimilar to|\bclose to|\babove|\bbelow|"
    r"\bdifferent from|\bbeats?|\boutweighs?|\bchang(?:e|ed|ing)(?: my answer)? from|"
    r"\bbeat|\bsame(?:\s+\w+){0,2}\s+as)"
    rf"(?:\s+(?:{_FILLER})\b){{0,4}}\s*[(]?\s*$",
    re.IGNORECASE,
)
_AUXILIARY = (
    r"is|was|are|seems?|looks?|appears?|would|could|can|should|must|does|do|did|has|have|will|"
    r"may|might|also|clearly|definitely|simply|just|be|to|actually"
)
_WRONG = (
    r"not\b(?! only)|never\b|wrong\b|incorrect\b|false\b|invalid\b|out\b|ruled out|eliminated\b|"
    r"impossible\b|too\b|unlikely\b|less\b|different\b|excluded\b|rejected\b|worse\b"
)
_DENIED_AFTER = re.compile(
    rf"\s*[)]?\s*(?:(?:{_AUXILIARY})\s+){{1,4}}(?:{_WRONG})"
    r"|\s*(?:is|was|does|do|did|ca|could|would|wo|should|has|are)n't\b|\s*cannot\b"
    r"|\s+(?:only )?if\b(?! (?:i|we|you|forced|pressed|asked)\b)",
    re.IGNORECASE,
)
_CONCESSION = re.compile(
    r"\b(?:otherwise|if not)\b[^;.\n]{0,200}"
    r"|\b(?:while|although|though|even though|despite|whereas|if|unless|whether|even if|"
    r"suppose|assuming|at first|initially|i (?:first|initially|"
    r"originally))\b[^,;.:\n]{0,200}(?:[,;:.\n]|$)",
    re.IGNORECASE,
)
_FORCED = re.compile(
    r"if\s+(?:i|we|forced|pressed|you|asked|required|anything|so|not)\b", re.IGNORECASE
)
_JOIN = re.compile(
    r"\s*(?:,?[ \t]*(?:or|and|nor|vs\.?|versus|to|through|und|oder|y|o|et|ou)\b|[/|&–-]|,)"
    r"(?:[ \t]*(?:maybe|perhaps|also|the|even|a|possibly|either|class)\b)*\s*",
    re.IGNORECASE,
)
_LIST_GOES_ON = re.compile(r"\s*(?:[,.!?;)\n]|\Z|or\b|and\b)", re.IGNORECASE)


def is_denied(text: str, mention: Mention, start: int = 0) -> bool:
    """Whether the words around it take the mention back: "not A", "A is wrong", "rather than A"."""
    before = text[max(start, mention.label_start - 70) : mention.label_start]
    if _DENIED_BEFORE.search(before):
        return True
    return _DENIED_AFTER.match(text, mention.end, mention.end + 60) is not None


def side_clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The clauses that concede or suppose ("While A is high, …"), which assert nothing."""
    return [
        clause.span()
        for clause in _CONCESSION.finditer(text, start, end)
        if not _FORCED.match(clause[0])
    ]


def alternatives(text: str, mentions: Sequence[Mention]) -> set[Mention]:
    """Those offered side by side with another answer ("A or B", "Yes and no")."""
    offered: set[Mention] = set()
    for left, right in itertools.pairwise(mentions):
        if left.answer != right.answer and _are_joined(text, left, right):
            offered |= {left, right}
    return offered


def _are_joined(text: str, left: Mention, right: Mention) -> bool:
    between = text[left.end : right.label_start]
    if len(between) > 40 or not _JOIN.fullmatch(between):
        return False
    if between.strip() == ",":
        return _LIST_GOES_ON.match(text, right.end) is not None
    return left.is_labelled or stands_after(text, right)
