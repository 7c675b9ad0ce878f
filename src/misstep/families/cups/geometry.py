"""A rectangular glass, tilted about a lower corner until its water meets the rim; exact.

Two-dimensional, as drawn. On the way to the rim the surface also meets either the opposite wall
(the water is a trapezoid) or the bottom (a triangle). Its area stays what it was, which gives
the closed forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Glass:
    """The inside of a glass, in units of 100 px."""

    width: Fraction
    height: Fraction


def slope(glass: Glass, level: Fraction) -> Fraction:
    """The tangent of the tilt at which water that stood at `level` meets the rim."""
    if 2 * level >= glass.height:
        return 2 * (glass.height - level) / glass.width
    return glass.height**2 / (2 * glass.width * level)


def level_at(glass: Glass, tilt: Fraction) -> Fraction:
    """The level whose water meets the rim at the tilt with this tangent; always inside."""
    if not meets_bottom(glass, tilt):
        return glass.height - glass.width * tilt / 2
    return glass.height**2 / (2 * glass.width * tilt)


def meets_bottom(glass: Glass, tilt: Fraction) -> bool:
    """Whether the surface ends at the bottom rather than at the opposite wall."""
    return glass.width * tilt > glass.height


def right_level(source: Glass, water: Fraction, target: Glass) -> Fraction:
    """The level in `target` that pours at the same tilt as `water` does in `source`."""
    return level_at(target, slope(source, water))
