"""What a line that leads to a list makes of it: a plan, an explanation, an attempt."""

from __future__ import annotations

import re

from misstep.planning.reading.vocabulary import anywhere

_SENTENCE_END = re.compile(r"[.!?]\s+")


def lead_kind(text: str) -> str:
    """What a line makes of the list that follows it, by its last sentence."""
    sentence = _SENTENCE_END.split(text.rstrip())[-1]
    introduces = anywhere("introduce").search(sentence)
    explains = anywhere("explain").search(sentence)
    strong = anywhere("strong").search(sentence) if introduces else None
    if explains and not (strong and strong.start() < explains.start()):
        return "explain"
    if not introduces:
        return "prose"
    if anywhere("tentative").search(sentence):
        return "tentative"
    return "strong" if strong else "plan"
