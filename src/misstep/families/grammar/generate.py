"""Seed → groups of questions with their truth (A.1); no words.

A group is one grammar: 37 of its strings, 15 to train on and 22 to test, and 22 test strings
more with one letter changed.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice, repeat

from misstep.core.family import Options
from misstep.core.items import Group, Groups, Item, Scalar
from misstep.core.seeds import Chance, stream
from misstep.families.grammar.language import (
    Walks,
    is_deterministic,
    is_grammatical,
    paths,
    strings,
)
from misstep.families.grammar.ngrams import marked, ngrams
from misstep.families.grammar.settings import Settings, read_settings
from misstep.families.grammar.spec import SPEC, SUBSET, TESTED, TRAINING, GrammarPayload
from misstep.families.grammar.structures import REBER, Edge, classes, pairs_of

_ATTEMPTS = 1_000
"""Changes tried for one negative; only tiny alphabets use them up, and then the grammar goes."""


@dataclass(frozen=True)
class Change:
    """A grammatical string and the letter put in at one position (0-based)."""

    original: str
    position: int
    letter: str

    @property
    def string(self) -> str:
        return self.original[: self.position] + self.letter + self.original[self.position + 1 :]


@dataclass(frozen=True)
class Sample:
    """The strings of one group; `size` is how many its grammar makes."""

    edges: tuple[Edge, ...]
    size: int
    training: tuple[str, ...]
    positives: tuple[str, ...]
    negatives: tuple[Change, ...]


def generate(seed: int, options: Options) -> Groups[GrammarPayload]:
    """Groups without end, or the first ten with `subset`. Raises BadInput at once."""
    settings = read_settings(options)
    groups = _groups(seed, settings)
    return islice(groups, SUBSET) if settings.subset else groups


def _groups(seed: int, settings: Settings) -> Groups[GrammarPayload]:
    made = (_sample(seed, number, edges, settings) for number, edges in _grammars(seed, settings))
    for index, sample in enumerate(sample for sample in made if sample):
        yield _group(seed, index, sample, settings)


def _grammars(seed: int, settings: Settings) -> Iterator[tuple[int, tuple[Edge, ...]]]:
    """Numbered grammars without end, good or not. The classes of structures are dealt like
    cards: none comes twice before all have come, and later deals bring other letters."""
    numbers = count()
    if settings.reber:
        yield from zip(numbers, repeat(REBER), strict=False)
    for deal in count():
        for mask in _chance(seed, "deal", deal).shuffled(classes()):
            number = next(numbers)
            yield number, _labelled(mask, _chance(seed, "letters", number), settings)


def _labelled(mask: int, chance: Chance, settings: Settings) -> tuple[Edge, ...]:
    pairs = pairs_of(mask)
    if not settings.deterministic:
        return tuple((start, end, chance.choice(settings.alphabet)) for start, end in pairs)
    # Each node takes its letters from a shuffled alphabet of its own.
    nodes = dict.fromkeys(start for start, _ in pairs)
    letters = {node: iter(chance.shuffled(settings.alphabet)) for node in nodes}
    return tuple((start, end, next(letters[start])) for start, end in pairs)


def _sample(seed: int, number: int, edges: tuple[Edge, ...], settings: Settings) -> Sample | None:
    """The strings of a group, or None where the grammar makes too few, or where a negative
    can't be found."""
    language = strings(edges)
    if language.count < TRAINING + TESTED:
        return None
    walks = paths(edges) if settings.by_paths else language
    words = _distinct(walks, TRAINING + TESTED, _chance(seed, "strings", number))
    training, positives = words[:TRAINING], words[TRAINING:]
    originals = positives if settings.paired else (None,) * TESTED
    negatives = _negatives(edges, walks, originals, _chance(seed, "negatives", number))
    if negatives is None:
        return None
    return Sample(edges, language.count, training, positives, negatives)


def _draw(walks: Walks, chance: Chance) -> str:
    return walks.string(chance.below(walks.count))


def _distinct(walks: Walks, number: int, chance: Chance) -> tuple[str, ...]:
    """That many unique strings, shuffled: strings of many paths tend to be drawn early."""
    drawn: dict[str, None] = {}
    while len(drawn) < number:
        drawn[_draw(walks, chance)] = None
    return tuple(chance.shuffled(list(drawn)))


def _negatives(
    edges: Sequence[Edge], walks: Walks, originals: Sequence[str | None], chance: Chance
) -> tuple[Change, ...] | None:
    """A negative for each original; where that is None, from any string of the grammar."""
    made: dict[str, Change] = {}
    for original in originals:
        change = _negative(edges, walks, original, made, chance)
        if change is None:
            return None
        made[change.string] = change
    return tuple(made.values())


def _negative(
    edges: Sequence[Edge],
    walks: Walks,
    original: str | None,
    taken: Container[str],
    chance: Chance,
) -> Change | None:
    letters = sorted({letter for _, _, letter in edges})
    for _ in range(_ATTEMPTS):
        word = original or _draw(walks, chance)
        position = chance.below(len(word))
        others = [letter for letter in letters if letter != word[position]]
        change = Change(word, position, chance.choice(others))
        # A training string is grammatical, so it can't come back as a negative.
        if change.string not in taken and not is_grammatical(edges, change.string):
            return change
    return None


def _group(seed: int, index: int, sample: Sample, settings: Settings) -> Group[GrammarPayload]:
    """The 44 questions in an order drawn once, so that an id tells nothing of the truth."""
    variant = f"~{settings.variant}" if settings.variant else ""
    group = f"{SPEC.name}-{seed}{variant}-{index:03d}"
    tests: list[tuple[str, Change | None]] = [(word, None) for word in sample.positives]
    tests += [(change.string, change) for change in sample.negatives]
    order = _chance(seed, "order", index).shuffled(tests)
    known = {pair for word in sample.training for pair in ngrams(marked(word), 2)}
    return tuple(
        Item(
            id=f"{group}-{place:02d}",
            family=SPEC.name,
            version=SPEC.version,
            group=group,
            payload=_payload(sample, test, change, settings.wording),
            truth="No" if change else "Yes",
            lure=None,
            factors=_factors(sample, test, change, known),
        )
        for place, (test, change) in enumerate(order)
    )


def _payload(sample: Sample, test: str, change: Change | None, wording: str) -> GrammarPayload:
    return GrammarPayload(
        training=sample.training,
        test=test,
        edges=sample.edges,
        original=change.original if change else None,
        changed_position=change.position if change else None,
        wording=wording,
    )


def _factors(
    sample: Sample, test: str, change: Change | None, known: Container[str]
) -> dict[str, Scalar]:
    return {
        "grammatical": "no" if change else "yes",
        "length": len(test),
        "deterministic": is_deterministic(sample.edges),
        "edges": len(sample.edges),
        "strings": sample.size,
        "changed_position": change.position + 1 if change else None,
        "novel_bigrams": sum(pair not in known for pair in ngrams(marked(test), 2)),
    }


def _chance(seed: int, *place: str | int) -> Chance:
    return stream(SPEC.name, SPEC.version, seed, *place)
