"""All words of the family: Table 9, with or without labels; a place stands for each picture."""

from __future__ import annotations

from misstep.core.items import Item
from misstep.core.pictures import PLACE
from misstep.families.faces.sets import CANDIDATES
from misstep.families.faces.spec import FacesPayload

FIRST = "Here is an image of a person."
QUESTION = "Select the image that contains the same person as the person in the first image."
"""Table 9."""

LAST_LINES = {"direct": "", "cot": "Let’s think step by step"}
"""What each wording appends; the cot one is the paper's (B.2), which has no full stop."""


def prompt(item: Item[FacesPayload], wording: str) -> str:
    """The whole question; the wording decides its last line only."""
    if wording not in LAST_LINES:
        raise ValueError(f"faces has no wording {wording!r}")
    last = LAST_LINES[wording]
    return f"{_question(item)}\n{last}" if last else _question(item)


def beginnings(item: Item[FacesPayload]) -> tuple[str, ...]:
    """The question alone, with its pictures: every prompt of the item begins with it."""
    return (_question(item),)


def _question(item: Item[FacesPayload]) -> str:
    labels = [f"{place}: " if item.payload.labelled else "" for place in range(1, CANDIDATES + 1)]
    return "\n".join((FIRST, PLACE, QUESTION, *(f"{label}{PLACE}" for label in labels)))


def alt(item: Item[FacesPayload], place: int) -> str:
    """What a reader who doesn't see the picture is told; place 0 is the reference."""
    name = f"Candidate {place}" if place else "The person to recognise"
    return f"{name}: {item.payload.described}" if item.payload.described else name
