"""The words of an arm: the family's, with the user's own around them or in their place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import TypeVar

from misstep.core.arms import Arm, Strategy
from misstep.core.errors import BadInput
from misstep.core.family import Family
from misstep.core.items import Item
from misstep.core.pictures import PLACE
from misstep.core.templates import fields, filled

P = TypeVar("P")
PROMPT, QUESTION, INSTRUCTION = "prompt", "question", "instruction"
"""What a template of any family may name."""


# Where a piece of a text may end: with its line, or with a sentence.
_END = re.compile(r"\n|(?<=[.?!]) +|(?<=[.?!][”\"’)]) +")


@dataclass(frozen=True)
class _Split:
    """A wording of an item: its instruction, what stands before it, and what, after a gap, does
    after it."""

    before: str
    instruction: str
    gap: str
    after: str

    @property
    def question(self) -> str:
        return (self.before + self.after).rstrip()

    def instructed(self, instruction: str) -> str:
        """With another instruction, which stands on a line of its own where there is none now."""
        start = "\n" if self.before and not self.before[-1].isspace() else ""
        gap = self.gap or ("\n" if self.after else "")
        return f"{self.before}{start}{instruction}{gap}{self.after}"


def words(family: Family[P], item: Item[P], arm: Arm) -> str:
    """What the arm's first call asks of the item, without the message of the system: of a tree,
    what is asked for one thought."""
    own = arm.wording
    if own is None:
        return _family_words(family, item, arm)
    if own.template is not None:
        return _from_template(family, item, arm, own.template)
    text = family.prompt(item, arm.prompt)
    if own.instruction is not None:
        text = _split(family, item, arm, "instruction").instructed(own.instruction)
    return "\n".join(part for part in (own.before, text, own.after) if part is not None)


def question(family: Family[P], item: Item[P], arm: Arm) -> str:
    """The family's own words without the arm's instruction; all of them where nothing tells the
    two apart."""
    parts = _parted(family, item, arm)
    return family.prompt(item, arm.prompt) if parts is None else parts.question


def _family_words(family: Family[P], item: Item[P], arm: Arm) -> str:
    """A family may have words for thoughts; they are those of its own tree."""
    trees = [one.prompt for one in family.spec.arms if one.strategy is Strategy.TREE]
    if family.thought is not None and arm.strategy is Strategy.TREE and arm.prompt in trees:
        return family.thought(item)
    return family.prompt(item, arm.prompt)


def _from_template(family: Family[P], item: Item[P], arm: Arm, template: str) -> str:
    named = fields(template)
    own = {} if family.parts is None else family.parts(item)
    known = (QUESTION, INSTRUCTION, PROMPT, *own)
    for name in named:
        if name not in known:
            raise _refused(arm, f"no field {{{name}}} in {family.spec.name}; known: {_set(known)}")
    if not set(named) - {INSTRUCTION}:
        raise _refused(arm, f"names no {{{QUESTION}}}, so that all items would be asked alike")
    text = filled(template, {**own, **_values(family, item, arm, named)})
    shown, there = text.count(PLACE), family.prompt(item, arm.prompt).count(PLACE)
    if shown != there:
        raise _refused(
            arm, f"shows {shown} of {there} pictures; {{{QUESTION}}}, named once, holds them all"
        )
    return text


def _values(family: Family[P], item: Item[P], arm: Arm, named: Sequence[str]) -> Mapping[str, str]:
    values = {PROMPT: family.prompt(item, arm.prompt)}
    if {QUESTION, INSTRUCTION} & set(named):
        parts = _split(family, item, arm, "template")
        values |= {QUESTION: parts.question, INSTRUCTION: parts.instruction}
    return values


def _refused(arm: Arm, why: str) -> BadInput:
    return BadInput(f"--arms-file: arm {arm.name!r}: template: {why}")


def _set(names: Sequence[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)


def _split(family: Family[P], item: Item[P], arm: Arm, field: str) -> _Split:
    """As `_parted`; BadInput names the field of the arms file that needs it."""
    where = f"--arms-file: arm {arm.name!r}: {field}"
    other = _other(family, arm)
    if other is None:
        raise BadInput(f"{where}: {family.spec.name} has one wording only")
    parts = _parted(family, item, arm)
    if parts is None:
        raise BadInput(
            f"{where}: in {family.spec.name} the wordings {arm.prompt!r} and {other!r} have no "
            "sentence in common, so no instruction can be told from the question"
        )
    return parts


def _parted(family: Family[P], item: Item[P], arm: Arm) -> _Split | None:
    """The instruction is the lines and sentences in which two wordings of one item differ; None
    where all do.

    What is the same in both is the item's own text, so nothing of it is lost.
    """
    other = _other(family, arm)
    if other is None:
        return None
    text, others = family.prompt(item, arm.prompt), family.prompt(item, other)
    pieces, other_pieces = _pieces(text), _pieces(others)
    said, others_said = _texts(text, pieces), _texts(others, other_pieces)
    start = _shared(said, others_said)
    end = min(_shared(said[::-1], others_said[::-1]), min(len(said), len(others_said)) - start)
    if start == end == 0:
        return None
    stop = len(said) - end
    begin = pieces[start].start if start < len(pieces) else len(text)
    last = pieces[stop - 1].stop if stop > start else begin
    rest = pieces[stop].start if end else len(text)
    return _Split(text[:begin], text[begin:last], text[last:rest], text[rest:])


def _pieces(text: str) -> list[slice]:
    """Its sentences, and what else stands on a line of its own, without the spaces between."""
    ends = [(0, 0), *(end.span() for end in _END.finditer(text)), (len(text), len(text))]
    return [slice(left[1], right[0]) for left, right in pairwise(ends)]


def _texts(text: str, pieces: Sequence[slice]) -> list[str]:
    return [text[piece] for piece in pieces]


def _other(family: Family[P], arm: Arm) -> str | None:
    """The family's next wording."""
    singles = (one for one in family.spec.arms if one.strategy is Strategy.SINGLE)
    return next((one.prompt for one in singles if one.prompt != arm.prompt), None)


def _shared(lines: Sequence[str], others: Sequence[str]) -> int:
    """How many lines the two begin with alike."""
    pairs = zip(lines, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
