"""The nouns of a picture: boxes and strokes in the order in which they are drawn.

Lengths are pixels of a picture 1024 wide, y downwards.
"""

from __future__ import annotations

from dataclasses import dataclass

WIDTH, HEIGHT = 1024, 704


@dataclass(frozen=True)
class Point:
    x: float
    y: float


@dataclass(frozen=True)
class Box:
    """A filled rectangle. `name` says what it is a picture of."""

    name: str
    left: float
    top: float
    right: float
    bottom: float
    colour: str


@dataclass(frozen=True)
class Stroke:
    """A line through points, round at its joints and ends."""

    name: str
    points: tuple[Point, ...]
    thickness: float
    colour: str


Shape = Box | Stroke


@dataclass(frozen=True)
class Figure:
    shapes: tuple[Shape, ...]


def bounds(shape: Shape) -> Box:
    """The smallest box around a shape."""
    if isinstance(shape, Box):
        return shape
    half = shape.thickness / 2
    xs, ys = [one.x for one in shape.points], [one.y for one in shape.points]
    edges = (min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half)
    return Box(shape.name, *edges, shape.colour)
