"""Pictures of the service made ready: cut in half, and brought to one size."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from misstep.picture_files import Unreadable, png, upright

MOST_PIXELS = 20_000_000
"""What the service sends has about a million."""


@dataclass(frozen=True)
class Halves:
    """The two pictures of one person, as PNG."""

    left: bytes
    right: bytes


def is_picture(content: bytes) -> bool:
    """Whether it is a whole picture of a sane size."""
    try:
        upright(content, MOST_PIXELS)
    except Unreadable:
        return False
    return True


def halves(content: bytes, size: int) -> Halves:
    """Left and right half, each cut to a square and brought to `size` pixels."""
    picture = upright(content, MOST_PIXELS)
    middle = picture.width // 2
    left = picture.crop((0, 0, middle, picture.height))
    right = picture.crop((picture.width - middle, 0, picture.width, picture.height))
    return Halves(_squared(left, size), _squared(right, size))


def squared(content: bytes, size: int) -> bytes:
    return _squared(upright(content, MOST_PIXELS), size)


def _squared(picture: Image.Image, size: int) -> bytes:
    """What is too high loses its foot, where there is no face; what is too wide, both sides."""
    side = min(picture.size)
    left = (picture.width - side) // 2
    square = picture.crop((left, 0, left + side, side))
    return png(square.resize((size, size), Image.Resampling.LANCZOS))
