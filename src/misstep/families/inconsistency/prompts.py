"""All words of the family: the two statements (Table 12), the question (Table 13), and D.2."""

from __future__ import annotations

from collections.abc import Mapping

from misstep.core.items import Item
from misstep.families.inconsistency.spec import InconsistencyPayload

OPENING = "The following are two statements:"
QUESTION = "Can both of these statements, as explicitly stated, be true at the same time?"

LAST_SENTENCES = {
    "direct": "Please ONLY answer with “Yes” or “No”.",
    "cot": "Please reason about your answer and then answer “Yes” or “No”.",
    "explain": "Please first explain why statement 2 could be true and then answer “Yes” or “No”.",
    "judge-then-explain": "Please first answer “Yes” or “No” and then explain why statement 2 "
    "could be true.",
}
"""What each wording ends with. The last one is ours, the human study's control in the words of
`explain`; the others are the paper's (Table 13, D.2)."""


def prompt(item: Item[InconsistencyPayload], wording: str) -> str:
    """The whole question; the wording decides its last sentence only."""
    if wording not in LAST_SENTENCES:
        raise ValueError(f"inconsistency has no wording {wording!r}")
    return beginnings(item)[-1] + LAST_SENTENCES[wording]


def beginnings(item: Item[InconsistencyPayload]) -> tuple[str, str]:
    """What both questions of the item's pair begin with, and what the item's own begin with."""
    shared = f"{OPENING}\n1. {rule(item.payload)}\n2. "
    return shared, f"{shared}{denial(item.payload)}\n{QUESTION} "


def rule(payload: InconsistencyPayload) -> str:
    """Statement 1 (Table 12)."""
    return _ended(f"If {payload.a}, then it is always the case that {payload.b}")


def denial(payload: InconsistencyPayload) -> str:
    """Statement 2 (Table 12, whose third statement it is where nothing is in conflict)."""
    if payload.affirms_a:
        return _ended(f"{_raised(payload.a)}, but it is not the case that {payload.b}")
    return _ended(f"It is not the case that {payload.b}")


def parts(item: Item[InconsistencyPayload]) -> Mapping[str, str]:
    """What a template of one's own may name: the two statements."""
    return {"statement_1": rule(item.payload), "statement_2": denial(item.payload)}


def _raised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ended(text: str) -> str:
    """With a final stop, unless an abbreviation ("U.S.") has brought one."""
    return text if text.endswith(".") else f"{text}."
