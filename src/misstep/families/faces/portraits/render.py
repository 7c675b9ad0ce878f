"""Person, style, scene → a picture: shadows from many lamps, light that spreads in skin, strands.

Nothing but arithmetic on the processor; no graphics card and no window system is asked for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from misstep.families.faces.portraits import kernels
from misstep.families.faces.portraits.body.eyes import eyeball
from misstep.families.faces.portraits.body.figure import Figure, Mesh, figure
from misstep.families.faces.portraits.body.skin import brow_colour, skin_colours
from misstep.families.faces.portraits.lamps import Lamps, frame, lamps
from misstep.families.faces.portraits.looks import Person, Scene, Style
from misstep.families.faces.portraits.mesh import (
    Floats,
    smooth,
    triangles,
    unit,
)
from misstep.families.faces.portraits.pixels import developed
from misstep.families.faces.portraits.stage import EYE, SKIN, TEETH, Camera, Lit, Solid
from misstep.families.faces.portraits.strands.fringe import brows, lashes
from misstep.families.faces.portraits.strands.hair import Strands, hair
from misstep.families.faces.portraits.surfaces import surfaces

FINER = 2
"""Pixels are drawn this many times finer, then averaged."""
SHADOW_SIZE, SHADOW_REACH = 420, 2.6
DISTANCE, FIELD = 9.5, 19.5
"""Of the camera: decimetres from the face, and degrees that the picture's width shows."""
EXPOSURE = 1.02
_BIAS = np.array([0.035, 0.012, 0.03])
"""How much nearer to the lamp a point is taken, by kind: else surfaces shade themselves."""
_BONE, _TONGUE = (0.64, 0.60, 0.53), (0.30, 0.09, 0.09)


def portrait(person: Person, style: Style, scene: Scene, size: int = 512) -> NDArray[np.uint8]:
    """The picture, (size, size, 3). The same arguments give the same bytes on one machine."""
    body = figure(person, style, scene, _chance(style, 1))
    camera = _camera(body, style, scene, size * FINER)
    solid = _solid(body, person, style, camera)
    strands = hair(body, style, _chance(style, 2))
    light = lamps(scene)
    lit = _lit(solid, strands, style, light, camera)
    image, nearest = surfaces(solid, scene, style, light, lit, camera)
    _hairs(image, nearest, strands, lit, camera)
    curves = (brows(body, person.brow, _chance(style, 3)), lashes(body, style, _chance(style, 4)))
    _fringe(image, nearest, curves, style, light, camera)
    shown = developed(image, EXPOSURE).reshape(size, FINER, size, FINER, 3).mean((1, 3))
    return np.asarray(np.clip(shown, 0, 1) * 255 + 0.5, dtype=np.uint8)


def _chance(style: Style, use: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64([style.seed, use]))


def _camera(body: Figure, style: Style, scene: Scene, size: int) -> Camera:
    """Straight before the face, which stands a little below the middle under short hair."""
    above = 0.05 if style.hair_length == "long" else 0.16
    target = np.array([body.middle[0] * 0.5 + scene.aim[0], body.middle[1] + above, 0.2])
    target[1] += scene.aim[1]
    place = target + np.array((0.0, 0.0, DISTANCE * scene.zoom))
    axes = np.eye(3)
    focal = size / 2 / np.tan(np.radians(FIELD) / 2)
    return Camera(place, -axes[2], axes[0], axes[1], float(focal), size)


def _solid(body: Figure, person: Person, style: Style, camera: Camera) -> Solid:
    skin = skin_colours(person, style, _chance(style, 5))
    parts: list[tuple[Mesh, Floats, int]] = [(body.skin, skin, SKIN)]
    parts += [(*eyeball(eye, camera.place, style), EYE) for eye in body.eyes]
    parts += [(mesh, np.array(_BONE), TEETH) for mesh in body.teeth]
    parts += [(body.tongue, np.array(_TONGUE), TEETH)]
    sizes = [len(mesh.points) for mesh, _, _ in parts]
    starts = np.cumsum([0, *sizes[:-1]])
    return Solid(
        points=np.concatenate([mesh.points for mesh, _, _ in parts]),
        normals=np.concatenate([mesh.normals for mesh, _, _ in parts]),
        colours=np.concatenate([np.broadcast_to(c, m.points.shape) for m, c, _ in parts]),
        kind=np.repeat([kind for _, _, kind in parts], sizes),
        triangles=np.concatenate(
            [triangles(part[0].faces) + start for part, start in zip(parts, starts, strict=True)]
        ),
        skin=sizes[0],
    )


