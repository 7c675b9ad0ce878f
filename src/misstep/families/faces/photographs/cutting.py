"""The one face of a photograph, cut out and turned upright."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from PIL import Image

from misstep.families.faces.gate import LANDMARKS, models_folder

_DETAIL = 1024
"""Pixels of the longer side in which a face is looked for."""
_MARGIN = 0.55
"""Of a face's own size, shown on each side of it."""


class NotOne(ValueError):
    """A picture that shows no face, or several."""

    def __init__(self, count: int) -> None:
        super().__init__(f"{count} faces" if count else "no face")


def portrait(picture: Image.Image, size: int) -> Image.Image:
    """A square of that size with the face in its middle; what lies outside the photograph repeats
    its edge. NotOne where there isn't one face."""
    small = _fitting(picture)
    boxes = _detector()(np.asarray(small), 1)
    if len(boxes) != 1:
        raise NotOne(len(boxes))
    return _cut(picture, boxes[0], picture.width / small.width, size)


def _cut(picture: Image.Image, box: Any, scale: float, size: int) -> Image.Image:
    """`box` is dlib's (Any: it has no types), of a copy that is so many times smaller."""
    import dlib

    edge = round(box.width() * scale)
    sides = (box.left(), box.top(), box.right(), box.bottom())
    moved = (round(side * scale) + edge for side in sides)
    pixels = np.pad(np.asarray(picture), ((edge, edge), (edge, edge), (0, 0)), mode="edge")
    points = _landmarks()(pixels, dlib.rectangle(*moved))
    return Image.fromarray(dlib.get_face_chip(pixels, points, size=size, padding=_MARGIN))


def _fitting(picture: Image.Image) -> Image.Image:
    """At most so large that looking for a face takes no more than a second or so."""
    share = _DETAIL / max(picture.size)
    if share >= 1:
        return picture
    width, height = (max(1, round(side * share)) for side in picture.size)
    return picture.resize((width, height), Image.Resampling.LANCZOS)


@cache
def _detector() -> Any:  # Any: dlib has no types
    import dlib

    return dlib.get_frontal_face_detector()


@cache
def _landmarks() -> Any:  # Any: likewise
    import dlib

    return dlib.shape_predictor(str(models_folder() / LANDMARKS))
