"""Person and scene → the posed figure: skin, eyes, teeth, tongue, and where the head turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from misstep.families.faces.portraits.body.assets import Head, head
from misstep.families.faces.portraits.body.cloth import dressed
from misstep.families.faces.portraits.body.people import shaped
from misstep.families.faces.portraits.looks import Person, Scene, Style
from misstep.families.faces.portraits.mesh import (
    Bools,
    Floats,
    Ints,
    noise,
    normals,
    smooth,
    turned,
)

_BOTH = ("Left", "Right")


def _sides(name: str, amount: float) -> dict[str, float]:
    return {f"unit/{name}{side}": amount for side in _BOTH}


EXPRESSIONS: Mapping[str, Mapping[str, float]] = {
    "neutral": _sides("mouthSmile", 0.14),
    "smile": _sides("mouthSmile", 0.7)
    | _sides("cheekSquint", 0.5)
    | _sides("eyeSquint", 0.3)
    | _sides("mouthDimple", 0.2),
    "grin": _sides("mouthSmile", 0.85)
    | _sides("mouthUpperUp", 0.32)
    | _sides("cheekSquint", 0.65)
    | _sides("eyeSquint", 0.35)
    | {"unit/jawOpen": 0.13},
    "serious": _sides("browDown", 0.45) | _sides("mouthPress", 0.4) | _sides("mouthFrown", 0.2),
    "surprised": _sides("browOuterUp", 0.5)
    | _sides("eyeWide", 0.3)
    | {"unit/browInnerUp": 0.5, "unit/jawOpen": 0.07},
}


_RELAXED = _sides("eyeBlink", 0.10)
"""Of every expression: eyes of the mesh at rest look startled."""


@dataclass(frozen=True)
class Mesh:
    points: Floats
    normals: Floats
    faces: Ints


@dataclass(frozen=True)
class Eye:
    centre: Floats
    radius: float


@dataclass(frozen=True)
class Figure:
    """The posed figure, in decimetres. `turn` is the head's rotation about `pivot`, `coarse` the
    coarse points as the head carries them. `nose` is the middle of the face."""

    skin: Mesh
    eyes: tuple[Eye, Eye]
    teeth: tuple[Mesh, Mesh]
    tongue: Mesh
    coarse: Floats
    turn: Floats
    pivot: Floats
    middle: Floats


def figure(person: Person, style: Style, scene: Scene, chance: np.random.Generator) -> Figure:
    model = head()
    units = EXPRESSIONS[scene.expression]
    expressed = {name: amount * scene.amount for name, amount in units.items()}
    coarse = shaped({**person.weights, **_RELAXED, **expressed})
    pivot, turn = coarse[model.neck].mean(0), _rotation(*scene.pose)

    def carried(points: Floats, share: Floats) -> Floats:
        by = share[:, None] * (turned(points - pivot, turn) + pivot - points)
        return np.asarray(points + by)

    def part(points: Floats, faces: Ints) -> Mesh:
        moved = carried(points, np.ones(len(points)))
        return Mesh(moved, normals(moved, faces), faces)

    fine = model.skin.of(coarse)
    fine = fine + normals(fine, model.skin.faces) * _relief(model, style, chance)[:, None]
    bare = carried(fine, model.sway)
    posed = dressed(bare, normals(bare, model.skin.faces), model.rest, scene.neckline)
    facing = normals(posed, model.skin.faces)
    whole = carried(coarse, np.ones(len(coarse)))
    return Figure(
        skin=Mesh(posed, facing, model.skin.faces),
        eyes=(_eye(coarse, 0, turn, pivot), _eye(coarse, 1, turn, pivot)),
        teeth=(
            part(model.teeth[0].of(coarse), model.teeth[0].faces),
            part(model.teeth[1].of(coarse), model.teeth[1].faces),
        ),
        tongue=part(model.tongue.of(coarse), model.tongue.faces),
        coarse=whole,
        turn=turn,
        pivot=pivot,
        middle=posed[_middle(model)].mean(0),
    )


def _middle(model: Head) -> Bools:
    x, y, z = model.rest.T
    found: Bools = (np.abs(x) < 0.1) & (np.abs(y - 7.1) < 0.12) & (z > 0.9)
    return found


def _rotation(yaw: float, pitch: float, roll: float) -> Floats:
    """Rows as `turned` wants them: yaw about the neck, then pitch, then roll (degrees)."""
    angles = np.radians([yaw, pitch, roll])
    (a, b, c), (p, q, r) = np.cos(angles), np.sin(angles)
    about_y = np.array([[a, 0, p], [0, 1, 0], [-p, 0, a]])
    about_x = np.array([[1, 0, 0], [0, b, -q], [0, q, b]])
    about_z = np.array([[c, -r, 0], [r, c, 0], [0, 0, 1]])
    found: Floats = about_y @ about_x @ about_z
    return found


def _eye(coarse: Floats, side: int, turn: Floats, pivot: Floats) -> Eye:
    low, high = coarse[head().eyes[side]].min(0), coarse[head().eyes[side]].max(0)
    size = high - low
    centre = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, high[2] - size[2] * 0.528])
    return Eye(turned((centre - pivot)[None], turn)[0] + pivot, float(size[0] + size[1]) / 4)


def _relief(model: Head, style: Style, chance: np.random.Generator) -> Floats:
    """How far the skin stands out or in: wrinkles by age, and a little roughness."""
    x, y, z = np.abs(model.rest[:, 0]), model.rest[:, 1], model.rest[:, 2]
    bent = noise(model.rest, 5, chance, 2)
    front = smooth(0.6, 1.0, z)
    brow = front * smooth(7.55, 7.65, y) * (1 - smooth(7.95, 8.05, y)) * (1 - smooth(0.35, 0.6, x))
    ripple = np.sin((y + 0.04 * bent + 0.03 * x * x) * 2 * np.pi / 0.085)
    out = -0.013 * style.years * brow * np.maximum(0, ripple) ** 2
    crow = smooth(0.45, 0.52, x) * (1 - smooth(0.6, 0.68, x))
    crow = crow * smooth(7.12, 7.2, y) * (1 - smooth(7.4, 7.48, y))
    rays = np.sin((y - 7.28) / np.maximum(x - 0.28, 0.05) * 20 + bent)
    out = out - 0.010 * style.years * crow * np.maximum(0, rays) ** 2
    frown = front * (1 - smooth(0.03, 0.12, x)) * smooth(7.36, 7.42, y) * (1 - smooth(7.5, 7.6, y))
    furrow = np.sin(x * 2 * np.pi / 0.09 + 0.5)
    out = out - 0.009 * style.years * frown * np.maximum(0, furrow) ** 2
    rough = (0.0008 + 0.0010 * style.years) * noise(model.rest * (1, 1.4, 1), 16, chance, 2)
    is_plain = (1 - model.masks.lips) * smooth(6.0, 6.3, y) * (1 - smooth(0, 0.1, model.masks.lids))
    return np.asarray(out + rough * is_plain * ~ear_region(model))


def ear_region(model: Head) -> Bools:
    """Which points are the ears: by the mask, and by where they are."""
    x, y, z = np.abs(model.rest[:, 0]), model.rest[:, 1], model.rest[:, 2]
    near = (x > 0.655) & (y < 7.56) & (y > 6.75) & (z > -0.35) & (z < 0.45)
    found: Bools = near | (model.masks.ears > 0.3)
    return found