def _lit(solid: Solid, strands: Strands, style: Style, light: Lamps, camera: Camera) -> Lit:
    """Lamp by lamp: a map of depths seen from it, then what it reaches."""
    count, points, _ = strands.points.shape
    flat = np.ascontiguousarray(strands.points.reshape(-1, 3))
    along = np.ascontiguousarray(unit(np.gradient(strands.points, axis=1) + 1e-9).reshape(-1, 3))
    colours = _strand_colours(strands, style)
    shift = np.repeat(_chance(style, 6).normal(0, 0.035, count), points)
    dense = 2200 * (34 if style.hair_length == "long" else 9) / (count * points)
    lifted, bias = solid.points + solid.normals * 0.012, _BIAS[solid.kind]
    centre = camera.place - np.array((0.0, 0.0, DISTANCE))
    seen = np.empty((len(light.toward), len(solid.points)))
    shone = np.zeros((len(flat), 3))
    for number, toward in enumerate(light.toward):
        view = (frame(toward), centre, SHADOW_REACH, SHADOW_SIZE)
        at_strands = kernels.project(flat, *view)
        depth = kernels.depths(kernels.project(solid.points, *view), solid.triangles, SHADOW_SIZE)
        near, total = kernels.thickness(at_strands, depth, dense)
        seen[number] = kernels.lit_points(kernels.project(lifted, *view), bias, depth, near, total)
        reached = kernels.lit_strands(at_strands, depth, near, total, 9.0)[None]
        lamp = (toward[None], light.power[number][None])
        shone += kernels.strand_light(flat, along, camera.place, *lamp, reached, colours, shift)
    return Lit(seen, shone)


def _strand_colours(strands: Strands, style: Style) -> Floats:
    points = strands.points.shape[1]
    tone = strands.tone[:, None]
    own = np.clip(np.array(style.hair) * tone, 0, 0.85)
    pale = np.clip(np.array((0.33, 0.312, 0.282)) * tone**0.5, 0, 0.85)
    colour = np.where(strands.is_white[:, None], pale, own)
    darker = 0.62 + 0.38 * smooth(0.0, 0.25, np.linspace(0, 1, points))
    return np.ascontiguousarray((colour[:, None] * darker[None, :, None]).reshape(-1, 3))


def _hairs(image: Floats, nearest: Floats, strands: Strands, lit: Lit, camera: Camera) -> None:
    """Draw the hair over the image, which is changed."""
    count, points, _ = strands.points.shape
    at = camera.see(strands.points.reshape(-1, 3))
    taper = np.tile(np.linspace(1.05, 0.5, points), count)
    widths = np.maximum(camera.focal * strands.radius * 2 * at[2] * taper, 1.0)
    kernels.draw_strands(at, lit.strands, widths, points, nearest, image, 1.0)


def _fringe(
    image: Floats,
    nearest: Floats,
    curves: tuple[Floats, Floats],
    style: Style,
    light: Lamps,
    camera: Camera,
) -> None:
    """Draw brows and lashes over the image, which is changed."""
    dark = np.array([0.012, 0.010, 0.009])
    looks = ((brow_colour(style), 0.0020, 0.5), (dark, 0.0015, 0.45))
    for hairs, (colour, radius, cover) in zip(curves, looks, strict=True):
        count, points, _ = hairs.shape
        flat = np.ascontiguousarray(hairs.reshape(-1, 3))
        along = np.ascontiguousarray(unit(np.gradient(hairs, axis=1) + 1e-9).reshape(-1, 3))
        seen = np.full((len(light.toward), len(flat)), 0.65)
        own = np.ascontiguousarray(np.broadcast_to(colour, flat.shape))
        shone = kernels.strand_light(
            flat, along, camera.place, light.toward, light.power, seen, own, np.zeros(len(flat))
        )
        at = camera.see(flat)
        taper = np.tile(np.linspace(1.0, 0.6, points), count)
        widths = np.maximum(camera.focal * radius * 2 * at[2] * taper, 1.0)
        at[2] *= 1.0006
        kernels.draw_strands(at, shone * 0.9, widths, points, nearest, image, cover)
