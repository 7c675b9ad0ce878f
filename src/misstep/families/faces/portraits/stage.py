"""What a picture is made from: the camera, all solid parts in one, and the light on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from misstep.families.faces.portraits.mesh import Floats, Ints

SKIN, EYE, TEETH = 0, 1, 2
"""Kinds of solid parts; the tongue goes with the teeth."""


@dataclass(frozen=True)
class Camera:
    place: Floats
    forward: Floats
    right: Floats
    up: Floats
    focal: float
    size: int

    def see(self, points: Floats) -> Floats:
        """x, y (pixels) and inverse depth of points."""
        away = points - self.place
        x, y, z = ((away * axis).sum(1) for axis in (self.right, self.up, self.forward))
        half = self.size / 2
        return np.stack([half + self.focal * x / z, half - self.focal * y / z, 1 / z])


@dataclass(frozen=True)
class Solid:
    """All meshes of a figure in one; `kind` says of each point what it is part of. The first
    `skin` points are the skin's."""

    points: Floats
    normals: Floats
    colours: Floats
    kind: Ints
    triangles: Ints
    skin: int


@dataclass(frozen=True)
class Lit:
    """What each lamp shows: shares per lamp and point, and the strands' light."""

    seen: Floats
    strands: Floats
