"""What a portrait shows: the person's form, the problem's style, the picture's scene; data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Colour = tuple[float, float, float]
"""Red, green, blue, linear, 0 to 1."""


@dataclass(frozen=True)
class Brow:
    """The form of the brows: lift, half thickness, arch, and where along x they begin and end."""

    lift: float
    thickness: float
    arch: float
    start: float
    end: float
    density: float


@dataclass(frozen=True)
class Person:
    """Who: weights of the head's shapes, and the brows. Nothing else tells two people apart."""

    weights: Mapping[str, float]
    brow: Brow


@dataclass(frozen=True)
class Style:
    """What the five people of a problem share beside their attributes.

    `years` is 0 (young) to 1 (old). `seed` is for all that is scattered at random: strands,
    freckles, moles. `part` is where along x the hair parts; `sweep` is how far short hair is
    combed to the side, `forward` whether to the front (1) or up and
    back (-1); `fringe`: long hair is cut over the forehead.
    """

    race: str
    gender: str
    years: float
    skin: Colour
    hair: Colour
    white: float
    iris: Colour
    blush: float
    freckles: float
    moles: int
    lips: float
    beard: float
    hair_length: str
    hair_type: str
    hairline: float
    receding: float
    part: float
    sweep: float
    forward: float
    fringe: bool
    volume: float
    length: float
    seed: int


@dataclass(frozen=True)
class Scene:
    """What belongs to one picture: pose in degrees, expression, light, clothes, background.

    `light` numbers a set-up of lamps, `turn` turns it (degrees). `neckline` is "round" or "v".
    `aim` shifts the camera (decimetres), `zoom` is its distance against the usual one.
    """

    pose: tuple[float, float, float]
    expression: str
    amount: float
    light: int
    turn: float
    cloth: Colour
    neckline: str
    backdrop: Colour
    backdrop_seed: int
    aim: tuple[float, float]
    zoom: float
