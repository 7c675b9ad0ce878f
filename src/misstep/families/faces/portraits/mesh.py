"""Quad meshes: smooth subdivision as one sparse matrix, normals, and noise in space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Sparse = Any  # scipy.sparse has no types


@dataclass(frozen=True)
class Surface:
    """A subdivided mesh: `weights` takes the coarse vertices to its own; `faces` are quads."""

    weights: Sparse
    faces: Ints

    def of(self, coarse: Floats) -> Floats:
        moved: Floats = self.weights @ coarse
        return moved

    @property
    def triangles(self) -> Ints:
        return triangles(self.faces)


def triangles(quads: Ints) -> Ints:
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def subdivided(count: int, quads: Ints, levels: int) -> Surface:
    """Catmull-Clark, `levels` times, of the vertices that the quads use out of `count`."""
    weights, faces = sp.identity(count, format="csr"), quads
    for _ in range(levels):
        step, faces = _catmull_clark(weights.shape[0], faces)
        weights = step @ weights
    used, renumbered = np.unique(faces, return_inverse=True)
    return Surface(weights[used].tocsr(), renumbered.reshape(faces.shape))


def _links(rows: Ints, columns: Ints, shape: tuple[int, int], value: float = 1.0) -> Sparse:
    data = np.full(len(rows), value)
    return sp.csr_matrix((data, (rows, columns)), shape)


def _catmull_clark(count: int, quads: Ints) -> tuple[Sparse, Ints]:
    """One step: new vertices are the old ones moved, then edge points, then face points."""
    size = len(quads)
    sides = np.sort(np.stack([quads, np.roll(quads, -1, 1)], -1).reshape(-1, 2), 1)
    edges, edge_of, sharing = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    edge_of = edge_of.reshape(size, 4)
    owner = np.repeat(np.arange(size), 4)
    centres = _links(owner, quads.ravel(), (size, count), 0.25)
    ends = np.repeat(np.arange(len(edges)), 2)
    middles = _links(ends, edges.ravel(), (len(edges), count), 0.5)
    beside = _links(edge_of.ravel(), owner, (len(edges), size))
    is_border = sharing == 1
    inner = (
        sp.diags((~is_border) * 0.5) @ middles + sp.diags((~is_border) * 0.25) @ beside @ centres
    )
    points = inner + sp.diags(is_border * 1.0) @ middles
    moved = _moved(count, quads, edges, is_border, centres, middles)
    weights = sp.vstack([moved, points, centres]).tocsr()
    return weights, _split(count, len(edges), quads, edge_of)


def _split(count: int, edge_count: int, quads: Ints, edge_of: Ints) -> Ints:
    """Each quad's four smaller ones."""
    at_edge, at_face = edge_of + count, count + edge_count + np.arange(len(quads))
    corners = [
        np.stack([quads[:, i], at_edge[:, i], at_face, at_edge[:, (i - 1) % 4]], 1)
        for i in range(4)
    ]
    return np.stack(corners, 1).reshape(-1, 4)


def _moved(
    count: int,
    quads: Ints,
    edges: Ints,
    is_border: NDArray[np.bool_],
    centres: Sparse,
    middles: Sparse,
) -> Sparse:
    """Where the old vertices go: inside by the rule of Catmull and Clark, on a border along it."""
    degree = np.bincount(edges.ravel(), minlength=count).astype(float)
    faces_at = np.bincount(quads.ravel(), minlength=count).astype(float)
    on_border = np.zeros(count, bool)
    on_border[edges[is_border].ravel()] = True
    inside = (faces_at > 0) & ~on_border
    k, f = np.where(degree > 0, degree, 1), np.where(faces_at > 0, faces_at, 1)
    around = _links(quads.ravel(), np.repeat(np.arange(len(quads)), 4), (count, len(quads)))
    spokes = np.repeat(np.arange(len(edges)), 2)
    touching = _links(edges.ravel(), spokes, (count, len(edges)))
    moved = sp.diags(np.where(inside, 1 / (k * f), 0)) @ around @ centres
    moved = moved + sp.diags(np.where(inside, 2 / (k * k), 0)) @ touching @ middles
    moved = moved + sp.diags(np.where(inside, (k - 3) / k, 0))
    borders = edges[is_border]
    is_plain = on_border & (np.bincount(borders.ravel(), minlength=count) == 2)
    spokes = np.repeat(np.arange(len(borders)), 2)
    along = _links(borders.ravel(), spokes, (count, len(borders))) @ middles[is_border]
    moved = moved + sp.diags(is_plain * 0.25) @ along + sp.diags(is_plain * 0.5)
    return moved + sp.diags((~inside & ~is_plain) * 1.0)


def normals(points: Floats, quads: Ints) -> Floats:
    """Unit normals of the vertices, weighted by area."""
    a, b, c, d = (points[quads[:, corner]] for corner in range(4))
    across = np.cross(c - a, d - b)
    total = np.zeros_like(points)
    for axis in range(3):
        for corner in range(4):
            found = np.bincount(quads[:, corner], across[:, axis], len(points))
            total[:, axis] += found
    return unit(total)


def unit(vectors: Floats) -> Floats:
    length = np.sqrt((vectors * vectors).sum(-1, keepdims=True))
    return np.asarray(vectors / np.maximum(length, 1e-12))


def turned(points: Floats, turn: Floats) -> Floats:
    """Every point times a 3 x 3 matrix, in a fixed order of sums on any number of threads."""
    x, y, z = points[..., 0:1], points[..., 1:2], points[..., 2:3]
    return x * turn[:, 0] + y * turn[:, 1] + z * turn[:, 2]


def smooth(low: float, high: float, x: Floats | float) -> Floats:
    """0 up to `low`, 1 from `high`, with no corner between."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


_LATTICE = 32


def noise(points: Floats, frequency: float, chance: np.random.Generator, octaves: int) -> Floats:
    """Smooth noise in space, of standard deviation about 0.6; one value a point."""
    total, strength, weight = np.zeros(len(points)), 1.0, 0.0
    for octave in range(octaves):
        lattice = chance.standard_normal((_LATTICE,) * 3)
        place = points * frequency * 2**octave + chance.uniform(0, _LATTICE, 3)
        total += strength * _between(lattice, place)
        weight += strength * strength
        strength *= 0.55
    found: Floats = total / np.sqrt(weight)
    return found


def _between(lattice: Floats, place: Floats) -> Floats:
    """Linear between the eight corners; the lattice repeats."""
    low = np.floor(place).astype(np.int64)
    part = place - low
    value = np.zeros(len(place))
    for corner in np.ndindex(2, 2, 2):
        at = tuple(((low[:, axis] + corner[axis]) % _LATTICE) for axis in range(3))
        shares = [part[:, axis] if corner[axis] else 1 - part[:, axis] for axis in range(3)]
        value += lattice[at] * shares[0] * shares[1] * shares[2]
    return value
