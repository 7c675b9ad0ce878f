"""Brows and lashes: short hairs on the face."""

from __future__ import annotations

import numpy as np

from misstep.families.faces.portraits.body.assets import head
from misstep.families.faces.portraits.body.figure import Figure
from misstep.families.faces.portraits.body.skin import brow_half, brow_line
from misstep.families.faces.portraits.looks import Brow, Style
from misstep.families.faces.portraits.mesh import Floats, Ints, smooth, triangles, turned, unit

_BROW_HAIRS = 1500


def brows(figure: Figure, brow: Brow, chance: np.random.Generator) -> Floats:
    """Curves of three points: (hair, point, 3)."""
    model = head()
    chosen = _brow_triangles(brow, model.rest, model.skin.faces)
    a, b, c = (figure.skin.points[chosen[:, corner]] for corner in range(3))
    area = np.sqrt((np.cross(b - a, c - a) ** 2).sum(1))
    count = int(_BROW_HAIRS * brow.density)
    corners = chosen[chance.choice(len(chosen), count, p=area / area.sum())]
    weights = chance.dirichlet((1, 1, 1), count)[:, :, None]
    points = (figure.skin.points[corners] * weights).sum(1)
    normal = unit((figure.skin.normals[corners] * weights).sum(1))
    rest = (model.rest[corners] * weights).sum(1)
    x = np.abs(rest[:, 0])
    along, off = _along(brow, x), rest[:, 1] - brow_line(brow, x)
    is_in = np.abs(off) < brow_half(brow, along) * chance.uniform(0.75, 1.1, count)
    is_in &= (along > -0.06) & (along < 1.02)
    heading = _brow_heading(rest, along, off)
    heading = turned(heading, figure.turn) + chance.normal(0, 0.18, (count, 3))
    heading = unit(heading - (heading * normal).sum(1, keepdims=True) * normal)
    length = chance.uniform(0.035, 0.065, count)[:, None]
    middle = points + heading * length * 0.5 + normal * 0.010
    curves = np.stack([points, middle, points + heading * length + normal * 0.007], 1)
    return np.asarray(curves[is_in])


def _along(brow: Brow, x: Floats) -> Floats:
    return np.asarray((x - brow.start) / (brow.end - brow.start))


def _brow_triangles(brow: Brow, rest: Floats, faces: Ints) -> Ints:
    x = np.abs(rest[:, 0])
    along, off = _along(brow, x), np.abs(rest[:, 1] - brow_line(brow, x))
    is_in = (along > -0.08) & (along < 1.05) & (off < brow_half(brow, along) * 1.25)
    is_in &= rest[:, 2] > 0.9
    return triangles(faces[is_in[faces].any(1)])


def _brow_heading(rest: Floats, along: Floats, off: Floats) -> Floats:
    """Up at the inner end, outward along the brow, down at its tail; both edges bend inward."""
    rise = 0.9 * (1 - smooth(0, 0.45, along)) - 0.35 * smooth(0.5, 1, along)
    rise = rise - 0.3 * np.sign(off) * smooth(0.15, 0.4, along)
    return np.stack([np.sign(rest[:, 0]), rise, np.full(len(rise), -0.3)], 1)


def lashes(figure: Figure, style: Style, chance: np.random.Generator) -> Floats:
    """Curves of three points along the quads that the mesh has for lashes."""
    is_woman = style.gender == "woman"
    grown = []
    for eye, quads in zip(figure.eyes, head().lashes, strict=True):
        corners = figure.coarse[quads]
        apart = np.sqrt(((corners - eye.centre) ** 2).sum(2))
        for quad, order in zip(corners, np.argsort(apart, axis=1, kind="stable"), strict=True):
            for _ in range(5 if is_woman else 3):
                long = chance.uniform(0.5, 1.0) * (0.62 if is_woman else 0.40)
                grown.append(_lash(quad, order, chance.random(), long))
    return np.array(grown)


def _lash(quad: Floats, order: Ints, place: float, long: float) -> Floats:
    """From the lid's edge (the two corners next to the eye) toward the corners beyond them."""
    first, second = int(order[0]), int(order[1])
    outer = [corner for corner in range(4) if corner not in (first, second)]
    outer.sort(key=lambda corner: min((corner - first) % 4, (first - corner) % 4))
    root = quad[first] * (1 - place) + quad[second] * place
    tip = quad[outer[0]] * (1 - place) + quad[outer[1]] * place
    return np.stack([root, root + (tip - root) * long * 0.5, root + (tip - root) * long])
