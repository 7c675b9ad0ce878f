"""Rows of many models: the share of false verdicts among those that Benjamini-Hochberg passes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from misstep.analyse.calibration.experiments import World, chance_of, drawn_sums
from misstep.analyse.calibration.levels import shared_sign_ps
from misstep.analyse.calibration.nouns import ERRORS, Effort, Row, spread
from misstep.analyse.inference.intervals import Floats
from misstep.analyse.inference.multiple import benjamini_hochberg
from misstep.analyse.inference.signflip import DRAWS
from misstep.analyse.verdict import ALPHA

MODELS = 300
_WITHOUT = 240
"""Models without an effect, of the three hundred."""


def discovery_rows(effort: Effort) -> Iterator[Row]:
    """Models that answer alike to one degree or another, since they answer the same items."""
    for world, common in (
        (World(20, -0.08, 0.1), 0.0),
        (World(100, -0.08, 0.1), 0.0),
        (World(100, -0.08, 0.1), 0.5),
    ):
        name = f"discovery {common}"
        chance = chance_of(name, world, effort.seed)
        false = np.array(
            [
                false_share(
                    shared_sign_ps(_table(world, common, chance.below(1 << 64)), chance, DRAWS)
                )
                for _ in range(effort.tables)
            ]
        )
        error = ERRORS * float(false.std(ddof=1)) / math.sqrt(false.size)
        setting = f"{MODELS} models, {world.groups} groups, {spread(world.between)}"
        setting += ", half common" if common else ""
        yield Row("false discovery", setting, float(false.mean()), error, high=ALPHA)


def false_share(ps: Floats) -> float:
    """The share of the verdicts that are of models without an effect, which come first."""
    adjusted = np.array(benjamini_hochberg(ps.tolist()))
    found = int(np.count_nonzero(adjusted < ALPHA))
    false = int(np.count_nonzero(adjusted[:_WITHOUT] < ALPHA))
    return false / found if found else 0.0


def _table(world: World, common: float, state: int) -> Floats:
    """Sums of shape (models, groups); all models share `common` of the groups' variance."""
    draws = np.random.default_rng(state)
    effects = np.where(np.arange(MODELS) < _WITHOUT, 0.0, world.effect)[:, None]
    shared = draws.normal(0.0, world.between * math.sqrt(common), (1, world.groups))
    own = draws.normal(0.0, world.between * math.sqrt(1 - common), (MODELS, world.groups))
    return drawn_sums(draws, np.clip(effects + shared + own, -1.0, 1.0), world)
