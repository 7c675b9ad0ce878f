"""Inner loops in numba: depth maps, shadows, rasters of triangles and strands.

One thread each and no fast-math: every sum has one order, so that the same picture comes out the
same on any number of cores. (Many pictures are drawn at once by many processes instead.)
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from misstep.families.faces.portraits.mesh import Floats, Ints

FAR = 1e9
LATTICE = 64


@njit(cache=True)
def project(points: Floats, turn: Floats, centre: Floats, reach: float, size: int) -> Floats:
    """Onto a map of `size` pixels that shows `reach` about the centre: x, y and depth."""
    scale = size / (2 * reach)
    out = np.empty((3, points.shape[0]))
    for i in range(points.shape[0]):
        a, b, c = points[i, 0] - centre[0], points[i, 1] - centre[1], points[i, 2] - centre[2]
        out[0, i] = (turn[0, 0] * a + turn[0, 1] * b + turn[0, 2] * c + reach) * scale
        out[1, i] = (turn[1, 0] * a + turn[1, 1] * b + turn[1, 2] * c + reach) * scale
        out[2, i] = -(turn[2, 0] * a + turn[2, 1] * b + turn[2, 2] * c)
    return out


@njit(cache=True)
def depths(at: Floats, triangles: Ints, size: int) -> Floats:
    """The nearest depth of each pixel."""
    nearest = np.full((size, size), FAR)
    for t in range(triangles.shape[0]):
        i, j, k = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        x0, y0, x1, y1, x2, y2 = at[0, i], at[1, i], at[0, j], at[1, j], at[0, k], at[1, k]
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if abs(area) < 1e-9:
            continue
        low_y, high_y = _span(y0, y1, y2, size)
        low_x, high_x = _span(x0, x1, x2, size)
        for y in range(low_y, high_y):
            for x in range(low_x, high_x):
                cx, cy = x + 0.5, y + 0.5
                w1 = ((cx - x0) * (y2 - y0) - (x2 - x0) * (cy - y0)) / area
                w2 = ((x1 - x0) * (cy - y0) - (cx - x0) * (y1 - y0)) / area
                w0 = 1 - w1 - w2
                if w0 < 0 or w1 < 0 or w2 < 0:
                    continue
                depth = w0 * at[2, i] + w1 * at[2, j] + w2 * at[2, k]
                if depth < nearest[y, x]:
                    nearest[y, x] = depth
    return nearest


@njit(cache=True)
def _span(a: float, b: float, c: float, size: int) -> tuple[int, int]:
    low = max(0, math.ceil(min(a, b, c) - 0.5))
    return low, min(size - 1, math.floor(max(a, b, c) - 0.5)) + 1


@njit(cache=True)
def thickness(at: Floats, solid: Floats, weight: float) -> tuple[Floats, Floats]:
    """Of the strands in front of what is solid: the nearest depth, and how much stands there."""
    size = solid.shape[0]
    nearest, total = np.full((size, size), FAR), np.zeros((size, size))
    for i in range(at.shape[1]):
        x, y = int(at[0, i]), int(at[1, i])
        if x < 0 or y < 0 or x >= size or y >= size:
            continue
        if at[2, i] < solid[y, x] + 0.02:
            total[y, x] += weight
            if at[2, i] < nearest[y, x]:
                nearest[y, x] = at[2, i]
    return nearest, total


@njit(cache=True)
def lit_points(at: Floats, bias: Floats, solid: Floats, near: Floats, total: Floats) -> Floats:
    """How much of one lamp each point sees: softly past the solid, dimly through strands."""
    size = solid.shape[0]
    seen = np.ones(at.shape[1])
    for i in range(at.shape[1]):
        x, y, depth = at[0, i] - 0.5, at[1, i] - 0.5, at[2, i] - bias[i]
        left, top = math.floor(x), math.floor(y)
        if left < 1 or top < 1 or left >= size - 2 or top >= size - 2:
            continue
        part_x, part_y = x - left, y - top
        open_, through = 0.0, 0.0
        for dy in range(2):
            for dx in range(2):
                share = (part_x if dx else 1 - part_x) * (part_y if dy else 1 - part_y)
                if solid[top + dy, left + dx] > depth:
                    open_ += share
                if near[top + dy, left + dx] < depth:
                    through += share * total[top + dy, left + dx]
        seen[i] = open_ * math.exp(-through)
    return seen


@njit(cache=True)
def lit_strands(at: Floats, solid: Floats, near: Floats, total: Floats, dimming: float) -> Floats:
    """The same for the strands' own points, which dim each other with depth."""
    size = solid.shape[0]
    seen = np.ones(at.shape[1])
    for i in range(at.shape[1]):
        x, y = int(at[0, i]), int(at[1, i])
        if x < 0 or y < 0 or x >= size or y >= size:
            continue
        light = 1.0 if solid[y, x] > at[2, i] - 0.05 else 0.0
        deep = at[2, i] - near[y, x] - 0.02
        if deep > 0:
            light *= math.exp(-min(deep * dimming, total[y, x] * 2.5))
        seen[i] = light
    return seen


