"""Hair: guide strands grown over the posed head, then thousands of strands between them.

The hair belongs to the problem's style, so that all its five people wear the same; only the head
beneath differs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from misstep.families.faces.portraits.body.assets import head
from misstep.families.faces.portraits.body.figure import Figure, ear_region
from misstep.families.faces.portraits.body.skin import above_hairline
from misstep.families.faces.portraits.looks import Style
from misstep.families.faces.portraits.mesh import (
    Bools,
    Floats,
    Ints,
    noise,
    smooth,
    triangles,
    turned,
    unit,
)
from misstep.families.faces.portraits.strands import combing
from misstep.families.faces.portraits.strands.combing import Cut

GUIDES = 900


@dataclass(frozen=True)
class Strands:
    """Curves of equally many points each: (strand, point, 3); `radius` at the root. `tone` is a
    factor on each strand's colour, `is_white` says which have lost theirs."""

    points: Floats
    radius: float
    tone: Floats
    is_white: Bools


@dataclass(frozen=True)
class Roots:
    """Where strands leave the skin: posed points and normals, and points at rest."""

    points: Floats
    normals: Floats
    rest: Floats


def hair(figure: Figure, style: Style, chance: np.random.Generator) -> Strands:
    cut = combing.cut(style)
    scalp = _scalp(style, chance)
    share = _areas(figure, style, cut, scalp)
    guides = _roots(figure, scalp, share, GUIDES, chance)
    lengths = combing.lengths(style, cut, guides.rest, chance)
    grown = _grown(figure, style, cut, guides, lengths)
    roots = _roots(figure, scalp, share, cut.strands, chance)
    nearest = _nearest(figure, style, cut, guides, roots)
    points = _between(grown, guides, roots, nearest, cut, chance)
    run = (lengths[nearest.which] * nearest.share).sum(1)
    points = combing.curled(points, run, nearest.which[:, 0], cut, chance, GUIDES)
    ends = np.minimum(np.exp(chance.normal(0, 0.08, len(points))), 1)
    points = roots.points[:, None] + (points - points[:, :1]) * ends[:, None, None]
    locks = np.exp(chance.normal(0, 0.16, GUIDES))[nearest.which[:, 0]]
    tone = locks * np.exp(chance.normal(0, 0.15, len(points)))
    is_white = chance.random(len(points)) < style.white
    kept = ~_is_astray(figure, points, combing.in_fringe(style, cut, roots.rest))
    return Strands(points[kept], cut.radius, tone[kept], is_white[kept])


def _scalp(style: Style, chance: np.random.Generator) -> Ints:
    """The triangles that hair grows from; the line is a little uneven."""
    model = head()
    above = above_hairline(style) - 1.6 * noise(model.rest, 6, chance, 1)
    grows = (above > 0) & ~ear_region(model) & (model.rest[:, 1] > 6.3)
    faces = model.skin.faces
    return triangles(faces[grows[faces].all(1)])


def _areas(figure: Figure, style: Style, cut: Cut, scalp: Ints) -> Floats:
    """Each triangle's share of the roots: by its area, denser at the front and at a parting."""
    a, b, c = (figure.skin.points[scalp[:, corner]] for corner in range(3))
    across = np.cross(b - a, c - a)
    area = np.sqrt((across * across).sum(1))
    x, y, z = head().rest[scalp].mean(1).T
    area = area * (1 + 1.0 * smooth(0.3, 0.8, z))
    if cut.hangs:
        area = area * (1 + 5.0 * np.exp(-(((x - style.part) / 0.09) ** 2)) * smooth(7.6, 7.9, y))
    found: Floats = area / area.sum()
    return found


def _roots(
    figure: Figure, scalp: Ints, share: Floats, count: int, chance: np.random.Generator
) -> Roots:
    corners = scalp[chance.choice(len(scalp), count, p=share)]
    weights = chance.dirichlet((1, 1, 1), count)[:, :, None]
    return Roots(
        (figure.skin.points[corners] * weights).sum(1),
        unit((figure.skin.normals[corners] * weights).sum(1)),
        (head().rest[corners] * weights).sum(1),
    )


