"""The words of an arm: the family's, with the user's own around them or in their instruction."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TypeVar

from misstep.core.arms import Arm, Strategy
from misstep.core.errors import BadInput
from misstep.core.family import Family
from misstep.core.items import Item

P = TypeVar("P")


def words(family: Family[P], item: Item[P], arm: Arm) -> str:
    """What the arm asks of the item, without the message of the system."""
    text = family.prompt(item, arm.prompt)
    own = arm.wording
    if own is None:
        return text
    if own.instruction is not None:
        text = _instructed(family, item, arm, text, own.instruction)
    return "\n".join(part for part in (own.before, text, own.after) if part is not None)


def _instructed(family: Family[P], item: Item[P], arm: Arm, text: str, instruction: str) -> str:
    """The text with its instruction exchanged: the lines in which two wordings of one item differ.

    What is the same in both is the item's own text, so nothing of it is lost.
    """
    other = next((one.prompt for one in family.spec.arms if _is_other(one, arm)), None)
    if other is None:
        raise BadInput(
            f"--arms-file: arm {arm.name!r}: instruction: {family.spec.name} has one wording only"
        )
    lines, others = text.split("\n"), family.prompt(item, other).split("\n")
    start = _shared(lines, others)
    end = min(_shared(lines[::-1], others[::-1]), min(len(lines), len(others)) - start)
    if start == end == 0:
        raise BadInput(
            f"--arms-file: arm {arm.name!r}: instruction: in {family.spec.name} the wordings "
            f"{arm.prompt!r} and {other!r} have no line in common, so no instruction can be told "
            "from the question"
        )
    return "\n".join([*lines[:start], instruction, *lines[len(lines) - end :]])


def _is_other(one: Arm, arm: Arm) -> bool:
    return one.strategy is Strategy.SINGLE and one.prompt != arm.prompt


def _shared(lines: Sequence[str], others: Sequence[str]) -> int:
    """How many lines the two begin with alike."""
    pairs = zip(lines, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
