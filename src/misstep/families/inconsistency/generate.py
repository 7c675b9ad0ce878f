"""Seed → two questions about each pair, with their truth; no words but the pairs' own.

The pool is finite: a seed only decides in which order the pairs, and the two questions of each,
are asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from misstep.core.errors import BadInput
from misstep.core.family import Options
from misstep.core.items import Group, Groups, Item
from misstep.core.seeds import Chance, digest, stream
from misstep.families.inconsistency.pairs import (
    Pair,
    check_pairs,
    import_pairs,
    read_pairs,
    shipped_pairs,
)
from misstep.families.inconsistency.pairs.words import words_of
from misstep.families.inconsistency.settings import Settings, read_settings
from misstep.families.inconsistency.spec import (
    CONFLICT,
    NO_CONFLICT,
    PRINTED,
    SPEC,
    SUBSET,
    InconsistencyPayload,
)

_NEGATIONS = frozenset(
    ("not", "no", "never", "nobody", "nothing", "none", "neither", "nor", "cannot", "without")
)


def generate(seed: int, options: Options) -> Groups[InconsistencyPayload]:
    """All pairs of the sources once, then no more. Raises BadInput at once."""
    settings = read_settings(options)
    pairs = _chance(seed, "order").shuffled(_pool(seed, settings))
    groups = (_group(seed, pair) for pair in pairs)
    return islice(groups, SUBSET) if settings.subset else groups


def _pool(seed: int, settings: Settings) -> list[Pair]:
    """The sources' pairs, each source at most as often as in the paper where that is asked."""
    pool: list[Pair] = []
    for source, pairs in _sources(settings):
        if settings.counts_as_paper and len(pairs) > PRINTED[source]:
            pairs = _chance(seed, "printed", source).sample(pairs, PRINTED[source])
        pool += pairs
    return pool


def _sources(settings: Settings) -> Iterator[tuple[str, list[Pair]]]:
    if settings.with_own:
        yield "own", _own(settings)
    for source, paths in settings.files.items():
        files = [import_pairs(path, source, is_paper=settings.filters_as_paper) for path in paths]
        pairs = dict.fromkeys(pair for file in files for pair in file.pairs)
        if not pairs:
            raise BadInput(f"-T {source}: no pair that can be used in {', '.join(map(str, paths))}")
        yield source, list(pairs)


def _own(settings: Settings) -> list[Pair]:
    """The shipped pairs, or a file's, which the validator must have nothing against."""
    if settings.pairs is None:
        return list(shipped_pairs())
    pairs = read_pairs(settings.pairs)
    faults = check_pairs(pairs)
    if faults:
        first = faults[0]
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise BadInput(
            f"{settings.pairs}: pair {first.number}: {first.reason}{more}; misstep pairs check"
            " names all"
        )
    return list(pairs)


def _group(seed: int, pair: Pair) -> Group[InconsistencyPayload]:
    """Both questions, in an order drawn for each pair, so that an id tells nothing of the truth.

    The name goes by the pair's words: the same pair has the same ids in every seed and selection.
    """
    name = digest(SPEC.name, pair.source, pair.a, pair.b).hex()[:8]
    group = f"{SPEC.name}-{pair.source}-{name}"
    first = digest(SPEC.name, "first", pair.a, pair.b)[0] % 2 == 0
    order = _chance(seed, "questions", group).shuffled((first, not first))
    return tuple(
        _item(group, 1 + (affirms_a is not first), pair, affirms_a=affirms_a) for affirms_a in order
    )


def _item(group: str, place: int, pair: Pair, *, affirms_a: bool) -> Item[InconsistencyPayload]:
    return Item(
        id=f"{group}-{place}",
        family=SPEC.name,
        version=SPEC.version,
        group=group,
        payload=InconsistencyPayload(pair.a, pair.b, affirms_a),
        truth="No" if affirms_a else "Yes",
        lure="Yes" if affirms_a else None,
        factors={
            "type": CONFLICT if affirms_a else NO_CONFLICT,
            "source": pair.source,
            "words": len(pair.a.split()) + len(pair.b.split()),
            "negation": _has_negation(pair),
        },
    )


def _has_negation(pair: Pair) -> bool:
    words = [word.casefold() for text in (pair.a, pair.b) for word in words_of(text)]
    return any(word in _NEGATIONS or word.endswith(("n't", "n’t")) for word in words)


def _chance(seed: int, *place: str | int) -> Chance:
    return stream(SPEC.name, SPEC.version, seed, *place)
