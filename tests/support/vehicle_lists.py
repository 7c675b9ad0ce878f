"""Lists of vehicles for tests, by seed and options."""

from __future__ import annotations

from functools import cache
from itertools import islice

from misstep.core.items import Item
from misstep.families.vehicles.generate import generate
from misstep.families.vehicles.spec import SPEC, VehiclesPayload

List = Item[VehiclesPayload]


@cache
def lists(seed: int, number: int = SPEC.scales["paper"].groups, **options: str) -> tuple[List, ...]:
    """Paper scale unless told otherwise."""
    return tuple(group[0] for group in islice(generate(seed, options), number))
