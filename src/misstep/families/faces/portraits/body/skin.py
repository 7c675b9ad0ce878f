"""The colour of each point of the skin: tone, flush, lips, freckles, beard, scalp under hair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from misstep.families.faces.portraits.body.assets import Head, head
from misstep.families.faces.portraits.body.figure import ear_region
from misstep.families.faces.portraits.looks import Brow, Person, Style
from misstep.families.faces.portraits.mesh import Floats, noise, smooth

BROW_HEIGHT = 7.452


@dataclass(frozen=True)
class _Places:
    """Where the points are, in the coordinates of the head at rest; x counts from the middle."""

    x: Floats
    y: Floats
    z: Floats
    front: Floats

    def spot(self, x: float, y: float, wide: float, high: float) -> Floats:
        found = np.exp(-(((self.x - x) / wide) ** 2) - ((self.y - y) / high) ** 2) * self.front
        return np.asarray(found)


def skin_colours(person: Person, style: Style, chance: np.random.Generator) -> Floats:
    """A colour for every point of the head's skin, clothes not yet on."""
    model = head()
    x, y, z = model.rest.T
    places = _Places(np.abs(x), y, z, smooth(0.6, 1.0, z))
    broad, fine = noise(model.rest, 7, chance, 4), noise(model.rest, 30, chance, 2)
    colour = np.tile(np.array(style.skin), (len(x), 1))
    colour = colour * np.exp(0.055 * broad + 0.04 * fine)[:, None]
    colour = _stained(colour, broad, (0.0, -0.03, -0.05))
    colour = _flushed(colour, model, style, places, broad)
    colour = _marked(colour, model, style, places, chance)
    colour = _bearded(colour, model, style, places, fine)
    colour = _lipped(colour, model, style, fine)
    colour = _browed(colour, person.brow, style, places)
    colour = _mixed(colour, 0.92 * scalp(style), np.minimum(np.array(style.hair) * 0.55, 0.16))
    return np.asarray(np.clip(colour, 0.003, 0.95))


def _stained(colour: Floats, amount: Floats, by: tuple[float, float, float]) -> Floats:
    return np.asarray(colour * np.exp(amount[:, None] * np.array(by)))


def _mixed(colour: Floats, share: Floats, other: Floats) -> Floats:
    return colour * (1 - share[:, None]) + share[:, None] * other


def _flushed(colour: Floats, model: Head, style: Style, at: _Places, broad: Floats) -> Floats:
    """Redder cheeks, nose, chin and ears; darker lids and rings under the eyes."""
    red = 0.9 * at.spot(0.38, 6.92, 0.16, 0.15) + 0.8 * at.spot(0, 6.97, 0.12, 0.12)
    red = red + 0.3 * at.spot(0, 6.38, 0.12, 0.08) + 0.7 * ear_region(model)
    red = red * style.blush * (1 + 0.4 * broad) * (0.3 if style.race == "black" else 0.6)
    colour = _stained(colour, red, (0.06, -0.34, -0.32))
    rings = at.spot(0.3, 7.14, 0.14, 0.045) * (0.45 + 0.7 * style.years)
    colour = _stained(colour, rings, (-0.16, -0.22, -0.16))
    lids = smooth(0.1, 0.5, model.masks.lids) + 0.6 * at.spot(0.3, 7.38, 0.14, 0.04)
    depth = 1.7 if style.gender == "woman" else 1.0
    return _stained(colour, lids * depth, (-0.12, -0.19, -0.18))


def _marked(
    colour: Floats, model: Head, style: Style, at: _Places, chance: np.random.Generator
) -> Floats:
    """Freckles, spots of age, moles: the same for everyone of a problem."""
    speckle = smooth(1.25, 1.9, noise(model.rest, 24, chance, 1))
    there = at.spot(0.3, 7.0, 0.3, 0.2) + 0.7 * at.spot(0, 7.02, 0.2, 0.15)
    colour = _stained(colour, style.freckles * speckle * there, (-0.25, -0.5, -0.7))
    spots = smooth(1.3, 1.8, noise(model.rest, 6, chance, 3)) * style.years
    colour = _stained(colour, spots, (-0.16, -0.27, -0.32))
    for _ in range(style.moles):
        x, y, size = chance.uniform(-0.55, 0.55), chance.uniform(6.4, 7.9), chance.uniform(8, 14)
        apart = (model.rest[:, 0] - x) ** 2 + (at.y - y) ** 2
        colour = _stained(
            colour, np.exp(-((apart / (size / 1000) ** 2) ** 2)) * at.front, (-0.6, -0.8, -0.9)
        )
    return colour