@njit(cache=True)
def raster(at: Floats, triangles: Ints, size: int) -> tuple[Floats, Ints, Floats]:
    """At each pixel the nearest triangle (-1: none), with perspective: inverse depth, number, and
    the shares of its second and third corner. `at` holds x, y and inverse depth. Triangles seen
    from behind are left out: they are insides, such as a nostril's, that pierce the skin."""
    nearest = np.zeros((size, size))
    which = np.full((size, size), -1, dtype=np.int64)
    shares = np.zeros((2, size, size))
    for t in range(triangles.shape[0]):
        i, j, k = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        x0, y0, x1, y1, x2, y2 = at[0, i], at[1, i], at[0, j], at[1, j], at[0, k], at[1, k]
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if area > -1e-9:
            continue
        low_y, high_y = _span(y0, y1, y2, size)
        low_x, high_x = _span(x0, x1, x2, size)
        for y in range(low_y, high_y):
            for x in range(low_x, high_x):
                cx, cy = x + 0.5, y + 0.5
                w1 = ((cx - x0) * (y2 - y0) - (x2 - x0) * (cy - y0)) / area
                w2 = ((x1 - x0) * (cy - y0) - (cx - x0) * (y1 - y0)) / area
                w0 = 1 - w1 - w2
                if w0 < 0 or w1 < 0 or w2 < 0:
                    continue
                near = w0 * at[2, i] + w1 * at[2, j] + w2 * at[2, k]
                if near > nearest[y, x]:
                    nearest[y, x] = near
                    which[y, x] = t
                    shares[0, y, x] = w1 * at[2, j] / near
                    shares[1, y, x] = w2 * at[2, k] / near
    return nearest, which, shares


