"""The head and its shapes, read once from the asset file (CC0; see README.md beside it)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from misstep.families.faces.portraits.mesh import Floats, Ints, Surface, smooth, subdivided

LEVELS = 2
_OPPOSITES = (
    ("decr", "incr"),
    ("down", "up"),
    ("in", "out"),
    ("backward", "forward"),
    ("concave", "convex"),
    ("compress", "uncompress"),
)


@dataclass(frozen=True)
class Target:
    """A shape: which coarse vertices it moves, and by how much at weight 1."""

    moved: Ints
    deltas: Floats


@dataclass(frozen=True)
class Masks:
    """Where on the subdivided head something is, 0 to 1."""

    lips: Floats
    mouth: Floats
    lids: Floats
    ears: Floats


@dataclass(frozen=True)
class Head:
    """The coarse mesh and all that is derived from it alone.

    `rest` are the subdivided skin's points before any shape: where something belongs (a brow, a
    collar) is said in their coordinates. `pairs` are opposite targets, by their common name.
    `sway` is how much each of the skin's points follows the head's turning.
    """

    points: Floats
    targets: Mapping[str, Target]
    pairs: Mapping[str, tuple[str, str]]
    skin: Surface
    rest: Floats
    masks: Masks
    teeth: tuple[Surface, Surface]
    tongue: Surface
    eyes: tuple[Ints, Ints]
    lashes: tuple[Ints, Ints]
    neck: Ints
    sway: Floats


@cache
def head() -> Head:
    with np.load(
        str(files("misstep.families.faces.portraits") / "assets" / "head.npz"), allow_pickle=False
    ) as arrays:
        stored = {name: arrays[name] for name in arrays.files}
    points = stored["points"].astype(float)
    count = len(points)

    def surface(name: str, levels: int) -> Surface:
        return subdivided(count, stored[name].astype(np.int64), levels)

    skin = surface("skin", LEVELS)
    targets = dict(_targets(stored))
    rest = skin.of(points)
    return Head(
        points=points,
        targets=targets,
        pairs=_pairs(targets),
        skin=skin,
        rest=rest,
        masks=_masks(stored),
        teeth=(surface("upper_teeth", 1), surface("lower_teeth", 1)),
        tongue=surface("tongue", 1),
        eyes=(np.unique(stored["l_eye"]), np.unique(stored["r_eye"])),
        lashes=(_lashes(stored, "l"), _lashes(stored, "r")),
        neck=np.unique(stored["neck"]),
        sway=sway(rest),
    )


def sway(points: Floats) -> Floats:
    """0 on the shoulders, 1 on the head, smoothly between along the neck."""
    height = points[:, 1] + 0.35 * np.maximum(points[:, 2], 0) * (points[:, 1] > 5.8)
    return smooth(5.65, 6.35, height)


def _targets(stored: Mapping[str, Ints]) -> list[tuple[str, Target]]:
    starts = stored["starts"]
    moved, deltas = stored["moved"].astype(np.int64), stored["deltas"].astype(float)
    return [
        (str(name), Target(moved[start:end], deltas[start:end]))
        for name, start, end in zip(stored["names"], starts[:-1], starts[1:], strict=True)
    ]


def _pairs(targets: Mapping[str, Target]) -> dict[str, tuple[str, str]]:
    """Shapes of the face that go two ways: the lower and the higher one."""
    found = {}
    for name in sorted(targets):
        stem, _, end = name.rpartition("-")
        for low, high in _OPPOSITES:
            is_shape = not stem.startswith(("asym", "unit/", "universal"))
            if end == low and f"{stem}-{high}" in targets and is_shape:
                found[stem] = (name, f"{stem}-{high}")
    return found


def _masks(stored: Mapping[str, Ints]) -> Masks:
    names = ("lips", "inside_mouth", "eyelids", "ears")
    return Masks(*(stored[f"mask_{name}"].astype(float) / 255 for name in names))


def _lashes(stored: Mapping[str, Ints], side: str) -> Ints:
    rows = [stored[f"{side}_lashes_{row}"] for row in (1, 2)]
    return np.concatenate(rows).astype(np.int64)
