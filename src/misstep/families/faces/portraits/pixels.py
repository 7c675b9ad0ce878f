"""Pixel by pixel: the backdrop, and the fine grain of skin."""

from __future__ import annotations

from functools import cache

import numpy as np
from PIL import Image

from misstep.families.faces.portraits.kernels import LATTICE, grain
from misstep.families.faces.portraits.looks import Colour
from misstep.families.faces.portraits.mesh import Floats


def backdrop(colour: Colour, seed: int, size: int) -> Floats:
    """A wall out of focus: soft clouds of the colour, brighter about a point behind the head."""
    chance = np.random.Generator(np.random.PCG64(seed))
    clouds = np.stack([_cloud(chance, size) for _ in range(3)], -1)
    clouds = clouds.mean(-1, keepdims=True) * 0.8 + clouds * 0.2
    x, y = np.meshgrid(np.linspace(-1, 1, size), np.linspace(-1, 1, size))
    aside, above = chance.uniform(-0.5, 0.5), chance.uniform(-0.5, 0.2)
    glow = 1.15 - 0.35 * np.sqrt((x - aside) ** 2 + (y - above) ** 2)
    return np.asarray(clouds * glow[..., None] * np.array(colour))


def _cloud(chance: np.random.Generator, size: int) -> Floats:
    coarse = (chance.random((6, 6)) * 0.45 + 0.75).astype(np.float32)
    fine = Image.fromarray(coarse).resize((size, size), Image.Resampling.BICUBIC)
    return np.asarray(fine, dtype=float)


def pores(rest: Floats) -> Floats:
    """A small change of the normal at points of the skin, the same for everyone."""
    place = np.ascontiguousarray(rest)
    return 0.8 * grain(place, _lattice(), 55.0) + 0.6 * grain(place, _lattice(), 120.0)


@cache
def _lattice() -> Floats:
    chance = np.random.Generator(np.random.PCG64(11))
    return chance.standard_normal((LATTICE, LATTICE, LATTICE, 3))


def developed(light: Floats, exposure: float) -> Floats:
    """Light → what a screen shows, 0 to 1: bright parts roll off as on film."""
    shown = 1 - np.exp(-np.maximum(light, 0) * exposure)
    curve = 1.055 * np.maximum(shown, 1e-9) ** (1 / 2.4) - 0.055
    return np.where(shown <= 0.0031308, 12.92 * shown, curve)
