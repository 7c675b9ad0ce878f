"""The options of a run, checked: what contradicts is said in one line."""

from __future__ import annotations

from dataclasses import dataclass

from misstep.core.errors import BadInput
from misstep.core.family import Options
from misstep.core.options import OptionValue, read_options, variant
from misstep.core.seeds import digest
from misstep.families.cups.spec import OPTIONS, SIGMA2

BOUNDS = {"epsilon": (0.1, 0.5), "sigma2": (0.1, 4.0), "pixels": (512, 2048)}
"""Marks closer than .1 can't be told apart in a picture of 512 px; beyond .5 some glasses hold no
four of them. A variance above 4 spreads marks evenly over any of the glasses."""


@dataclass(frozen=True)
class Settings:
    """The options as the generator needs them. `variant` names all but the defaults, in six hex
    digits, or is empty."""

    by_noise: bool
    epsilon: float
    sigma2: float
    pixels: int
    variant: str


def read_settings(options: Options) -> Settings:
    values = read_options(OPTIONS, options, "cups")
    if values["protocol"] == "paper" and values["sigma2"] != SIGMA2:
        raise BadInput(f"-T sigma2: {values['sigma2']} contradicts protocol=paper ({SIGMA2})")
    named = variant(OPTIONS, values)
    return Settings(
        by_noise="paper" in (values["protocol"], values["ranks"]),
        epsilon=_bounded("epsilon", values),
        sigma2=_bounded("sigma2", values),
        pixels=int(_bounded("pixels", values)),
        variant=digest("cups", named).hex()[:6] if named else "",
    )


def _bounded(name: str, values: dict[str, OptionValue]) -> float:
    low, high = BOUNDS[name]
    number = float(values[name])
    if not low <= number <= high:
        raise BadInput(f"-T {name}: {values[name]} is not in {low} to {high}")
    return number
