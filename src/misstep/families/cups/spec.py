"""The data of the family `cups`: arms, options, scales, factors and what to expect."""

from __future__ import annotations

from dataclasses import dataclass

from misstep.core.answers import VOCABULARIES
from misstep.core.arms import Arm
from misstep.core.family import Prediction, Scale, Spec
from misstep.core.options import Option

EPSILON, SIGMA2 = 0.2, 0.5
"""Least distance of two marks in units; variance of the noise as a share of the distance from the
right level to the rim (E.1: half of it)."""

PIXELS = 1024
"""Width of a picture."""

OPTIONS = (
    Option(
        "protocol",
        "controlled",
        "controlled: the right mark's rank is drawn first; paper: the marks of E.1, whose right "
        "one mostly stands in the middle (ranks=paper)",
        ("controlled", "paper"),
    ),
    Option(
        "ranks",
        "drawn",
        "drawn: first the rank of the right mark among the four, then the others around it; "
        "paper: the others by normal noise, the rank as it falls out",
        ("drawn", "paper"),
    ),
    Option("epsilon", EPSILON, "least distance of two marks, in units of 100 px, 0.1 to 0.5"),
    Option(
        "sigma2",
        SIGMA2,
        "variance of the noise as a share of the distance from the right level to the rim, both "
        "in units of 100 px, 0.1 to 4",
    ),
    Option("pixels", PIXELS, "width of the pictures, 512 to 2048"),
)

SPEC = Spec(
    name="cups",
    title="Cups",
    version=1,
    source="Mind Your Step, §4.4 and E.1-E.2; after Schwartz & Black (1999)",
    measures="spatial intuition: to which mark must a glass be filled to pour at the same tilt?",
    arms=(
        Arm("direct", "only the letter is asked for (Table 14)", "direct", is_default=True),
        Arm("cot", "reasoning is asked for before the letter (E.2)", "cot", is_default=True),
    ),
    options=OPTIONS,
    factors=(
        "width",
        "height",
        "fill",
        "regime",
        "rank",
        "same_level",
        "same_proportion",
        "same_volume",
    ),
    scales={"quick": Scale(40), "paper": Scale(100)},
    vocabulary=VOCABULARIES["abcd"],
    chance=0.25,
    margin=5.0,
    prediction=Prediction(
        hurts_people=True,
        shared_by_models=False,
        direction="thinking does not hurt",
        source="Schwartz & Black (1999); Mind Your Step, §3 and §4.4",
        effect="people who imagined tilting the glasses were right more often than by reasoning",
    ),
    finite_pool=True,
)


@dataclass(frozen=True)
class CupsPayload:
    """One problem: two glasses and four marks, in units of 100 px.

    `water` is the level in the left glass. `marks` are heights above the bottom of the right
    glass, A to D, the lowest first; which of them is right is the item's truth. `pixels` is the
    picture's width.
    """

    width: int
    height: int
    water: float
    target_width: int
    target_height: int
    marks: tuple[float, float, float, float]
    pixels: int
