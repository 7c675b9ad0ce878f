"""How hair lies: length and density of a cut, the way it is combed, and how it curls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from misstep.families.faces.portraits.looks import Style
from misstep.families.faces.portraits.mesh import Bools, Floats, Ints, smooth, unit

CROWN = (0.0, 8.40, -0.45)
"""Where short hair grows away from, on the head at rest."""


@dataclass(frozen=True)
class Cut:
    """A way of wearing hair. Lengths in decimetres; `points` per strand; `hangs` is true for hair
    that is parted and falls. `clump` draws strands together, `frizz` sends them astray."""

    kind: str
    hangs: bool
    is_afro: bool
    strands: int
    points: int
    sides: float
    top: float
    gravity: float
    standoff: float
    clump: float
    frizz: float
    radius: float
    curl: str


def cut(style: Style) -> Cut:
    """The cut that goes with the style's length and type of hair, and the gender."""
    if style.hair_length == "long":
        return _long(style)
    if style.race == "black" and style.hair_type == "curly":
        return _afro(style)
    return _bob(style) if style.gender == "woman" else _short_cut(style)


def _long(style: Style) -> Cut:
    is_curly = style.hair_type == "curly"
    length = (2.1 if is_curly else 2.6) * style.length
    return Cut(
        kind="long",
        hangs=True,
        is_afro=False,
        strands=11_000 if is_curly else 13_500,
        points=32,
        sides=length,
        top=length,
        gravity=0.20,
        standoff=(0.075 if is_curly else 0.05) * style.volume,
        clump=_clump(style),
        frizz=0.030,
        radius=0.0036 if is_curly else 0.0033,
        curl=style.hair_type,
    )


def _afro(style: Style) -> Cut:
    size = style.length * style.volume * (1.15 if style.gender == "woman" else 0.80)
    return Cut(
        kind="afro",
        hangs=False,
        is_afro=True,
        strands=15_000,
        points=12,
        sides=0.12 * size,
        top=0.30 * size,
        gravity=0.0,
        standoff=0.0,
        clump=0.6,
        frizz=0.03,
        radius=0.0024,
        curl="afro",
    )


def _bob(style: Style) -> Cut:
    return Cut(
        kind="bob",
        hangs=True,
        is_afro=False,
        strands=15_000,
        points=20,
        sides=0.95 * style.length,
        top=1.05 * style.length,
        gravity=0.24,
        standoff=0.045 * style.volume,
        clump=_clump(style),
        frizz=0.028,
        radius=0.0028,
        curl=style.hair_type,
    )


def _short_cut(style: Style) -> Cut:
    return Cut(
        kind="short",
        hangs=False,
        is_afro=False,
        strands=17_000,
        points=12,
        sides=0.12,
        top=0.46 * style.length,
        gravity=0.035,
        standoff=0.012,
        clump=_clump(style),
        frizz=0.026,
        radius=0.0025,
        curl=style.hair_type,
    )


def _clump(style: Style) -> float:
    return 0.35 if style.hair_type == "straight" else 0.6


def in_fringe(style: Style, cut: Cut, rest: Floats) -> Bools:
    """Which roots bear a fringe: those over the forehead."""
    x, y, z = rest.T
    over = (z > 0.62) & (np.abs(x) < 0.50) & (y < 8.22)
    return np.asarray(over & (style.fringe and cut.hangs))


def _height(rest: Floats) -> Floats:
    """0 on the sides, 1 on top; the front of the top reaches down to the hairline."""
    x, y, z = rest.T
    front = smooth(0.35, 0.75, z) * (1 - smooth(0.42, 0.62, np.abs(x)))
    return smooth(0.0, 1.0, (y - (7.72 - 0.20 * front)) / (0.42 - 0.17 * front))


def lengths(style: Style, cut: Cut, rest: Floats, chance: np.random.Generator) -> Floats:
    """The guides' lengths: longer on top, by a smooth change; cropped about the ears."""
    top = smooth(7.2, 8.05, rest[:, 1])
    spread = 0.0 if cut.is_afro else (0.05 if cut.hangs else 0.10)
    curl = 1.15 if cut.curl == "curly" and not cut.hangs else 1.0
    low = 1.0 if cut.hangs or cut.is_afro else 0.45 + 0.55 * smooth(7.1, 7.6, rest[:, 1])
    length = (cut.sides * low * (1 - top) + cut.top * top) * curl
    reach = np.maximum(0.18, rest[:, 1] - 7.57)
    length = np.where(in_fringe(style, cut, rest), reach, length)
    return np.asarray(length * np.exp(chance.normal(0, spread, len(rest))))


