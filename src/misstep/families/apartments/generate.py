"""Seed → sets of four apartments with the best one's number (F.1); no words.

An apartment takes one statement of each feature, each as likely; its score is its mean rating.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from misstep.core.errors import BadInput
from misstep.core.family import Options
from misstep.core.items import Group, Groups, Item, Scalar
from misstep.core.seeds import Chance, stream
from misstep.families.apartments.settings import Settings, read_settings
from misstep.families.apartments.spec import APARTMENTS, RANGES, SPEC, ApartmentsPayload
from misstep.families.apartments.statements import FEATURES, LEVELS, Statements
from misstep.families.apartments.tally import tally_of

MOST_DRAWS = 20_000
"""Sets drawn for one that fits; the shipped statements need a dozen in the rarest range."""
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
_REPEATED = 3
"""One letter in so many is made the same as that n places back."""
_WAYS = len(LEVELS) ** FEATURES
_CHUNK = 4
_BYTES = FEATURES // _CHUNK
"""A byte of a drawn number tells the statements of four features, two bits each."""

Sums = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Drawn:
    """Four apartments, the best first; each is a number whose digits in base 4 are its levels,
    that of the first feature the lowest."""

    apartments: tuple[int, ...]
    lead: int


def generate(seed: int, options: Options) -> Groups[ApartmentsPayload]:
    """Sets without end, the ranges in turn. Raises BadInput at once."""
    return _groups(seed, read_settings(options))


def _groups(seed: int, settings: Settings) -> Groups[ApartmentsPayload]:
    sums = _sums(settings.statements)
    for index in count():
        turn, place = divmod(index, len(RANGES))
        if place in settings.ranges:
            drawn = _fitting(seed, index, place, sums, settings.origin)
            yield _group(seed, index, _placed(seed, turn, place, drawn), drawn.lead, settings)


def _sums(statements: Statements) -> Sums:
    """For each byte of an apartment's number and each of its values, the ratings that it adds."""
    ratings = [[one.rating or 0 for one in feature.statements] for feature in statements.features]
    return tuple(
        tuple(
            sum(ratings[first + k][value >> 2 * k & 3] for k in range(_CHUNK))
            for value in range(256)
        )
        for first in range(0, FEATURES, _CHUNK)
    )


def _fitting(seed: int, index: int, place: int, sums: Sums, origin: str) -> Drawn:
    """The first of the set's draws whose best leads by as much as the range says."""
    chance = _chance(seed, "set", index)
    name, low, high = RANGES[place]
    for _ in range(MOST_DRAWS):
        numbers = [chance.below(_WAYS) for _ in range(APARTMENTS)]
        scores = [_score(number, sums) for number in numbers]
        best, second = sorted(scores, reverse=True)[:2]
        if low <= best - second < high:
            at = scores.index(best)
            others = numbers[:at] + numbers[at + 1 :]
            return Drawn((numbers[at], *others), best - second)
    raise BadInput(
        f"-T statements: {origin}: no set with a lead of {name} in {MOST_DRAWS:,} draws; "
        "the ratings within features lie too close together"
    )


def _score(number: int, sums: Sums) -> int:
    """The sum of an apartment's ratings."""
    parts = number.to_bytes(_BYTES, "little")
    return sum([row[part] for row, part in zip(sums, parts, strict=True)])


def _placed(seed: int, turn: int, place: int, drawn: Drawn) -> tuple[tuple[int, ...], int]:
    """The apartments in the order shown, and the best one's place in it.

    In each range the four places are dealt like cards: none comes twice before all have come.
    """
    deal, card = divmod(turn, APARTMENTS)
    best = _chance(seed, "places", place, deal).shuffled(range(APARTMENTS))[card]
    first, *others = drawn.apartments
    return (*others[:best], first, *others[best:]), best


def _group(
    seed: int, index: int, placed: tuple[tuple[int, ...], int], lead: int, settings: Settings
) -> Group[ApartmentsPayload]:
    """A set of one question."""
    variant = f"~{settings.variant}" if settings.variant else ""
    name = f"{SPEC.name}-{seed}{variant}-{index:03d}"
    numbers, best = placed
    payload = _payload(seed, index, numbers, settings)
    item = Item(
        id=name,
        family=SPEC.name,
        version=SPEC.version,
        group=name,
        payload=payload,
        truth=str(best + 1),
        lure=None,
        factors=_factors(index, best, lead, payload),
    )
    return (item,)


def _payload(
    seed: int, index: int, numbers: Sequence[int], settings: Settings
) -> ApartmentsPayload:
    features = settings.statements.features
    shown = [
        [feature.statements[number >> 2 * k & 3] for k, feature in enumerate(features)]
        for number in numbers
    ]
    return ApartmentsPayload(
        statements=tuple(tuple(one.text for one in row) for row in shown),
        ratings=tuple(tuple(one.rating or 0 for one in row) for row in shown),
        order=_order(_chance(seed, "order", index), is_grouped=settings.is_grouped),
        letters=_letters(_chance(seed, "letters", index), settings.letters, settings.back),
        back=settings.back,
        has_clause=settings.has_clause,
        shows_ratings=settings.shows_ratings,
    )


def _order(chance: Chance, *, is_grouped: bool) -> tuple[int, ...]:
    if not is_grouped:
        return tuple(chance.shuffled(range(APARTMENTS * FEATURES)))
    features = chance.shuffled(range(FEATURES))
    return tuple(FEATURES * at + feature for at in range(APARTMENTS) for feature in features)


def _letters(chance: Chance, number: int, back: int) -> str:
    drawn: list[str] = []
    for at in range(number):
        is_repeat = at >= back and chance.below(_REPEATED) == 0
        drawn.append(drawn[at - back] if is_repeat else chance.choice(LETTERS))
    return "".join(drawn)


def _factors(index: int, best: int, lead: int, payload: ApartmentsPayload) -> dict[str, Scalar]:
    winners = tally_of(payload.ratings)
    right = "tied" if len(winners) > 1 else "right"
    return {
        "delta": RANGES[index % len(RANGES)][0],
        "lead": lead,
        "best": best + 1,
        "tally": right if best in winners else "wrong",
    }


def _chance(seed: int, *place: str | int) -> Chance:
    return stream(SPEC.name, SPEC.version, seed, *place)
