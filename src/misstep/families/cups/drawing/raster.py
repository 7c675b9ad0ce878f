"""A figure as PNG: drawn four times as large, then reduced, which makes smooth edges."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from math import hypot

from PIL import Image, ImageDraw

from misstep.families.cups.drawing.figure import HEIGHT, WIDTH, Box, Figure, Point, Stroke

_LARGER = 4
_PAPER = "#ffffff"


def to_png(figure: Figure, pixels: int) -> bytes:
    """`pixels` is the picture's width."""
    scale = pixels * _LARGER / WIDTH
    size = (pixels * _LARGER, round(pixels * HEIGHT / WIDTH) * _LARGER)
    image = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(image)
    for shape in figure.shapes:
        if isinstance(shape, Box):
            _fill(draw, shape, scale)
        else:
            _line(draw, shape, scale)
    out = BytesIO()
    image.reduce(_LARGER).save(out, "PNG")
    return out.getvalue()


def _fill(draw: ImageDraw.ImageDraw, box: Box, scale: float) -> None:
    # Pillow draws the last pixel of a rectangle, too.
    low = (round(box.left * scale), round(box.top * scale))
    high = (round(box.right * scale) - 1, round(box.bottom * scale) - 1)
    draw.rectangle((low, high), fill=box.colour)


def _line(draw: ImageDraw.ImageDraw, stroke: Stroke, scale: float) -> None:
    """Each piece as a rectangle that lies askew, each point as a disc."""
    points = [Point(one.x * scale, one.y * scale) for one in stroke.points]
    half = stroke.thickness * scale / 2
    for start, end in pairwise(points):
        length = hypot(end.x - start.x, end.y - start.y)
        x, y = half * (start.y - end.y) / length, half * (end.x - start.x) / length
        corners = ((start, 1), (end, 1), (end, -1), (start, -1))
        draw.polygon([(at.x + side * x, at.y + side * y) for at, side in corners], stroke.colour)
    for one in points:
        draw.ellipse((one.x - half, one.y - half, one.x + half, one.y + half), stroke.colour)
