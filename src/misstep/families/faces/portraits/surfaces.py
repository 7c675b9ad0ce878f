"""Solid parts → pixels: skin that light spreads in, cloth, shine, and the wall behind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy.sparse as sp

from misstep.families.faces.portraits import kernels
from misstep.families.faces.portraits.body.assets import head
from misstep.families.faces.portraits.body.cloth import fabric
from misstep.families.faces.portraits.lamps import FILL, KEY, SKY, Lamps
from misstep.families.faces.portraits.looks import Scene, Style
from misstep.families.faces.portraits.mesh import Bools, Floats, Ints, Sparse, unit
from misstep.families.faces.portraits.pixels import backdrop, pores
from misstep.families.faces.portraits.stage import SKIN, Camera, Lit, Solid

_ROUGH = np.array([0.44, 0.10, 0.28])
"""By kind of solid part."""
_WRAP = (0.22, 0.10, 0.05)
"""How far red, green and blue light bend around the skin's edge of shadow."""
_SPREAD_STEPS = (14, 5, 2)
"""How often each colour's light is averaged with its neighbours' in the skin."""


@dataclass(frozen=True)
class Hits:
    """The pixels that show something solid: which, and the corners they lie between."""

    where: Bools
    corners: Ints
    shares: Floats

    def mixed(self, values: Floats) -> Floats:
        """What has a value at each point, at each pixel."""
        parts = (values[self.corners[:, k]] * self.shares[:, k : k + 1] for k in range(3))
        return np.asarray(sum(parts))


@dataclass(frozen=True)
class Matter:
    """Of each pixel: its kind, its place on the body at rest, how much of it is cloth, and the
    cloth's colour there."""

    kind: Ints
    place: Floats
    cloth: Floats
    colour: Floats


def surfaces(
    solid: Solid, scene: Scene, style: Style, light: Lamps, lit: Lit, camera: Camera
) -> tuple[Floats, Floats]:
    """The picture without strands, and the inverse depth of each pixel."""
    nearest, which, inner = kernels.raster(camera.see(solid.points), solid.triangles, camera.size)
    image = backdrop(scene.backdrop, scene.backdrop_seed, camera.size)
    where = which >= 0
    second, third = inner[0][where], inner[1][where]
    corners = np.ascontiguousarray(solid.triangles[which[where]])
    hits = Hits(where, corners, np.stack([1 - second - third, second, third], 1))
    matter = _matter(hits, solid, scene)
    mirrored, sky = _shine(hits, solid, matter, style, light, lit, camera)
    image[where] = _matt(hits, solid, matter, light, lit) + mirrored + sky
    return image, nearest


def _matter(hits: Hits, solid: Solid, scene: Scene) -> Matter:
    rest = np.zeros((len(solid.points), 3))
    rest[: solid.skin] = head().rest
    kind, place = solid.kind[hits.corners[:, 0]], hits.mixed(rest)
    share, colour = fabric(place, scene.neckline, scene.cloth)
    return Matter(kind, place, share * (kind == SKIN), colour)


def _matt(hits: Hits, solid: Solid, matter: Matter, light: Lamps, lit: Lit) -> Floats:
    """The light that a surface scatters to all sides."""
    raw, spread = _irradiance(solid, light, lit)
    cloth = matter.cloth[:, None]
    bare = hits.mixed(solid.colours) * hits.mixed(spread) * (1 - cloth)
    return np.asarray(bare + matter.colour * hits.mixed(raw) * cloth)


def _shine(
    hits: Hits, solid: Solid, matter: Matter, style: Style, light: Lamps, lit: Lit, camera: Camera
) -> tuple[Floats, Floats]:
    """Mirrored lamps, and the sky at grazing angles."""
    is_skin = matter.kind == SKIN
    facing = unit(hits.mixed(solid.normals))
    facing[is_skin] = unit(facing[is_skin] + 0.032 * pores(matter.place[is_skin]))
    lips = np.zeros((len(solid.points), 1))
    lips[: solid.skin, 0] = head().masks.lips
    rough = _ROUGH[matter.kind] - 0.06 * hits.mixed(lips)[:, 0]
    rough = np.where(matter.cloth > 0.5, 0.8, rough)
    amount = _gloss(style, matter)
    views = unit(camera.place - hits.mixed(solid.points))
    by = slice(SKY, SKY + KEY + FILL)
    lamps = (lit.seen[by], light.toward[by], light.power[by])
    places = (hits.corners, hits.shares)
    mirrored = kernels.gloss(facing, views, rough, amount * np.pi, *places, *lamps)
    grazing = 0.028 + 0.45 * (1 - np.clip((facing * views).sum(1), 0, 1)) ** 5
    open_sky = hits.mixed(lit.seen[:SKY].mean(0)[:, None])
    sky = light.power[:SKY].mean(0) * SKY * 0.22
    return mirrored, (grazing * amount * 2.0)[:, None] * sky * open_sky


def _gloss(style: Style, matter: Matter) -> Floats:
    """How strongly each pixel shines. On dark skin the same shine stands out far more."""
    own = 0.11 if style.race == "black" else 0.34
    amount = np.array([own, 0.42, 0.40])[matter.kind]
    return np.asarray(amount * (1 - 0.9 * matter.cloth))


def _irradiance(solid: Solid, light: Lamps, lit: Lit) -> tuple[Floats, Floats]:
    """Light that falls on each point, and the same after it has spread in the skin."""
    raw = np.zeros_like(solid.points)
    is_skin = solid.kind == SKIN
    for lamp in range(len(light.toward)):
        cosine = (solid.normals * light.toward[lamp]).sum(1)
        for channel, wrap in enumerate(_WRAP):
            bent = np.where(is_skin, (cosine + wrap) / (1 + wrap), cosine)
            raw[:, channel] += np.maximum(bent, 0) * lit.seen[lamp] * light.power[lamp, channel]
    raw = raw + 0.10 * raw.mean(0) * np.array([1.0, 0.8, 0.7])
    spread = raw.copy()
    average = _averaging()
    for channel, steps in enumerate(_SPREAD_STEPS):
        own = raw[: solid.skin, channel]
        moved = own
        for _ in range(steps):
            moved = average @ moved
        spread[: solid.skin, channel] = 0.85 * moved + 0.15 * own
    return raw, spread


@cache
def _averaging() -> Sparse:
    """Takes a value per point of the skin to the mean over its neighbours."""
    faces, count = head().skin.faces, len(head().rest)
    ends = np.concatenate([faces[:, [a, (a + 1) % 4]] for a in range(4)])
    rows, columns = np.r_[ends[:, 0], ends[:, 1]], np.r_[ends[:, 1], ends[:, 0]]
    links = sp.coo_matrix((np.ones(len(rows)), (rows, columns)), (count, count)).tocsr()
    links.data[:] = 1
    degree = np.asarray(links.sum(1)).ravel()
    return (sp.diags(1 / np.maximum(degree, 1)) @ links).tocsr()
