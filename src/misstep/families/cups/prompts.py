"""All words of the family: Table 14, and E.2 for reasoning before the answer."""

from __future__ import annotations

from misstep.core.items import Item
from misstep.core.pictures import PLACE
from misstep.families.cups.spec import CupsPayload

QUESTION = (
    "On the left of the figure provided, there is a rectangular glass with its water level "
    "indicated with the blue line. On the right, there is a target glass. The target glass has "
    "four height markings (A, B, C, D), each indicating a different water level. Which marking "
    "should the target glass be filled to so that both glasses pour at the same angle? Provide "
    "your answer using the letter that matches the correct height marking. "
)
LAST_SENTENCES = {"direct": "Do not include anything else.", "cot": "Let’s think step by step."}

ALT = (
    "Two rectangular glasses stand side by side on a line. The left one holds water up to a blue "
    "line. The right one, the target glass, is empty; on its right side are four height markings, "
    "A, B, C and D from the lowest to the highest."
)
"""What stands for the picture where it isn't seen: the same for every problem."""


def prompt(item: Item[CupsPayload], wording: str) -> str:
    """The question and its picture, which stands last, as in Table 14."""
    if wording not in LAST_SENTENCES:
        raise ValueError(f"{item.family} has no wording {wording!r}")
    return f"{QUESTION}{LAST_SENTENCES[wording]} {PLACE}"
