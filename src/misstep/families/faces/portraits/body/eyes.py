"""An eyeball that looks at the camera: sclera, iris with its fibres, pupil."""

from __future__ import annotations

import numpy as np

from misstep.families.faces.portraits.body.figure import Eye, Mesh
from misstep.families.faces.portraits.looks import Style
from misstep.families.faces.portraits.mesh import Floats, normals, smooth, unit

_RINGS, _SPOKES = 96, 96
_IRIS, _PUPIL = 0.47, 0.19
"""Radii as angles from the middle of the pupil."""


def eyeball(eye: Eye, camera: Floats, style: Style) -> tuple[Mesh, Floats]:
    """The mesh and a colour for each of its points."""
    out, around = _angles()
    forward = unit(camera - eye.centre)
    right = unit(np.cross((0.0, 1.0, 0.0), forward))
    up = np.cross(forward, right)
    bulge = 1 + 0.055 * np.exp(-((out / 0.42) ** 4))
    aside = np.cos(around)[..., None] * right + np.sin(around)[..., None] * up
    rays = np.sin(out)[..., None] * aside + np.cos(out)[..., None] * forward
    points = (eye.centre + eye.radius * bulge[..., None] * rays).reshape(-1, 3)
    faces = _faces()
    facing = normals(points, faces)
    if ((points - eye.centre) * facing).sum() < 0:
        faces, facing = faces[:, ::-1], -facing
    colour = _colour(out, around, style).reshape(-1, 3)
    return Mesh(points, facing, np.ascontiguousarray(faces)), np.clip(colour, 0.003, 0.95)


def _angles() -> tuple[Floats, Floats]:
    near = np.linspace(0, 0.75, _RINGS * 2 // 3, endpoint=False)
    out = np.concatenate([near, np.linspace(0.75, np.pi * 0.75, _RINGS // 3)])
    around = np.linspace(0, 2 * np.pi, _SPOKES, endpoint=False)
    first, second = np.meshgrid(out, around, indexing="ij")
    return first, second


def _faces() -> np.ndarray:
    ring = np.arange((_RINGS - 1) * _SPOKES).reshape(_RINGS - 1, _SPOKES)
    beside = np.roll(ring, -1, 1)
    corners = [ring, ring + _SPOKES, beside + _SPOKES, beside]
    return np.stack(corners, -1).reshape(-1, 4)


def _colour(out: Floats, around: Floats, style: Style) -> Floats:
    chance = np.random.Generator(np.random.PCG64(style.seed))
    fibres = np.zeros_like(around)
    for wave in range(1, 40):
        fibres += chance.normal(0, 1) / np.sqrt(wave) * np.cos(wave * around + chance.uniform(0, 6))
    fibres = fibres / fibres.std()
    reach = out / _IRIS
    iris = np.array(style.iris) * np.exp(0.28 * fibres * (reach > 0.45))[..., None]
    iris = iris * (1 + 0.5 * np.exp(-(((reach - 0.55) / 0.12) ** 2)))[..., None]
    iris = iris * (1 - 0.75 * smooth(0.84, 1.0, reach))[..., None]
    redder = -0.45 * smooth(0.7, 1.4, out)[..., None] * np.array([0.1, 0.5, 0.5])
    white = np.array([0.50, 0.47, 0.45]) * np.exp(redder)
    is_iris = (1 - smooth(0.97, 1.06, reach))[..., None]
    is_pupil = (1 - smooth(_PUPIL * 0.93, _PUPIL * 1.07, out))[..., None]
    colour = white * (1 - is_iris) + iris * is_iris
    return np.asarray(colour * (1 - is_pupil) + is_pupil * 0.004)
