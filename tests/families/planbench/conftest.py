"""Questions of every test, made once, and the room's options read as a run reads them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import islice

import pytest

from misstep.core.items import Item
from misstep.core.options import read_options
from misstep.families.planbench.generate import generate
from misstep.families.planbench.spec import SPEC, PlanbenchPayload

Items = tuple[Item[PlanbenchPayload], ...]
Make = Callable[..., Items]


@cache
def _made(count: int, seed: int, options: tuple[tuple[str, object], ...]) -> Items:
    read = read_options(SPEC.options, {"cache": "none", **dict(options)}, SPEC.name)
    return tuple(item for group in islice(generate(seed, read), count) for item in group)


@pytest.fixture(scope="session")
def make() -> Make:
    """`make(count, test="replanning", domain="ferry")`: questions of seed 0, or of `seed=`."""

    def made(count: int, seed: int = 0, **options: object) -> Items:
        return _made(count, seed, tuple(sorted(options.items())))

    return made
