"""ref/picture: finds glasses, water line, marks and letters in a picture's pixels alone.

It knows how such pictures look (dark walls, a blue line, ticks right of the last wall), not where
anything stands or how large it is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from misstep.families.cups.geometry import Glass, right_level

Mask = NDArray[np.bool_]
Greys = NDArray[np.int16]

_DARK, _INK, _BLUE = 125, 90, 90
"""Darker than the first is a wall or ink, than the second ink (0 to 255); more blue than red by
the third is the water line."""

_TALL = 0.25
"""A dark column taller than this part of the picture is a wall."""


@dataclass(frozen=True)
class Span:
    """Places from `start` up to, not including, `end`."""

    start: int
    end: int

    @property
    def middle(self) -> int:
        return (self.start + self.end) // 2


@dataclass(frozen=True)
class Seen:
    """What was found, in pixels: the insides of both glasses, and heights above their bottoms.

    `marks` go from the lowest to the highest, as do their letters.
    """

    source: Glass
    water: float
    target: Glass
    marks: tuple[float, ...]
    letters: str


def answer(png: bytes) -> str:
    """The letter of the mark nearest to the right level."""
    seen = look(png)
    level = float(right_level(seen.source, Fraction(seen.water), seen.target))
    away = [abs(mark - level) for mark in seen.marks]
    return seen.letters[away.index(min(away))]


def look(png: bytes) -> Seen:
    """ValueError where the picture does not show four walls, or not four marks and letters."""
    with Image.open(BytesIO(png)) as image:
        colours = image.convert("RGB")
    greys = np.asarray(colours.convert("L"), dtype=np.int16)
    blue = np.asarray(colours.getchannel("B"), dtype=np.int16)
    blue = blue - np.asarray(colours.getchannel("R"), dtype=np.int16)
    dark = (greys < _DARK) & (blue < _BLUE)
    walls = _spans(dark.sum(axis=0) > _TALL * dark.shape[0])
    if len(walls) != 4:
        raise ValueError(f"{len(walls)} walls in the picture")
    left, right = _inside(dark, walls[0], walls[1]), _inside(dark, walls[2], walls[3])
    marks, letters = _marks(greys, walls[3].end)
    return Seen(
        source=_glass(left),
        water=left.bottom - _water_line(blue),
        target=_glass(right),
        marks=tuple(right.bottom - mark for mark in reversed(marks)),
        letters=letters[::-1],
    )


@dataclass(frozen=True)
class _Inside:
    columns: Span
    top: int
    bottom: int


def _inside(dark: Mask, left: Span, right: Span) -> _Inside:
    """Between two walls, from the rim to the upper edge of the bottom."""
    columns = Span(left.end, right.start)
    top = int(np.argmax(dark[:, left.middle]))
    bottom = int(np.argmax(dark[:, columns.middle]))
    return _Inside(columns, top, bottom)


def _glass(inside: _Inside) -> Glass:
    width = inside.columns.end - inside.columns.start
    return Glass(Fraction(width), Fraction(inside.bottom - inside.top))


def _water_line(blue: Greys) -> float:
    """The y of its middle, weighed by blueness."""
    rows = np.where(blue > _BLUE, blue, 0).sum(axis=1)
    return float((rows * (np.arange(len(rows)) + 0.5)).sum() / rows.sum())


def _marks(greys: Greys, edge: int) -> tuple[list[float], str]:
    """The y of each tick outside the wall that ends at `edge`, and the letters right of them."""
    beside = greys[:, edge + 2]
    ticks = [_centre(255 - beside, span) for span in _spans(beside < _DARK)]
    ink = greys < _INK
    ink[:, : _end_of_ticks(ink, edge)] = False
    letters = "".join(_letter(ink[rows.start : rows.end]) for rows in _spans(_any(ink, 1)))
    if len(ticks) != 4 or sorted(letters) != ["A", "B", "C", "D"]:
        raise ValueError(f"{len(ticks)} marks with the letters {letters!r} in the picture")
    return ticks, letters


def _end_of_ticks(ink: Mask, edge: int) -> int:
    """The first column right of the wall that holds no ink."""
    return edge + int(np.argmin(ink[:, edge:].any(axis=0)))


def _letter(rows: Mask) -> str:
    """A letter by its holes: B has two, C none; of A and D only D stands on its whole left side."""
    columns = _spans(_any(rows, 0))
    shape = rows[:, columns[0].start : columns[-1].end]
    holes = _holes(shape)
    if holes == 1:
        return "D" if shape[:, : 1 + shape.shape[1] // 8].any(axis=1).mean() > 0.8 else "A"
    return {0: "C", 2: "B"}.get(holes, "?")


def _holes(shape: Mask) -> int:
    """How many parts of the paper the ink encloses."""
    paper = np.pad(~shape, 1, constant_values=True)
    count = 0
    while paper.any():
        row, column = (int(found[0]) for found in np.nonzero(paper))
        _pour(paper, row, column)
        count += 1
    return count - 1


def _pour(paper: Mask, row: int, column: int) -> None:
    """Clear the part that holds this place; `paper` is the caller's own copy."""
    waiting = [(row, column)]
    while waiting:
        row, column = waiting.pop()
        inside = 0 <= row < paper.shape[0] and 0 <= column < paper.shape[1]
        if inside and paper[row, column]:
            paper[row, column] = False
            waiting += [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def _any(ink: Mask, axis: int) -> Mask:
    """Which rows (1) or columns (0) hold ink."""
    found: Mask = ink.sum(axis=axis) > 0
    return found


def _spans(hits: Mask) -> list[Span]:
    """The runs of true places."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], hits, [False])).astype(np.int8)))
    return [Span(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def _centre(weights: Greys, span: Span) -> float:
    part = weights[span.start : span.end]
    return float((part * (np.arange(span.start, span.end) + 0.5)).sum() / part.sum())