def _bearded(colour: Floats, model: Head, style: Style, at: _Places, fine: Floats) -> Floats:
    """A shadow of stubble on jaw, chin and upper lip."""
    line = at.y + 0.5 * np.maximum(at.x - 0.35, 0) - 0.44 * smooth(0.4, 0.62, at.x)
    share = style.beard * (1 - smooth(6.78, 6.88, line)) * smooth(6.02, 6.22, at.y)
    share = share * smooth(0.15, 0.35, at.z + 0.3 * at.x) * (1 - smooth(0, 0.3, model.masks.lips))
    share = share * ~ear_region(model) * 0.55 * (0.85 + 0.2 * fine)
    return _mixed(colour, share, np.minimum(np.array(style.hair) * 0.5 + 0.02, 0.09))


def _lipped(colour: Floats, model: Head, style: Style, fine: Floats) -> Floats:
    tint = (0.92, 0.60, 0.60) if style.race == "black" else (0.82, 0.43, 0.43)
    lips = np.array(style.skin) * np.array(tint) * np.exp(0.06 * fine)[:, None]
    share = smooth(0.1, 0.75, model.masks.lips) * (0.45 + 0.55 * style.lips)
    colour = _mixed(colour, share, lips)
    return _mixed(colour, smooth(0.2, 0.8, model.masks.mouth), np.array([0.20, 0.05, 0.05]))


def _browed(colour: Floats, brow: Brow, style: Style, at: _Places) -> Floats:
    """A tint under the brows' hairs."""
    along = (at.x - brow.start) / (brow.end - brow.start)
    off = np.abs(at.y - brow_line(brow, at.x)) / (brow_half(brow, along) + 1e-6)
    share = (1 - smooth(0.5, 1.3, off)) * smooth(-0.1, 0.08, along)
    share = share * (1 - smooth(0.95, 1.1, along)) * at.front * 0.38
    return _mixed(colour, share, brow_colour(style))


def brow_line(brow: Brow, x: Floats) -> Floats:
    """The height of the brow's middle, x from the face's."""
    along = np.clip((x - brow.start) / (brow.end - brow.start), 0, 1)
    rise = brow.arch * np.sin(along**1.3 * np.pi * 0.85)
    return np.asarray(
        BROW_HEIGHT
        + brow.lift
        + rise
        - 0.02 * smooth(0.38, 0.52, x)
        - 0.008 * (1 - smooth(0, 0.5, along))
    )


def brow_half(brow: Brow, along: Floats) -> Floats:
    return np.asarray(brow.thickness * (1.0 - 0.62 * smooth(0.35, 1.0, along)))


def brow_colour(style: Style) -> Floats:
    """Darker than the hair, and never light enough to vanish."""
    colour = np.array((0.15, 0.14, 0.125) if style.white > 0.3 else style.hair) * 0.7
    found: Floats = colour * min(1.0, 0.085 / max(float(colour.mean()), 1e-6))
    return found


_LINE_ANGLES = (0, 22, 33, 40, 46, 54, 62, 72, 80, 86, 93, 105, 120, 150, 180)
_LINE_HEIGHTS = (15, 15.5, 14, 10, 5, 0, -6, -13, -9, 2, 6, 4, -18, -38, -42)
"""The hairline: elevation (degrees, from the middle of the head) by the angle from the front."""


def above_hairline(style: Style) -> Floats:
    """How far each point lies above the hairline, in degrees of elevation."""
    around = head().rest - (0, 7.55, 0.15)
    angle = np.degrees(np.arctan2(np.abs(around[:, 0]), around[:, 2]))
    height = np.degrees(np.arcsin(around[:, 1] / np.sqrt((around**2).sum(1))))
    line = np.interp(angle, _LINE_ANGLES, _LINE_HEIGHTS) + style.hairline * (angle < 70)
    line = line + style.receding * np.exp(-(((angle - 42) / 16) ** 2))
    return np.asarray(height - line)


def scalp(style: Style) -> Floats:
    """0 on the face, 1 under the hair, by point."""
    is_head = (head().rest[:, 1] > 6.3) & ~ear_region(head())
    return np.asarray(smooth(-1.0, 4.0, above_hairline(style)) * is_head)
