"""The letters A to D as strokes, so that no font decides how a picture looks."""

from __future__ import annotations

from math import cos, pi, sin

from misstep.families.cups.drawing.figure import Point, Stroke

CAP, THICKNESS = 28.0, 4.0
"""Height of a letter with its strokes, and the strokes' thickness."""

_STEPS = 24
Line = tuple[Point, ...]


def letter(name: str, left: float, middle: float, colour: str) -> tuple[Stroke, ...]:
    """The strokes of a letter that starts at `left` and stands around the height `middle`."""
    top = middle - (CAP - THICKNESS) / 2
    start = left + THICKNESS / 2
    return tuple(
        Stroke(
            f"letter {name}",
            tuple(Point(start + one.x, top + one.y) for one in line),
            THICKNESS,
            colour,
        )
        for line in _LINES[name]
    )


def _arc(middle: Point, across: float, down: float, start: float, end: float) -> Line:
    """Part of an ellipse with these half axes; angles in degrees, clockwise from the right."""
    angles = [pi / 180 * (start + (end - start) * step / _STEPS) for step in range(_STEPS + 1)]
    return tuple(
        Point(middle.x + across * cos(angle), middle.y + down * sin(angle)) for angle in angles
    )


_TALL = CAP - THICKNESS
_UPPER, _LOWER = 0.475 * _TALL, 0.525 * _TALL


def _bowl(top: float, tall: float, reach: float) -> Line:
    """From the stem, around and back to it."""
    round_part = _arc(Point(reach - tall / 2, top + tall / 2), tall / 2, tall / 2, -90, 90)
    return (Point(0, top), *round_part, Point(0, top + tall))


_STEM = (Point(0, 0), Point(0, _TALL))
_LINES: dict[str, tuple[Line, ...]] = {
    "A": (
        (Point(0, _TALL), Point(0.45 * _TALL, 0), Point(0.9 * _TALL, _TALL)),
        (Point(0.15 * _TALL, 0.66 * _TALL), Point(0.75 * _TALL, 0.66 * _TALL)),
    ),
    "B": (_STEM, _bowl(0, _UPPER, 0.62 * _TALL), _bowl(_UPPER, _LOWER, 0.68 * _TALL)),
    "C": (_arc(Point(0.46 * _TALL, _TALL / 2), 0.46 * _TALL, _TALL / 2, -48, -312),),
    "D": (
        _STEM,
        (
            Point(0, 0),
            *_arc(Point(0.3 * _TALL, _TALL / 2), 0.46 * _TALL, _TALL / 2, -90, 90),
            Point(0, _TALL),
        ),
    ),
}
