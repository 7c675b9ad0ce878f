"""Said objects → an action's objects in its own order, by the words that they are said with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from misstep.planning.model import Step
from misstep.planning.reading.lexicon import Lexicon, Pattern, Slot


@dataclass(frozen=True, slots=True)
class Mention:
    """An object as it is said after the words `joint`; `name` is "" for "a block", "object"."""

    joint: tuple[str, ...]
    name: str
    end: int


def assign(group: Sequence[Pattern], mentions: Sequence[Mention], lexicon: Lexicon) -> Step:
    """The step of the pattern that fits best, its objects in the action's order."""
    pattern = max(group, key=lambda found: _fit(found, mentions, lexicon))
    kept = [m for m in mentions if not (m.joint and m.name in pattern.ignore)]
    by_index: dict[int, str] = {}
    free = list(pattern.slots)
    surplus: list[str] = []
    for mention in kept:
        slot = _slot_for(mention, free)
        if slot is None:
            surplus.append(mention.name)
            continue
        free.remove(slot)
        by_index[slot.index] = mention.name
    left_out = _left_out(pattern, by_index, lexicon)
    named = [name for _, name in sorted((by_index | left_out).items())]
    return (pattern.action, *(name for name in (*named, *surplus) if name))


def _fit(pattern: Pattern, mentions: Sequence[Mention], lexicon: Lexicon) -> int:
    score = -abs(len(pattern.slots) - len(mentions))
    free = list(pattern.slots)
    for mention in mentions:
        slot = _slot_for(mention, free)
        if slot is None:
            continue
        free.remove(slot)
        same = len(slot.before.intersection(mention.joint))
        score += same or slot.before == frozenset(mention.joint)
        if slot.kind:
            score += 3 if slot.kind in _kinds_of(mention.name, lexicon) else -3
    return score


def _kinds_of(name: str, lexicon: Lexicon) -> frozenset[str]:
    """Of an object that the problem doesn't have: those of objects that are called alike."""
    if (kinds := lexicon.kinds.get(name)) is not None:
        return kinds
    stem = name.rstrip("0123456789-")
    alike = (kinds for other, kinds in lexicon.kinds.items() if other.rstrip("0123456789-") == stem)
    return next(alike, frozenset())


def _slot_for(mention: Mention, free: Sequence[Slot]) -> Slot | None:
    """The slot whose words the mention comes with, if only one has them; else the next."""
    fitting = [slot for slot in free if slot.before.intersection(mention.joint)]
    if len(fitting) == 1:
        return fitting[0]
    return next(iter(free), None)


def _left_out(pattern: Pattern, by_index: Mapping[int, str], lexicon: Lexicon) -> dict[int, str]:
    """The one object that wasn't said, where the problem's facts tell it."""
    fill = lexicon.fills.get(pattern.action)
    if fill is None or fill.slot in by_index or len(by_index) != pattern.arity - 1:
        return {}
    value = lexicon.facts.get((fill.fact, by_index.get(fill.of, "")))
    return {} if value is None else {fill.slot: value}
