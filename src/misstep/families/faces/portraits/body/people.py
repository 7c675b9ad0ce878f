"""Chance → who a person is: weights of the head's shapes around those of the described group."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from misstep.families.faces.portraits.body.assets import Head, head
from misstep.families.faces.portraits.looks import Brow, Person, Style

STRENGTH = 0.57
"""How far people differ: below .5 they are hard to tell apart, above .6 some are grotesque."""

ANCESTRY: Mapping[str, tuple[float, float, float]] = {
    "white": (0.03, 0.04, 0.93),
    "black": (0.95, 0.02, 0.03),
    "asian": (0.02, 0.95, 0.03),
    "hispanic": (0.17, 0.25, 0.58),
}
"""Shares of the african, asian and caucasian heads."""

_SPREAD = (
    ("nose-trans", 0.45),
    ("nose-nostrils", 0.35),
    ("nose-flaring", 0.35),
    ("nose-width1", 0.40),
    ("nose", 0.56),
    ("chin", 0.52),
    ("mouth-trans", 0.32),
    ("mouth-angles", 0.17),
    ("mouth-lowerlip-volume", 0.25),
    ("mouth-lowerlip-height", 0.25),
    ("mouth", 0.40),
    ("forehead", 0.40),
    ("cheek-trans", 0.27),
    ("cheek", 0.55),
    ("eye-trans", 0.33),
    ("eyebrows", 0.48),
    ("eye", 0.42),
    ("ear-rot", 0.30),
    ("ear-wing", 0.25),
    ("ear-flap", 0.30),
    ("ear", 0.50),
    ("head-age", 0.0),
    ("head", 0.38),
    ("neck", 0.18),
)
"""Standard deviation of a shape's weight at strength 1, by the beginning of its name."""

_FEMININE: Mapping[str, float] = {
    "chin-jaw-drop": -0.25,
    "chin-width": -0.35,
    "chin-bones": -0.30,
    "chin-height": -0.20,
    "chin-prominent": -0.20,
    "eye-scale": 0.22,
    "eyebrows-trans": 0.20,
    "forehead-nubian": 0.15,
    "mouth-upperlip-height": 0.16,
    "mouth-lowerlip-height": 0.10,
    "nose-scale-horiz": -0.15,
    "nose-hump": -0.20,
    "nose-scale-vert": -0.12,
    "neck-scale-horiz": -0.45,
    "neck-scale-depth": -0.30,
    "cheek-bones": 0.15,
}
"""What is added to a woman's shapes, lest much of the chance looks like a man's face."""

_CALMER = ("chin", "forehead", "head", "nose-hump", "eyebrows", "neck")
"""Shapes that vary less among women, for the same reason."""

_OUTLINES = (
    "oval",
    "round",
    "rectangular",
    "square",
    "triangular",
    "invertedtriangular",
    "diamond",
)
_OUTLINE_SHARES = {
    "man": (0.5, 0.3, 0.4, 0.35, 0.2, 0.3, 0.35),
    "woman": (0.9, 0.45, 0.10, 0.05, 0.10, 0.45, 0.20),
}
_LINES = (
    ("mouth-laugh-lines-in", 0.9),
    ("l-eye-bag-incr", 0.7),
    ("r-eye-bag-incr", 0.7),
    ("neck-double-incr", 0.3),
    ("head-age-incr", 0.5),
)
"""Lines and bags that everyone of the older groups gets, each by an amount of one's own."""


def person(style: Style, chance: np.random.Generator, strength: float = STRENGTH) -> Person:
    weights: dict[str, float] = {}
    for name, weight in (
        *_group(style, chance, strength),
        *_features(head(), style, chance, strength),
        *_outline(style, chance, strength),
        *_aged(style, chance),
        *_lopsided(head(), chance, strength),
    ):
        if abs(weight) > 1e-4 and name in head().targets:
            weights[name] = weights.get(name, 0.0) + weight
    return Person(weights, _brow(style, chance))


def distance(one: Person, other: Person) -> float:
    """How far two people's faces are apart: root mean square over the head's points, in
    millimetres, after each shape is added up. Independent of any picture."""
    apart = _moved(one) - _moved(other)
    face = head().points[:, 1] > 6.1
    return float(np.sqrt((apart[face] ** 2).sum(1).mean()) * 100)


def shaped(weights: Mapping[str, float]) -> np.ndarray:
    """The coarse points with all shapes added."""
    points = head().points.copy()
    for name in sorted(weights):
        target = head().targets[name]
        points[target.moved] += weights[name] * target.deltas
    return points


def _moved(one: Person) -> np.ndarray:
    points = shaped(one.weights)
    return np.asarray(points - points[head().points[:, 1] > 6.1].mean(0))


