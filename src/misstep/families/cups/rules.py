"""What people go by instead of tilting: the same level, the same proportion, the same volume."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from misstep.families.cups.geometry import Glass
from misstep.families.cups.spec import CupsPayload

LETTERS = "ABCD"


def glasses(payload: CupsPayload) -> tuple[Glass, Glass]:
    """The left one and the right one."""
    return (
        Glass(Fraction(payload.width), Fraction(payload.height)),
        Glass(Fraction(payload.target_width), Fraction(payload.target_height)),
    )


def rule_levels(payload: CupsPayload) -> Mapping[str, Fraction]:
    """The level that each rule leads to; it may lie above the rim of the right glass."""
    source, target = glasses(payload)
    water = Fraction(payload.water)
    return {
        "same_level": water,
        "same_proportion": water / source.height * target.height,
        "same_volume": water * source.width / target.width,
    }


def nearest(payload: CupsPayload, level: Fraction) -> str:
    """The letter of the mark nearest to a level, the lower one of two as near."""
    away = [abs(Fraction(mark) - level) for mark in payload.marks]
    return LETTERS[away.index(min(away))]


def is_clear(payload: CupsPayload, level: Fraction, margin: Fraction) -> bool:
    """Whether the nearest mark is nearer than the next one by at least the margin."""
    first, second, *_ = sorted(abs(Fraction(mark) - level) for mark in payload.marks)
    return second - first >= margin
