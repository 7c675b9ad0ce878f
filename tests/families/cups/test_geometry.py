"""The closed forms against tilting by hand: areas by quadrature, the tilt by bisection."""

from __future__ import annotations

from fractions import Fraction
from math import atan, cos, isclose, pi, sin, tan
from random import Random

import numpy as np

from misstep.families.cups.generate import designs
from misstep.families.cups.geometry import Glass, meets_bottom, right_level, slope

STRIPS = 4_000
HALVINGS = 45


def area_left(width: float, height: float, tilt: float) -> float:
    """What water a full glass keeps when it is tilted by an angle, in strips along its bottom.

    A place (x, y) of the glass, x from the corner it stands on, is x·sin + y·cos above the
    ground. Water stays where that is no higher than the rim above the corner, at height·cos.
    """
    x = (np.arange(STRIPS) + 0.5) * width / STRIPS
    deep = (height * cos(tilt) - x * sin(tilt)) / cos(tilt)
    return float(np.clip(deep, 0, height).sum()) * width / STRIPS


def tilted(width: float, height: float, level: float) -> float:
    """The angle at which water that stood at `level` begins to run out."""
    low, high = 0.0, pi / 2 - 1e-9
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if area_left(width, height, middle) > width * level:
            low = middle
        else:
            high = middle
    return low


def level_by_tilting(source: Glass, water: float, target: Glass) -> float:
    angle = tilted(float(source.width), float(source.height), water)
    width, height = float(target.width), float(target.height)
    return area_left(width, height, angle) / width


def first_form(source: Glass, water: Fraction, target: Glass) -> Fraction:
    """The level if the surface always ended at the opposite wall."""
    return target.height - target.width * (source.height - water) / source.width


def test_all_243_designs_agree_with_tilting_by_hand() -> None:
    assert len(designs()) == len(set(designs())) == 243
    for design in designs():
        found = level_by_tilting(design.source, float(design.water), design.target)
        assert isclose(design.level, found, abs_tol=1e-5), design


def test_glasses_of_any_shape_agree_with_tilting_by_hand() -> None:
    chance = Random(5)

    def drawn(low: int, high: int) -> Fraction:
        return Fraction(chance.randint(low, high), 20)

    for _ in range(150):
        source, target = (Glass(drawn(4, 200), drawn(4, 200)) for _ in range(2))
        water = source.height * Fraction(chance.randint(1, 49), 50)
        found = level_by_tilting(source, float(water), target)
        assert isclose(right_level(source, water, target), found, abs_tol=1e-4)


def test_the_tilt_itself_is_that_of_tilting_by_hand() -> None:
    for design in designs()[::5]:
        angle = tilted(float(design.width), float(design.source.height), float(design.water))
        assert isclose(atan(slope(design.source, design.water)), angle, abs_tol=1e-6)


def test_water_poured_back_stands_where_it_stood() -> None:
    for design in designs():
        assert right_level(design.target, design.level, design.source) == design.water


def test_every_level_is_strictly_inside_its_glass() -> None:
    assert all(0 < design.level < design.target.height for design in designs())


def test_the_first_form_alone_is_wrong_for_105_designs_and_leaves_the_glass_in_19() -> None:
    found = [first_form(one.source, one.water, one.target) for one in designs()]
    wrong = [level != one.level for level, one in zip(found, designs(), strict=True)]
    assert sum(wrong) == 105
    assert sum(level <= 0 for level in found) == 19


def test_a_surface_through_the_corner_belongs_to_both_forms() -> None:
    glass = Glass(Fraction(2), Fraction(4))
    assert not meets_bottom(glass, slope(glass, Fraction(2)))
    assert slope(glass, Fraction(2)) == Fraction(4, 2)
    assert slope(glass, Fraction(1)) == 4


def test_a_design_s_regime_is_where_the_lowest_water_meets_the_glass() -> None:
    def lies_dry(glass: Glass, angle: float) -> bool:
        """Whether the corner opposite the one it stands on is above the water."""
        return float(glass.width) * tan(angle) > float(glass.height) * (1 + 1e-7)

    def name(dry: bool) -> str:
        return "bottom" if dry else "wall"

    for design in designs():
        angle = tilted(float(design.width), float(design.source.height), float(design.water))
        ends = (name(lies_dry(glass, angle)) for glass in (design.source, design.target))
        assert design.regime == "/".join(ends)
