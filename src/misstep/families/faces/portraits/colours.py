"""Colours: from the screen's scale to light, and the palettes of skin, hair, eyes, cloth, walls."""

from __future__ import annotations

from collections.abc import Mapping

from misstep.families.faces.portraits.looks import Colour

Bytes3 = tuple[int, int, int]

SKIN: Mapping[str, tuple[Bytes3, ...]] = {
    "white": ((224, 180, 160), (214, 167, 144), (203, 154, 129)),
    "asian": ((214, 175, 150), (202, 161, 134), (187, 146, 118)),
    "hispanic": ((199, 150, 119), (185, 134, 103), (170, 120, 90)),
    "black": ((126, 86, 65), (104, 69, 52), (84, 56, 43)),
}
"""From light to dark."""

HAIR: Mapping[str, Colour] = {
    "black": (0.013, 0.011, 0.010),
    "brown": (0.058, 0.031, 0.017),
    "blonde": (0.36, 0.225, 0.105),
    "red": (0.21, 0.062, 0.020),
    "gray": (0.185, 0.172, 0.154),
}
IRIS: Mapping[str, Bytes3] = {
    "brown": (78, 46, 24),
    "blue": (88, 128, 166),
    "green": (104, 112, 78),
}


def linear(colour: Bytes3) -> Colour:
    red, green, blue = (_to_light(value / 255) for value in colour)
    return red, green, blue


def _to_light(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def between(palette: tuple[Bytes3, ...], place: float) -> Colour:
    """A colour along the palette, 0 its first and 1 its last."""
    at = min(max(place, 0.0), 1.0) * (len(palette) - 1)
    low = min(int(at), len(palette) - 2)
    pairs = zip(palette[low], palette[low + 1], strict=True)
    red, green, blue = (_to_light((a + (b - a) * (at - low)) / 255) for a, b in pairs)
    return red, green, blue


CLOTH: tuple[Bytes3, ...] = (
    (58, 70, 92),
    (122, 38, 42),
    (206, 204, 198),
    (44, 44, 47),
    (92, 110, 84),
    (132, 142, 156),
    (176, 140, 84),
    (98, 74, 112),
    (64, 116, 122),
    (150, 98, 78),
)
WALL: tuple[Bytes3, ...] = (
    (190, 195, 200),
    (120, 130, 140),
    (168, 153, 134),
    (98, 116, 104),
    (150, 164, 188),
    (90, 92, 100),
    (176, 160, 160),
    (128, 112, 98),
    (204, 196, 180),
)
