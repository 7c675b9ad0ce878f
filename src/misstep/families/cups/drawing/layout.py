"""A problem as a figure: where its glasses, water, marks and letters stand, and in which colours.

All pictures have one scale, one ground and the same two middles, so that nothing but the problem
differs between them. Walls are drawn around the inside, whose size is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from misstep.families.cups.drawing.figure import WIDTH, Box, Figure, Point, Shape, Stroke
from misstep.families.cups.drawing.letters import CAP, letter
from misstep.families.cups.drawing.spreading import spread
from misstep.families.cups.spec import CupsPayload

UNIT = 78
"""Pixels to a unit; the widest pair, 4 and 5, then leaves room for the letters."""

GROUND = 634
LEFT_MIDDLE, RIGHT_MIDDLE = 240, 700
WALL, LINE, TICK, LEADER = 6, 6, 4, 2
TICK_INSIDE, TICK_OUTSIDE = 30, 9
LETTER_AWAY, LETTER_GAP = 52, 37
"""From the inside's edge to the letters; from the middle of one letter to that of the next."""

CLEARANCE = 8
"""Between the end of a leader and its letter."""

GLASS, GROUND_COLOUR, INK, LEADER_COLOUR = "#4b5a68", "#c3cad1", "#15191d", "#7d8893"
WATER, WATER_LINE = "#cfe6f8", "#0b63ce"


@dataclass(frozen=True)
class Inside:
    """The inside of a drawn glass."""

    left: float
    top: float
    right: float
    bottom: float

    def at(self, height: float) -> float:
        """The y of a height above the bottom, in units."""
        return self.bottom - height * UNIT


def insides(payload: CupsPayload) -> tuple[Inside, Inside]:
    """The left glass and the right one."""
    return (
        _inside(LEFT_MIDDLE, payload.width, payload.height),
        _inside(RIGHT_MIDDLE, payload.target_width, payload.target_height),
    )


def figure(payload: CupsPayload) -> Figure:
    left, right = insides(payload)
    ground = Box("ground", 40, GROUND, WIDTH - 40, GROUND + 3, GROUND_COLOUR)
    shapes = (ground, *_water(left, payload.water), *_glass(left), *_glass(right))
    return Figure((*shapes, *_marks(right, payload)))


def _inside(middle: float, width: int, height: int) -> Inside:
    half, bottom = width * UNIT / 2, GROUND - WALL
    return Inside(middle - half, bottom - height * UNIT, middle + half, bottom)


def _glass(inside: Inside) -> Iterator[Shape]:
    """Two walls that end at the rim, and a bottom."""
    left, right = inside.left - WALL, inside.right + WALL
    yield Box("wall", left, inside.top, inside.left, GROUND, GLASS)
    yield Box("wall", inside.right, inside.top, right, GROUND, GLASS)
    yield Box("bottom", inside.left, inside.bottom, inside.right, GROUND, GLASS)


def _water(inside: Inside, height: float) -> Iterator[Shape]:
    level = inside.at(height)
    yield Box("water", inside.left, level, inside.right, inside.bottom, WATER)
    yield Box(
        "water line", inside.left, level - LINE / 2, inside.right, level + LINE / 2, WATER_LINE
    )


def _marks(inside: Inside, payload: CupsPayload) -> Iterator[Shape]:
    """A tick across the right wall for each mark, a leader from it, and its letter."""
    edge = inside.right
    levels = [inside.at(mark) for mark in payload.marks]
    # y grows downwards, so the highest mark comes first.
    spread_out = spread(levels[::-1], LETTER_GAP, CAP, GROUND - CAP / 2 - CLEARANCE)[::-1]
    for name, level, middle in zip("ABCD", levels, spread_out, strict=True):
        start = Point(edge + WALL + TICK_OUTSIDE, level)
        end = Point(edge + LETTER_AWAY - CLEARANCE, middle)
        yield Stroke(f"leader {name}", (start, end), LEADER, LEADER_COLOUR)
        yield Box(
            f"mark {name}", edge - TICK_INSIDE, level - TICK / 2, start.x, level + TICK / 2, INK
        )
        yield from letter(name, edge + LETTER_AWAY, middle, INK)
