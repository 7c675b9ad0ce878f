"""Seed → the 243 designs in an order of the seed, each with its marks and truth (E.1); no words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from misstep.core.family import Instances, Options
from misstep.core.items import Group, Groups, Item, Scalar
from misstep.core.seeds import Chance, stream
from misstep.families.cups.geometry import Glass, meets_bottom, right_level, slope
from misstep.families.cups.marks import GRAINS, RANKS, Scene, dealt, scene
from misstep.families.cups.rules import LETTERS, is_clear, nearest, rule_levels
from misstep.families.cups.settings import Settings, read_settings
from misstep.families.cups.spec import SPEC, CupsPayload

WIDTHS, HEIGHTS = (2, 3, 4), (4, 5, 6)
FILLS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
RELATIONS: Mapping[int, str] = {-1: "less", 0: "same", 1: "more"}
CLEAR = Fraction(1, 10)
"""How much nearer than the next a mark must be to the same level, in units, to be the lure."""


@dataclass(frozen=True)
class Design:
    """One of the 243: the left glass, its fill, and how the right glass differs."""

    width: int
    height: int
    fill: Fraction
    wider: int
    taller: int

    @property
    def source(self) -> Glass:
        return Glass(Fraction(self.width), Fraction(self.height))

    @property
    def target(self) -> Glass:
        return Glass(Fraction(self.width + self.wider), Fraction(self.height + self.taller))

    @property
    def water(self) -> Fraction:
        return self.fill * self.height

    @property
    def level(self) -> Fraction:
        """The right one."""
        return right_level(self.source, self.water, self.target)

    @property
    def regime(self) -> str:
        """Where the surface ends when it meets the rim, in the left and in the right glass."""
        tilt = slope(self.source, self.water)
        ends = (meets_bottom(glass, tilt) for glass in (self.source, self.target))
        return "/".join("bottom" if is_bottom else "wall" for is_bottom in ends)


def designs() -> tuple[Design, ...]:
    """All 243, in a fixed order."""
    every = product(WIDTHS, HEIGHTS, FILLS, RELATIONS, RELATIONS)
    return tuple(Design(*values) for values in every)


def generate(seed: int, options: Options) -> Groups[CupsPayload]:
    """243 groups of one problem. Raises BadInput at once."""
    return _groups(seed, read_settings(options))


def instances(item: Item[CupsPayload]) -> Instances:
    """Problems of one design are one instance, wherever their marks stand."""
    payload = item.payload
    source = (payload.width, payload.height, payload.water)
    design = (*source, payload.target_width, payload.target_height)
    return Instances((" ".join(map(str, design)),))


def _groups(seed: int, settings: Settings) -> Groups[CupsPayload]:
    order = _chance(seed, "order").shuffled(designs())
    for start in range(0, len(order), len(RANKS)):
        four = order[start : start + len(RANKS)]
        for index, (design, marks) in enumerate(_marked(seed, start, four, settings), start):
            yield _group(seed, index, design, marks, settings)


def _marked(
    seed: int, start: int, four: Sequence[Design], settings: Settings
) -> Iterator[tuple[Design, tuple[int, ...]]]:
    """The designs with their marks in grains; with ranks drawn, each rank once in four designs."""
    scenes = [_scene(design, settings) for design in four]
    ranks = dealt(scenes, _chance(seed, "ranks", start))
    for place, (design, one, rank) in enumerate(zip(four, scenes, ranks, strict=True), start):
        chance = _chance(seed, "marks", place)
        yield design, one.by_noise(chance) if settings.by_noise else one.around(rank, chance)


def _scene(design: Design, settings: Settings) -> Scene:
    height = int(design.target.height * GRAINS)
    return scene(round(design.level * GRAINS), height, settings.epsilon, settings.sigma2)


def _group(
    seed: int, index: int, design: Design, marks: tuple[int, ...], settings: Settings
) -> Group[CupsPayload]:
    variant = f"~{settings.variant}" if settings.variant else ""
    group = f"{SPEC.name}-{seed}{variant}-{index:03d}"
    payload = _payload(design, marks, settings.pixels)
    rank = marks.index(round(design.level * GRAINS))
    item = Item(
        id=group,
        family=SPEC.name,
        version=SPEC.version,
        group=group,
        payload=payload,
        truth=LETTERS[rank],
        lure=_lure(payload, LETTERS[rank]),
        factors=_factors(design, rank, payload),
    )
    return (item,)


def _payload(design: Design, marks: tuple[int, ...], pixels: int) -> CupsPayload:
    first, second, third, fourth = (mark / GRAINS for mark in marks)
    return CupsPayload(
        width=design.width,
        height=design.height,
        water=float(design.water),
        target_width=design.width + design.wider,
        target_height=design.height + design.taller,
        marks=(first, second, third, fourth),
        pixels=pixels,
    )


def _lure(payload: CupsPayload, truth: str) -> str | None:
    """The mark nearest to the same level, where it is clearly so and not right."""
    level = rule_levels(payload)["same_level"]
    letter = nearest(payload, level)
    return letter if letter != truth and is_clear(payload, level, CLEAR) else None


def _factors(design: Design, rank: int, payload: CupsPayload) -> dict[str, Scalar]:
    return {
        "width": RELATIONS[design.wider],
        "height": RELATIONS[design.taller],
        "fill": str(design.fill),
        "regime": design.regime,
        "rank": rank + 1,
        **{rule: nearest(payload, level) for rule, level in rule_levels(payload).items()},
    }


def _chance(seed: int, *place: str | int) -> Chance:
    return stream(SPEC.name, SPEC.version, seed, *place)
