"""The picture of a problem: one description, drawn as PNG and as SVG."""

from __future__ import annotations

from functools import partial

from misstep.core.items import Item
from misstep.core.pictures import Picture
from misstep.families.cups.drawing.layout import figure
from misstep.families.cups.prompts import ALT
from misstep.families.cups.spec import CupsPayload


def png(payload: CupsPayload) -> bytes:
    """The picture as a PNG file; the same bytes from run to run in one environment."""
    from misstep.families.cups.drawing.raster import to_png

    return to_png(figure(payload), payload.pixels)


def svg(payload: CupsPayload) -> bytes:
    """The picture as an SVG file; the same bytes everywhere."""
    from misstep.families.cups.drawing.vector import to_svg

    return to_svg(figure(payload), payload.pixels, ALT).encode()


def pictures(item: Item[CupsPayload]) -> tuple[Picture, ...]:
    """The one picture, drawn when its content is asked for, and the same as SVG."""
    also = Picture(f"{item.id}.svg", ALT, partial(svg, item.payload))
    return (Picture(f"{item.id}.png", ALT, partial(png, item.payload), (also,)),)


__all__ = ["pictures", "png", "svg"]
