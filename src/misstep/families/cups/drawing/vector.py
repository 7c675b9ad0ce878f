"""A figure as SVG: the same shapes, one element each."""

from __future__ import annotations

from xml.sax.saxutils import escape

from misstep.families.cups.drawing.figure import HEIGHT, WIDTH, Box, Figure, Shape


def to_svg(figure: Figure, pixels: int, alt: str) -> str:
    """`pixels` is the width at which it is shown; `alt` is read out where it isn't seen."""
    height = round(pixels * HEIGHT / WIDTH)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(alt)}" '
        f'width="{pixels}" height="{height}" viewBox="0 0 {WIDTH} {HEIGHT}">'
    )
    paper = f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    return "\n".join([opening, paper, *map(_element, figure.shapes), "</svg>\n"])


def _element(shape: Shape) -> str:
    if isinstance(shape, Box):
        size = f'width="{_plain(shape.right - shape.left)}"'
        size += f' height="{_plain(shape.bottom - shape.top)}"'
        place = f'x="{_plain(shape.left)}" y="{_plain(shape.top)}"'
        return f'<rect class="{shape.name}" {place} {size} fill="{shape.colour}"/>'
    points = " ".join(f"{_plain(one.x)},{_plain(one.y)}" for one in shape.points)
    pen = f'stroke="{shape.colour}" stroke-width="{_plain(shape.thickness)}"'
    return (
        f'<polyline class="{shape.name}" points="{points}" fill="none" {pen} '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _plain(number: float) -> str:
    """At most three decimals, without zeros at the end."""
    return f"{number:.3f}".rstrip("0").rstrip(".")