@njit(cache=True)
def draw_strands(
    at: Floats,
    colours: Floats,
    widths: Floats,
    count: int,
    nearest: Floats,
    image: Floats,
    cover: float,
) -> None:
    """Strands of `count` points each, over what is drawn already; the image is changed.

    `cover` below 1 leaves some of what lies beneath, and no depth.
    """
    height, width = nearest.shape
    for strand in range(at.shape[1] // count):
        for i in range(strand * count, strand * count + count - 1):
            dx, dy = at[0, i + 1] - at[0, i], at[1, i + 1] - at[1, i]
            long = max(abs(dx), abs(dy))
            if not long < 800:
                continue
            steep = abs(dy) >= abs(dx)
            steps = int(long) + 1
            for step in range(steps):
                part = (step + 0.5) / steps
                x, y = at[0, i] + dx * part, at[1, i] + dy * part
                near = at[2, i] + (at[2, i + 1] - at[2, i]) * part
                low = (x if steep else y) - widths[i] * 0.5
                first = math.floor(low + 0.5)
                last = math.floor(low + widths[i] + 0.5) + (1 if widths[i] < 1 else 0)
                for place in range(first, last):
                    px = place if steep else int(x)
                    py = int(y) if steep else place
                    if px < 0 or py < 0 or px >= width or py >= height:
                        continue
                    if near > nearest[py, px]:
                        if cover >= 1:
                            nearest[py, px] = near
                        for c in range(3):
                            own = colours[i, c] * (1 - part) + colours[i + 1, c] * part
                            image[py, px, c] = image[py, px, c] * (1 - cover) + cover * own


@njit(cache=True)
def strand_light(
    points: Floats,
    along: Floats,
    eye: Floats,
    lamps: Floats,
    power: Floats,
    seen: Floats,
    colours: Floats,
    shift: Floats,
) -> Floats:
    """Light from strands toward the eye: a wide lobe, a pale glint, and a coloured one."""
    out = np.zeros((points.shape[0], 3))
    for i in range(points.shape[0]):
        v0, v1, v2 = eye[0] - points[i, 0], eye[1] - points[i, 1], eye[2] - points[i, 2]
        scale = 1 / math.sqrt(v0 * v0 + v1 * v1 + v2 * v2)
        v0, v1, v2 = v0 * scale, v1 * scale, v2 * scale
        t0, t1, t2 = along[i, 0], along[i, 1], along[i, 2]
        tv = max(-1.0, min(1.0, t0 * v0 + t1 * v1 + t2 * v2))
        sv, av = math.sqrt(max(0.0, 1 - tv * tv)), math.asin(tv)
        for k in range(lamps.shape[0]):
            light = seen[k, i]
            if light < 0.004:
                continue
            l0, l1, l2 = lamps[k, 0], lamps[k, 1], lamps[k, 2]
            tl = max(-1.0, min(1.0, t0 * l0 + t1 * l1 + t2 * l2))
            sl = math.sqrt(max(0.0, 1 - tl * tl))
            behind = 0.5 + 0.5 * max(0.0, -(v0 * l0 + v1 * l1 + v2 * l2))
            round_ = max(0.0, min(1.0, 0.55 + 0.45 * (sl * sv - tl * tv)))
            wide = sl * (0.62 * round_ + 0.38 * behind) * 1.15
            angle = math.asin(tl) + av
            a, b = (angle - 0.10 + shift[i]) / 0.10, (angle + 0.12 + shift[i]) / 0.20
            glint = math.exp(-0.5 * a * a) * 0.022 * sl
            sheen = math.exp(-0.5 * b * b) * 0.72 * sl
            for c in range(3):
                own = colours[i, c]
                out[i, c] += light * power[k, c] * (wide * own + glint + sheen * own**0.95 * 0.9)
    return out


@njit(cache=True)
def gloss(
    normals: Floats,
    views: Floats,
    rough: Floats,
    amount: Floats,
    corners: Ints,
    shares: Floats,
    seen: Floats,
    lamps: Floats,
    power: Floats,
) -> Floats:
    """The shine of each pixel: a microfacet lobe for every lamp it sees."""
    out = np.zeros((normals.shape[0], 3))
    for i in range(normals.shape[0]):
        n0, n1, n2 = normals[i, 0], normals[i, 1], normals[i, 2]
        v0, v1, v2 = views[i, 0], views[i, 1], views[i, 2]
        nv = max(0.05, n0 * v0 + n1 * v1 + n2 * v2)
        alpha, k = rough[i] ** 4, (rough[i] + 1) ** 2 / 8
        for q in range(lamps.shape[0]):
            l0, l1, l2 = lamps[q, 0], lamps[q, 1], lamps[q, 2]
            nl = n0 * l0 + n1 * l1 + n2 * l2
            if nl <= 0:
                continue
            visible = (
                seen[q, corners[i, 0]] * shares[i, 0]
                + seen[q, corners[i, 1]] * shares[i, 1]
                + seen[q, corners[i, 2]] * shares[i, 2]
            )
            if visible <= 0.003:
                continue
            h0, h1, h2 = v0 + l0, v1 + l1, v2 + l2
            scale = 1 / math.sqrt(h0 * h0 + h1 * h1 + h2 * h2 + 1e-12)
            nh = max(0.0, (n0 * h0 + n1 * h1 + n2 * h2) * scale)
            vh = max(0.0, (v0 * h0 + v1 * h1 + v2 * h2) * scale)
            bottom = nh * nh * (alpha - 1) + 1
            facets = alpha / (math.pi * bottom * bottom + 1e-9)
            hidden = 1 / ((nl * (1 - k) + k) * (nv * (1 - k) + k) * 4)
            mirror = 0.028 + 0.972 * (1 - vh) ** 5
            shine = min(facets * hidden * mirror * nl, 6.0) * amount[i] * visible
            for c in range(3):
                out[i, c] += shine * power[q, c]
    return out


@njit(cache=True)
def grain(rest: Floats, lattice: Floats, frequency: float) -> Floats:
    """Three smooth random numbers a point, linear between the corners of a lattice that repeats."""
    out = np.zeros((rest.shape[0], 3))
    for i in range(rest.shape[0]):
        x = rest[i, 0] * frequency + 1000
        y = rest[i, 1] * frequency + 1000
        z = rest[i, 2] * frequency + 1000
        low_x, low_y, low_z = int(x), int(y), int(z)
        part_x, part_y, part_z = x - low_x, y - low_y, z - low_z
        for a in range(2):
            for b in range(2):
                for c in range(2):
                    share = part_x if a else 1 - part_x
                    share *= part_y if b else 1 - part_y
                    share *= part_z if c else 1 - part_z
                    at_x, at_y = (low_x + a) % LATTICE, (low_y + b) % LATTICE
                    at_z = (low_z + c) % LATTICE
                    for d in range(3):
                        out[i, d] += share * lattice[at_x, at_y, at_z, d]
    return out