def flow(style: Style, cut: Cut, rest: Floats) -> Floats:
    """The way the comb went at each root, on the head at rest."""
    if not cut.hangs:
        return _short(style, rest)
    x = rest[:, 0]
    forward = np.stack([0.35 * style.sweep + 0.5 * x, -1.0 + 0 * x, 0.5 + 0 * x], 1)
    return np.where(in_fringe(style, cut, rest)[:, None], forward, _fallen(style, rest))


def _fallen(style: Style, rest: Floats) -> Floats:
    """From the parting to both sides, then down; over the temples, before the ears."""
    x, _, z = rest.T
    side = np.where(x > style.part, 1.0, -1.0)
    top, front = _height(rest)[:, None], smooth(0.3, 0.9, z)
    aside = np.stack([side, -0.30 + 0 * x, -0.25 * front - 0.50 * (1 - front)], 1)
    down = np.stack([0.30 * np.sign(x), -1.0 + 0 * x, -0.12 + 0 * x], 1)
    return np.asarray(aside * top + down * (1 - top))


def _short(style: Style, rest: Floats) -> Floats:
    """Away from the crown and aside, or up and back from the forehead; the sides down."""
    x = rest[:, 0]
    top = _height(rest)[:, None]
    away = unit(rest - np.array(CROWN))
    forward = away + np.stack([0.9 * style.sweep + 0 * x, 0 * x, 0 * x], 1)
    back = np.stack([style.sweep * 0.6 + 0 * x, 0.3 + 0 * x, -1.0 + 0 * x], 1)
    combed = forward if style.forward > 0 else back
    down = np.stack([0 * x, -1.0 + 0 * x, -0.35 + 0 * x], 1)
    return np.asarray(combed * top + down * (1 - top))


def lift(style: Style, cut: Cut, rest: Floats) -> Floats:
    """How steeply hair leaves the skin, against the comb's way."""
    top = _height(rest)
    if cut.is_afro:
        return np.full(len(rest), 6.0)
    if cut.hangs:
        front = smooth(0.3, 0.9, rest[:, 2])
        raised = style.volume * (0.08 + (0.24 + 0.18 * front) * top)
        return np.where(in_fringe(style, cut, rest), 0.35, raised)
    return np.asarray(style.volume * ((0.75 if style.forward < 0 else 0.42) * top + 0.04))


_PERIOD = {"wavy": 0.95, "curly": 0.36, "afro": 0.13}
_SIZE = {"wavy": 0.055, "curly": 0.075, "afro": 0.035}


def curled(
    points: Floats, run: Floats, guide: Ints, cut: Cut, chance: np.random.Generator, guides: int
) -> Floats:
    """The strands wound about their own way; neighbours of one guide curl together."""
    if cut.curl == "straight":
        return points
    is_short = not cut.hangs and not cut.is_afro
    period = _PERIOD[cut.curl] * (0.62 if is_short else 1.0)
    size = _SIZE[cut.curl] * (0.55 if is_short else 1.0)
    count = int(np.clip(np.ceil(run.max() / period * 7), points.shape[1], 64))
    points = _refined(points, count)
    forward = unit(np.gradient(points, axis=1))
    across = unit(np.cross(forward, (0.5, 0.6, 0.62) if cut.is_afro else (0.3, 0.2, 1.0)))
    up = np.cross(forward, across)
    along = np.linspace(0, 1, count)[None] * run[:, None]
    spread = 2.0 if cut.is_afro else 0.6
    phase = chance.uniform(0, 2 * np.pi, guides)[guide] + chance.normal(0, spread, len(points))
    own_period = period * np.exp(chance.normal(0, 0.22, guides))[guide]
    angle = 2 * np.pi * along / own_period[:, None] + phase[:, None]
    wide = (size * smooth(0, 0.05 if cut.is_afro else 0.25, along))[..., None]
    turn = 0.25 if cut.curl == "wavy" else 1.0
    wound = np.cos(angle)[..., None] * across + turn * np.sin(angle)[..., None] * up
    return np.asarray(points + wide * wound)


def _refined(points: Floats, count: int) -> Floats:
    """The same curves with `count` points, linear between."""
    at = np.linspace(0, points.shape[1] - 1, count)
    low = np.minimum(at.astype(int), points.shape[1] - 2)
    part = (at - low)[None, :, None]
    return np.asarray(points[:, low] * (1 - part) + points[:, low + 1] * part)
