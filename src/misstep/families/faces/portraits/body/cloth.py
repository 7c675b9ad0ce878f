"""Clothes, painted on the shoulders point by point: a collar's line, its rib, the weave."""

from __future__ import annotations

import numpy as np

from misstep.families.faces.portraits.looks import Colour
from misstep.families.faces.portraits.mesh import Floats, smooth

_THICK = 0.045
_RIB = 0.085


def below_collar(rest: Floats, neckline: str) -> Floats:
    """How far points (on the body at rest) lie below the collar's edge; negative: bare skin."""
    x, y, z = np.abs(rest[:, 0]), rest[:, 1], rest[:, 2]
    front = smooth(0.0, 0.9, z)
    if neckline == "v":
        line = 5.78 - front * (0.10 + np.maximum(0, 0.62 - 0.95 * x))
    else:
        line = 5.78 - 0.36 * np.exp(-((x / 0.62) ** 2)) * front
    # Steeper toward the shoulders, where the skin lies flat: the rib keeps its width.
    return np.asarray(line - y + 0.6 * np.maximum(0, x - 0.50))


def dressed(points: Floats, normals: Floats, rest: Floats, neckline: str) -> Floats:
    """The points with the cloth's thickness on them; it lies in soft folds."""
    below = below_collar(rest, neckline)
    rib = smooth(-0.05, 0.10, below) * (1 + 0.5 * (1 - smooth(_RIB * 0.8, _RIB, below)))
    folds = 0.006 * np.sin(rest[:, 0] * 5 + rest[:, 1] * 9 + 2 * np.sin(rest[:, 0] * 3))
    out = _THICK * rib + folds * smooth(0.15, 0.6, below)
    return np.asarray(points + normals * out[:, None])


def fabric(rest: Floats, neckline: str, colour: Colour) -> tuple[Floats, Floats]:
    """Per pixel: how much of it is cloth, and the cloth's colour there."""
    below = below_collar(rest, neckline)
    x, y, z = rest.T
    stitches = 1 + 0.07 * np.sin(np.arctan2(x, z - 0.1) * 260)
    weave = 1 + 0.035 * np.sin(x * 210) * np.sin(y * 210 + z * 60)
    is_rib = 1 - smooth(_RIB - 0.006, _RIB + 0.006, below)
    seam = 1 - 0.35 * np.exp(-(((below - _RIB) / 0.008) ** 2))
    edge = 0.75 + 0.25 * smooth(0.0, 0.02, below)
    shade = (is_rib * stitches * 0.94 + (1 - is_rib) * weave) * seam * edge
    return smooth(-0.004, 0.004, below), shade[:, None] * np.array(colour)
