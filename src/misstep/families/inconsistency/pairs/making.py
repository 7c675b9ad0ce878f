"""Pairs made by a model: the prompt of D.1, and what its reply holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from misstep.core.answers.thinking import cut_thinking
from misstep.families.inconsistency.pairs.casing import inside, look_over
from misstep.families.inconsistency.pairs.checking import Fault, check_pairs
from misstep.families.inconsistency.pairs.files import Pair

MOST_OBJECTS = 10_000
"""Objects looked at in a reply."""

_OPENING = re.compile(r"(?:if|then)\s+", re.IGNORECASE)
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Draft:
    """What came of a reply: pairs to keep, and the others with what is wrong with each."""

    kept: tuple[Pair, ...]
    faults: tuple[Fault, ...]


def making_prompt(number: int) -> str:
    """The paper's, word for word where 100 are asked for (D.1)."""
    return (
        f"Generate a list of {number} true statements of the format “if A then B”. For each "
        "statement generate the result in JSON format with separate fields for index, A and B."
    )


def read_reply(reply: str, before: Sequence[Pair] = ()) -> Draft:
    """The reply's pairs, by the rules of `checking`, as if they stood after those of `before`.

    Read wherever objects with A and B stand: in a list, fenced or not, one by one, or within
    another object; a list that was cut short gives what is whole.
    """
    found = list(_pairs(reply))
    faults = {
        fault.number - len(before): fault
        for fault in check_pairs([*before, *found])
        if fault.number > len(before)
    }
    kept = tuple(pair for place, pair in enumerate(found, 1) if place not in faults)
    named = tuple(Fault(place, fault.pair, fault.reason) for place, fault in sorted(faults.items()))
    return Draft(kept, named)


def _pairs(reply: str) -> Iterator[Pair]:
    """Their capitals go by how the reply writes each word elsewhere."""
    found = [_sides(fields) for fields in _objects(cut_thinking(reply).text)]
    seen = look_over(text for sides in found for text in sides)
    for a, b in found:
        yield Pair(inside(a, b, seen), inside(b, a, seen))


def _sides(fields: Mapping[str, object]) -> tuple[str, str]:
    """A and B as text, empty where there is none; some models repeat the format's own words."""
    a, b = (fields.get(side, fields.get(side.lower())) for side in ("A", "B"))
    return _bare(a), _bare(b)


def _bare(value: object) -> str:
    return _OPENING.sub("", value.strip()) if isinstance(value, str) else ""


def _objects(text: str) -> Iterator[dict[str, object]]:
    at = text.find("{")
    for _ in range(MOST_OBJECTS):
        if at < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield from _with_sides(value)
        at = text.find("{", end)


def _with_sides(value: object) -> Iterator[dict[str, object]]:
    """The objects with an A or a B, however deep."""
    if isinstance(value, list):
        for part in value:
            yield from _with_sides(part)
    elif isinstance(value, dict):
        if {"a", "b"} & {str(name).lower() for name in value}:
            yield value
        else:
            for part in value.values():
                yield from _with_sides(part)
