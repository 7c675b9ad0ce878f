"""Words that are a template from end to end: every cut of them into objects is tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from misstep.planning.model import Step
from misstep.planning.reading.lexicon import Lexicon, Pattern

ARTICLES = frozenset(("the", "this", "that"))
_LONGEST_NAME = 5


@dataclass(frozen=True, slots=True)
class Whole:
    """A step with all its objects, the place after it, and how many of its objects are not of
    the kind that the template asks for."""

    step: Step
    end: int
    misfits: int


def whole_step(
    patterns: Iterable[Pattern], tokens: Sequence[str], at: int, lexicon: Lexicon
) -> Whole | None:
    """Of the templates that the words from `at` on are: the one that its objects fit best, then
    the longest."""
    found = (
        _whole(pattern, names, end, lexicon)
        for pattern in patterns
        if len(pattern.slots) == pattern.arity and any(isinstance(p, str) for p in pattern.parts)
        for names, end in _matches(pattern.parts, tokens, at, lexicon)
    )
    return min(found, key=lambda whole: (whole.misfits, -whole.end), default=None)


def _whole(pattern: Pattern, names: Mapping[int, str], end: int, lexicon: Lexicon) -> Whole:
    kinds = (
        slot.kind in lexicon.kinds.get(names[slot.index], ()) for slot in pattern.slots if slot.kind
    )
    step = (pattern.action, *(name for _, name in sorted(names.items())))
    return Whole(step, end, sum(not fits for fits in kinds))


def _matches(
    parts: Sequence[str | int], tokens: Sequence[str], at: int, lexicon: Lexicon
) -> Iterator[tuple[dict[int, str], int]]:
    """The objects by their slots, and the place after the last word, for every cut."""
    if not parts:
        yield {}, at
        return
    first, rest = parts[0], parts[1:]
    if isinstance(first, str):
        if at < len(tokens) and tokens[at] == first:
            yield from _matches(rest, tokens, at + 1, lexicon)
        return
    for name, end in _names(tokens, at, lexicon):
        for names, last in _matches(rest, tokens, end, lexicon):
            if names.get(first, name) == name:
                yield {first: name} | names, last


def _names(tokens: Sequence[str], at: int, lexicon: Lexicon) -> Iterator[tuple[str, int]]:
    """The objects that may be said there, with article and noun or without, the longest first."""
    if tokens[at : at + 1] in (["a"], ["an"]) and lexicon.nouns.intersection(
        tokens[at + 1 : at + 2]
    ):
        return
    begin = at + (at < len(tokens) and tokens[at] in ARTICLES)
    inner = begin + (begin < len(tokens) and tokens[begin] in lexicon.nouns)
    for start in dict.fromkeys((at, begin, inner)):
        for end in range(min(start + _LONGEST_NAME, len(tokens)), start, -1):
            words = tokens[start:end]
            if not all(word[0].isalnum() or word[0] == "_" for word in words):
                continue
            name = lexicon.object_named(" ".join(words))
            if name is not None:
                if end < len(tokens) and tokens[end] in lexicon.nouns:
                    yield name, end + 1
                yield name, end
