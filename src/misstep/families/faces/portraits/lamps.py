"""Set-ups of lamps: a sky, a key light, a fill and a rim, each of many small lamps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from misstep.families.faces.portraits.looks import Colour, Scene
from misstep.families.faces.portraits.mesh import Floats, unit

SKY, KEY, FILL, RIM = 16, 8, 4, 3


@dataclass(frozen=True)
class Setup:
    """Directions toward the lamps, their colours and powers; `soft` spreads the key light."""

    key: tuple[float, float, float]
    key_colour: Colour
    key_power: float
    soft: float
    fill: tuple[float, float, float]
    fill_colour: Colour
    fill_power: float
    sky: Colour
    sky_power: float


_WHITE = (1.0, 1.0, 1.0)
_WARM, _COOL = (1.10, 0.97, 0.83), (0.94, 0.99, 1.05)

SETUPS = (
    Setup((-0.55, 0.42, 0.85), _WHITE, 2.2, 0.18, (0.8, 0.1, 0.7), _WHITE, 0.55, _WHITE, 0.58),
    Setup((0.75, 0.32, 0.75), _WARM, 2.3, 0.14, (-0.8, 0.05, 0.6), _COOL, 0.5, _WHITE, 0.48),
    Setup((-0.1, 0.55, 0.9), _COOL, 1.8, 0.30, (0.6, -0.2, 0.8), _WHITE, 0.45, _COOL, 0.78),
    Setup((-0.9, 0.25, 0.55), _WARM, 2.4, 0.16, (0.8, 0.1, 0.5), _COOL, 0.65, _WHITE, 0.48),
    Setup((0.5, 0.5, 0.9), _WHITE, 2.0, 0.25, (-0.7, 0.0, 0.7), _WHITE, 0.6, _WHITE, 0.62),
)


@dataclass(frozen=True)
class Lamps:
    """Unit directions toward the lamps and their light; the first `SKY` are the sky's."""

    toward: Floats
    power: Floats


def lamps(scene: Scene) -> Lamps:
    """The lamps of a scene, turned about the upright axis by its `turn`."""
    setup = SETUPS[scene.light]
    chance = np.random.Generator(np.random.PCG64(7))
    number = np.arange(SKY) + 0.5
    height, around = 1 - 1.25 * number / SKY, number * 2.39996
    wide = np.sqrt(1 - height**2)
    sky = np.stack([wide * np.cos(around), height, wide * np.sin(around)], 1)
    key = _spread(setup.key, setup.soft, KEY, chance)
    fill = _spread(setup.fill, 0.25, FILL, chance)
    rim = _spread((-0.5 if setup.key[0] > 0 else 0.5, 0.45, -0.8), 0.08, RIM, chance)
    power = [
        np.outer(0.75 + 0.5 * height, setup.sky) * setup.sky_power * 1.6 / SKY,
        np.tile(np.array(setup.key_colour) * setup.key_power / KEY, (KEY, 1)),
        np.tile(np.array(setup.fill_colour) * setup.fill_power / FILL, (FILL, 1)),
        np.full((RIM, 3), 0.5 / RIM),
    ]
    toward = _about_upright(np.concatenate([sky, key, fill, rim]), scene.turn)
    return Lamps(toward, np.concatenate(power))


def _spread(
    toward: tuple[float, float, float], by: float, count: int, chance: np.random.Generator
) -> Floats:
    return unit(unit(np.array(toward)) + chance.normal(0, by, (count, 3)))


def _about_upright(directions: Floats, degrees: float) -> Floats:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    x, y, z = directions.T
    return np.stack([c * x + s * z, y, c * z - s * x], 1)


def frame(toward: Floats) -> Floats:
    """A rotation whose third row looks along the direction."""
    up = np.array([0.0, 1.0, 0.0]) if abs(toward[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    right = unit(np.cross(up, toward))
    return np.stack([right, np.cross(toward, right), toward])