def _grown(figure: Figure, style: Style, cut: Cut, roots: Roots, lengths: Floats) -> Floats:
    """Guide strands: each step follows the comb, then gravity, and stays outside the skin."""
    tree = cKDTree(figure.skin.points)
    flow = turned(combing.flow(style, cut, roots.rest), figure.turn)
    flow = unit(flow - (flow * roots.normals).sum(1, keepdims=True) * roots.normals)
    lift = combing.lift(style, cut, roots.rest)
    heading = unit(flow * (0.2 if cut.is_afro else 1.0) + lift[:, None] * roots.normals)
    step = lengths / (cut.points - 1)
    fringe = combing.in_fringe(style, cut, roots.rest)
    points = np.zeros((len(roots.points), cut.points, 3))
    points[:, 0] = roots.points + roots.normals * 0.004
    for place in range(1, cut.points):
        pull = cut.gravity * min(1.0, 0.35 + place / 10)
        heading = heading + np.array((0.0, -pull, 0.0))
        moved = points[:, place - 1] + unit(heading) * step[:, None]
        for _ in range(2):
            moved = _outside(figure, tree, moved, cut.standoff * min(1.0, place / 4))
            if cut.hangs:
                aside = _off_the_face(figure, moved)
                moved = np.where(fringe[:, None], moved, aside)
        points[:, place] = moved
        went = unit(moved - points[:, place - 1])
        heading = went if cut.is_afro else unit(0.75 * went + 0.25 * unit(heading))
    return points


def _outside(figure: Figure, tree: cKDTree, points: Floats, gap: float) -> Floats:
    """Pushed out along the nearest normal to at least `gap` from the skin."""
    apart, nearest = tree.query(points)
    normal = figure.skin.normals[nearest]
    above = ((points - figure.skin.points[nearest]) * normal).sum(1)
    short = np.where((above < 0.02 + gap) & (apart < 0.6), 0.02 + gap - above, 0)
    return np.asarray(points + normal * short[:, None])


def _off_the_face(figure: Figure, points: Floats) -> Floats:
    """Moved aside and back where it would hang before the face."""
    own = turned(points - figure.pivot, figure.turn.T)
    middle = turned((figure.middle - figure.pivot)[None], figure.turn.T)[0]
    x, y, z = (own - middle).T
    half = 0.70 * np.sqrt(np.maximum(0, 1 - ((y + 0.10) / 1.02) ** 2))
    blocks = (z > -1.1) & (np.abs(x) < half)
    aside = np.where(blocks, np.minimum((half - np.abs(x)) * 0.5, 0.07), 0)
    back = np.where(blocks, np.minimum((z + 1.1) * 0.3, 0.04), 0)
    own = own + np.stack([np.sign(x + 1e-6) * aside, np.zeros(len(x)), -back], 1)
    return turned(own, figure.turn) + figure.pivot


def _is_astray(figure: Figure, points: Floats, fringe: Bools) -> Bools:
    """Which strands hang before the neck or, but for a fringe, the face: between guides of both
    sides some do."""
    own = turned(points - figure.pivot, figure.turn.T)
    throat = (np.abs(own[..., 0]) < 0.5) & (own[..., 2] > 0.25) & (own[..., 1] < 0.6)
    middle = turned((figure.middle - figure.pivot)[None], figure.turn.T)[0]
    x, y, z = np.moveaxis(own - middle, -1, 0)
    face = ((x / 0.52) ** 2 + ((y - 0.02) / 0.72) ** 2 < 1) & (z > -0.7)
    return np.asarray(throat.any(1) | (face.any(1) & ~fringe))


@dataclass(frozen=True)
class _Nearest:
    """The three guides next to each strand, and the share of each."""

    which: Ints
    share: Floats


def _nearest(figure: Figure, style: Style, cut: Cut, guides: Roots, roots: Roots) -> _Nearest:
    apart, which = cKDTree(guides.points).query(roots.points, k=3)
    share = np.exp(-((apart / 0.08) ** 2))
    if cut.hangs:  # no strand lies across the parting
        side = np.sign(roots.rest[:, 0] - style.part)[:, None]
        share = share * np.where(np.sign(guides.rest[which, 0] - style.part) == side, 1, 0.02)
    share = (share + 1e-6) ** (1 + 2 * cut.clump)
    return _Nearest(which, share / share.sum(1, keepdims=True))


def _between(
    grown: Floats,
    guides: Roots,
    roots: Roots,
    nearest: _Nearest,
    cut: Cut,
    chance: np.random.Generator,
) -> Floats:
    """Strands between their guides: nearer together at the tips, each a little astray."""
    share = nearest.share[..., None, None]
    points = (grown[nearest.which] * share).sum(1)
    offset = roots.points - (guides.points[nearest.which] * nearest.share[..., None]).sum(1)
    along = np.linspace(0, 1, cut.points)[None, :, None]
    points = points + offset[:, None] * (1 - cut.clump * np.minimum(1, along * 1.6))
    astray = chance.normal(0, 1, (len(points), 1, 3)) * cut.frizz
    return np.asarray(points + astray * along**1.2)
