"""Seed → lists of ten vehicles with their classes and the order of every pass (C.1); no words.

A list is one item and one group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from string import ascii_uppercase, digits

from misstep.core.family import Options
from misstep.core.items import Groups, Item
from misstep.core.seeds import Chance, stream
from misstep.families.vehicles.descriptors import BANK
from misstep.families.vehicles.settings import Settings, read_settings
from misstep.families.vehicles.spec import (
    CLASSES,
    MOST_PASSES,
    PER_CLASS,
    SIZE,
    SPEC,
    VehiclesPayload,
)

FLIPPED_OF = 5
"""One descriptor in so many is flipped (C.1: 20 %)."""

_OTHER_CLIMATE = {"cold": "warm", "warm": "cold"}
_SHAPE = (ascii_uppercase, digits, digits, ascii_uppercase, ascii_uppercase, ascii_uppercase)


@dataclass(frozen=True)
class _Feature:
    """A feature that says nothing of the class."""

    name: str
    values: tuple[str, str]


_FEATURES = (
    _Feature("transmission", ("Manual", "Automatic")),
    _Feature("seat cover", ("Cloth", "Vinyl")),
    _Feature("doors", ("Two", "Four")),
)


def generate(seed: int, options: Options) -> Groups[VehiclesPayload]:
    """Lists without end. Raises BadInput at once."""
    return _lists(seed, read_settings(options))


def _lists(seed: int, settings: Settings) -> Groups[VehiclesPayload]:
    for index, cold in enumerate(_cold_classes(seed, settings)):
        yield (_item(seed, index, cold, settings),)


def _cold_classes(seed: int, settings: Settings) -> Iterator[str]:
    """The class that cold points to: of two lists one of each, in an order drawn for the two."""
    for pair in count():
        if settings.is_cold_always_a:
            yield CLASSES[0]
        else:
            yield from _chance(seed, "mapping", pair).shuffled(CLASSES)


def _item(seed: int, index: int, cold: str, settings: Settings) -> Item[VehiclesPayload]:
    variant = f"~{settings.variant}" if settings.variant else ""
    name = f"{SPEC.name}-{seed}{variant}-{index:03d}"
    payload = _payload(seed, index, cold, settings)
    first = payload.current
    wrong = sum(payload.pointed(one) != payload.classes[one] for one in range(SIZE))
    return Item(
        id=name,
        family=SPEC.name,
        version=SPEC.version,
        group=name,
        payload=payload,
        truth=payload.classes[first],
        lure=payload.pointed(first),
        factors={"mapping": f"cold={cold}", "exceptions": wrong},
    )


def _payload(seed: int, index: int, cold: str, settings: Settings) -> VehiclesPayload:
    classes = tuple(name for name in CLASSES for _ in range(PER_CLASS))
    climates = _climates(classes, cold, settings, _chance(seed, "exceptions", index))
    features = [
        _values(one, classes, settings, _chance(seed, one.name, index)) for one in _FEATURES
    ]
    transmissions, seat_covers, doors = features
    places = tuple(range(SIZE))
    return VehiclesPayload(
        plates=_plates(_chance(seed, "plates", index)),
        descriptors=_descriptors(climates, _chance(seed, "descriptors", index)),
        climates=climates,
        transmissions=transmissions,
        seat_covers=seat_covers,
        doors=doors,
        classes=classes,
        cold=cold,
        orders=tuple(
            tuple(_chance(seed, "order", index, number).shuffled(places))
            for number in range(1, MOST_PASSES + 1)
        ),
        history=settings.history,
    )


def _climates(
    classes: Sequence[str], cold: str, settings: Settings, chance: Chance
) -> tuple[str, ...]:
    """What each descriptor speaks of: the climate of the class, but for the exceptions."""
    usual = ["cold" if name == cold else "warm" for name in classes]
    if settings.is_paper:
        flipped = {place for place in range(SIZE) if chance.below(FLIPPED_OF) == 0}
    else:
        flipped = {PER_CLASS * half + chance.below(PER_CLASS) for half in range(len(CLASSES))}
    return tuple(
        _OTHER_CLIMATE[climate] if place in flipped else climate
        for place, climate in enumerate(usual)
    )


def _values(
    feature: _Feature, classes: Sequence[str], settings: Settings, chance: Chance
) -> tuple[str, ...]:
    """The feature's values; unless as the paper draws them, equally many of each in both classes,
    two or three of the five, so that the correlation with the class is 0."""
    if settings.is_paper:
        return tuple(chance.choice(feature.values) for _ in classes)
    first, second = chance.shuffled(feature.values)
    own = (first, first, first, second, second)
    return tuple(value for _ in CLASSES for value in chance.shuffled(own))


def _plates(chance: Chance) -> tuple[str, ...]:
    """Different ones, in the shape of Table 10: a letter, two digits, three letters."""
    drawn: dict[str, None] = {}
    while len(drawn) < SIZE:
        drawn["".join(chance.choice(signs) for signs in _SHAPE)] = None
    return tuple(drawn)


def _descriptors(climates: Sequence[str], chance: Chance) -> tuple[str, ...]:
    """A different one for each vehicle."""
    left = {
        climate: iter(chance.sample(bank, climates.count(climate)))
        for climate, bank in BANK.items()
    }
    return tuple(next(left[climate]) for climate in climates)


def _chance(seed: int, *place: str | int) -> Chance:
    return stream(SPEC.name, SPEC.version, seed, *place)
