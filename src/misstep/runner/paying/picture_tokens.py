"""Tokens of pictures before they are asked about: by rules of thumb (docs/power-and-cost.md).

Providers count by pixels, each in its own way and by model, so every rule is a range. They were
written down in 2026 from what the providers say of their models; a run's own records know better.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from typing import Any

from misstep.core.family import Family
from misstep.core.items import Item
from misstep.core.pictures import PLACE, content_of
from misstep.runner.paying.tokens import Range

_TILE, _TILE_TOKENS, _BASE_TOKENS = 512, 170, 85
_PATCH, _DEAREST_PATCH, _MOST_PATCHES = 32, 2.46, 1536
_LONGEST_SIDE, _PIXELS_A_TOKEN = 1568, 750
_SMALL, _SMALL_TOKENS, _HIGH_TOKENS = 384, 258, 1120


def picture_tokens(family: Family[Any], item: Item[Any], model: str) -> Range:  # Any: any payload
    """Of one picture of this item for the model, nothing where it has none; all items' pictures
    are taken to be of one size."""
    from PIL import Image

    shown = () if family.pictures is None else family.pictures(item)
    if not shown:
        return Range(0, 0)
    with Image.open(io.BytesIO(content_of(shown[0]))) as picture:
        return tokens_of(*picture.size, model)


def places(text: str) -> int:
    """How many pictures the text shows."""
    return text.count(PLACE)


def tokens_of(width: int, height: int, model: str) -> Range:
    """By the provider's own rule, or from the least to the most of all where it is unknown."""
    provider = model.split("/")[0]
    for rule, providers in _RULES.items():
        if provider in providers or any(f"/{name}" in model for name in providers):
            return rule(width, height)
    found = [rule(width, height) for rule in _RULES]
    return Range(min(one.low for one in found), max(one.high for one in found))


def _openai(width: int, height: int) -> Range:
    """Older models by tiles of 512 pixels, newer ones by patches of 32, at a factor by model."""
    scale = min(1.0, 2048 / max(width, height))
    scale = min(scale, 768 / min(width, height))
    across, down = (math.ceil(side * scale / _TILE) for side in (width, height))
    tiles = _BASE_TOKENS + _TILE_TOKENS * across * down
    across, down = (math.ceil(side / _PATCH) for side in (width, height))
    patches = min(_MOST_PATCHES, across * down)
    return Range(min(tiles, patches), max(tiles, patches * _DEAREST_PATCH))


def _anthropic(width: int, height: int) -> Range:
    """A token for 750 pixels, the longer side brought to 1,568 at most."""
    scale = min(1.0, _LONGEST_SIDE / max(width, height))
    tokens = width * height * scale * scale / _PIXELS_A_TOKEN
    return Range(0.9 * tokens, 1.1 * tokens + 10)


def _google(width: int, height: int) -> Range:
    """258 tokens for a small picture or a tile of a larger one; newer models up to 1,120 each."""
    if max(width, height) <= _SMALL:
        return Range(_SMALL_TOKENS, _HIGH_TOKENS)
    unit = min(768, max(256, math.floor(min(width, height) / 1.5)))
    tiles = math.ceil(width / unit) * math.ceil(height / unit)
    return Range(_SMALL_TOKENS, max(_HIGH_TOKENS, _SMALL_TOKENS * tiles))


_RULES: dict[Callable[[int, int], Range], tuple[str, ...]] = {
    _openai: ("openai", "azureai"),
    _anthropic: ("anthropic",),
    _google: ("google", "vertex"),
}
