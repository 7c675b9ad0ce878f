"""Colours and pixels of a part of each picture, and how alike two of them are."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping

import numpy as np
from PIL import Image

from misstep.core.family import Solution, Solver
from misstep.core.items import Item
from misstep.families.faces.generate import pictures
from misstep.families.faces.spec import FacesPayload

SIDE = 64
"""Pictures are looked at this small."""
Measure = Callable[[np.ndarray], np.ndarray]
"""Takes a picture, (SIDE, SIDE, 3) from 0 to 1, to the numbers that are compared."""

_Y, _X = np.mgrid[0:SIDE, 0:SIDE] / (SIDE - 1)
FACE = ((_X - 0.5) / 0.24) ** 2 + ((_Y - 0.5) / 0.36) ** 2 < 1
"""Where the face is in these pictures, with some room: it is always in the middle."""
CLOTHES = (_Y > 0.90) & (np.abs(_X - 0.5) < 0.4)
BACKGROUND = (_Y < 0.35) & (np.abs(_X - 0.5) > 0.42)
HAIR = ~FACE & (np.abs(_X - 0.5) < 0.40) & (_Y < 0.45)


def nearest_by(measure: Measure) -> Solver[FacesPayload]:
    """The candidate whose numbers are nearest to the reference's; the first of equal ones."""

    def solve(item: Item[FacesPayload]) -> Solution:
        reference, *candidates = (measure(_seen(one.content())) for one in pictures(item))
        apart = [float(np.sqrt(((one - reference) ** 2).sum())) for one in candidates]
        best = min(range(len(apart)), key=apart.__getitem__)
        others = [far for place, far in enumerate(apart) if place != best]
        return Solution(str(best + 1), min(others) - apart[best])

    return solve


def histogram(where: np.ndarray) -> Measure:
    """Shares of 64 colours (four steps of each channel) there."""

    def measure(picture: np.ndarray) -> np.ndarray:
        steps = np.minimum((picture[where] * 4).astype(int), 3)
        counts = np.bincount(steps @ np.array([16, 4, 1]), minlength=64)
        return np.asarray(counts / counts.sum())

    return measure


def mean_colour(where: np.ndarray) -> Measure:
    return lambda picture: np.asarray(picture[where].mean(0))


def values(where: np.ndarray) -> Measure:
    """Every pixel there, each picture's mean and spread taken out."""

    def measure(picture: np.ndarray) -> np.ndarray:
        seen = picture[where]
        return np.asarray((seen - seen.mean()) / (seen.std() + 1e-6))

    return measure


def edges(where: np.ndarray) -> Measure:
    """Histograms of the directions of edges, in tiles of 8 x 8 pixels there."""

    def measure(picture: np.ndarray) -> np.ndarray:
        down, right = np.gradient(picture.mean(2))
        strength = np.sqrt(down**2 + right**2) * where
        direction = ((np.arctan2(down, right) % np.pi) / np.pi * 9).astype(int) % 9
        rows, columns = np.mgrid[0:SIDE, 0:SIDE] // 8
        place = (rows * (SIDE // 8) + columns) * 9 + direction
        counts = np.bincount(place.ravel(), strength.ravel(), (SIDE // 8) ** 2 * 9)
        return np.asarray(np.sqrt(counts / (counts.sum() + 1e-9)))

    return measure


def _seen(content: bytes) -> np.ndarray:
    picture = Image.open(io.BytesIO(content)).convert("RGB")
    small = picture.resize((SIDE, SIDE), Image.Resampling.BOX)
    return np.asarray(small, dtype=float) / 255


SOLVERS: Mapping[str, Solver[FacesPayload]] = {
    "colours": nearest_by(histogram(~FACE)),
    "background": nearest_by(mean_colour(BACKGROUND)),
    "clothing": nearest_by(mean_colour(CLOTHES)),
    "hair": nearest_by(values(HAIR)),
    "pixels": nearest_by(values(FACE | ~FACE)),
    "face-pixels": nearest_by(values(FACE)),
    "face-edges": nearest_by(edges(FACE)),
}