def _group(
    style: Style, chance: np.random.Generator, strength: float
) -> Iterator[tuple[str, float]]:
    """The mixture of whole heads: ancestry, gender, years, build."""
    shares = np.array(ANCESTRY[style.race])
    spread = 0.08 if style.race == "hispanic" else 0.03
    shares = np.clip(shares + chance.uniform(-spread, spread, 3), 0, 1)
    shares = shares / shares.sum()
    male = chance.uniform(0.88, 1.0) if style.gender == "man" else chance.uniform(-0.12, 0.0)
    weight = float(np.clip(chance.normal(0, 0.38 * strength), -0.6, 0.7))
    tone = chance.normal(0 if style.gender == "man" else -0.35, 0.3 * strength)
    muscle = float(np.clip(tone, -0.8, 0.6))
    genders, ages = (
        (("male", male), ("female", 1 - male)),
        (
            ("young", 1 - style.years),
            ("old", style.years),
        ),
    )
    for (gender, share), (age, amount) in product(genders, ages):
        for name, part in zip(("african", "asian", "caucasian"), shares, strict=True):
            yield f"{name}-{gender}-{age}", share * amount * float(part)
        for (build, some), (mass, much) in product(_three(muscle), _three(weight)):
            name = f"universal-{gender}-{age}-{build}muscle-{mass}weight"
            yield name, share * amount * some * much


def _three(value: float) -> tuple[tuple[str, float], ...]:
    return ("min", max(-value, 0.0)), ("average", 1 - abs(value)), ("max", max(value, 0.0))


def _features(
    model: Head, style: Style, chance: np.random.Generator, strength: float
) -> Iterator[tuple[str, float]]:
    """Every pair of opposite shapes, the two sides of the face alike but for a little."""
    drawn: dict[str, float] = {}
    for stem in sorted(model.pairs):
        shape = re.sub(r"^[lr]-", "", stem)
        is_other_side = shape in drawn
        if not is_other_side:
            drawn[shape] = _amount(shape, style, chance, strength)
        aside = float(np.clip(chance.normal(0, 0.04), -0.1, 0.1)) if is_other_side else 0.0
        value = drawn[shape] + aside
        low, high = model.pairs[stem]
        yield (high if value > 0 else low), abs(value)


def _amount(shape: str, style: Style, chance: np.random.Generator, strength: float) -> float:
    spread = next((wide for name, wide in _SPREAD if shape.startswith(name)), 0.4)
    if "epicanthus" in shape and style.race != "asian":
        spread *= 0.4
    centre = 0.0
    if style.gender == "woman":
        centre = _FEMININE.get(shape, 0.0)
        spread *= 0.75 if shape.startswith(_CALMER) else 1.0
    most = 0.6 if shape.startswith("nose") else 1.0  # beyond, nostrils may show through the wings
    return float(np.clip(centre + chance.normal(0, 1) * spread * strength, -most, most))


def _outline(
    style: Style, chance: np.random.Generator, strength: float
) -> Iterator[tuple[str, float]]:
    shares = chance.dirichlet(_OUTLINE_SHARES[style.gender]) * min(0.75 * strength, 0.9)
    for name, share in zip(_OUTLINES, shares, strict=True):
        yield f"head-{name}", float(share)
    yield "chin-triangle", max(0.0, chance.normal(0, 0.3 * strength))


def _aged(style: Style, chance: np.random.Generator) -> Iterator[tuple[str, float]]:
    for name, most in _LINES:
        amount = most * chance.uniform(0.5, 1.0)
        yield name, amount * style.years if style.years > 0.3 else 0.0


def _lopsided(
    model: Head, chance: np.random.Generator, strength: float
) -> Iterator[tuple[str, float]]:
    for name in sorted(one for one in model.targets if one.startswith("asym-")):
        amount = float(np.clip(abs(chance.normal(0, 0.10 * strength)), 0, 0.35))
        yield name, amount if chance.random() < 0.5 else 0.0


def _brow(style: Style, chance: np.random.Generator) -> Brow:
    """The form varies by person, thickness and density hardly: they are seen at a glance."""
    is_man = style.gender == "man"
    return Brow(
        lift=0.012 + chance.normal(0, 0.014),
        thickness=(0.034 if is_man else 0.023) * float(np.clip(chance.normal(1, 0.10), 0.7, 1.3)),
        arch=(0.030 if is_man else 0.036) + chance.normal(0, 0.012),
        start=0.105 + chance.normal(0, 0.012),
        end=0.47 + chance.normal(0, 0.014),
        density=float(np.clip(chance.normal(1, 0.08), 0.8, 1.2)),
    )
