"""Is the power as promised? Simulated experiments with an effect, and how often they decide."""

from __future__ import annotations

import numpy as np
from scipy import stats

from misstep.analyse.before.power import Assumptions, Design
from misstep.analyse.calibration.experiments import World, chance_of, sums
from misstep.analyse.calibration.levels import shared_sign_ps
from misstep.analyse.inference.intervals import Floats
from misstep.analyse.inference.signflip import mcnemar
from misstep.core.seeds import Chance


def simulated_power(
    design: Design, assumed: Assumptions, effect: float, replications: int, seed: int = 0
) -> float:
    """The share of experiments in which the primary p is below the design's alpha.

    Groups of equal size, single replies that are right or wrong; `effect` is in points.
    """
    drawn, chance = _experiments(design, assumed, effect, replications, seed)
    if design.is_mcnemar:
        return float(np.mean(_mcnemar_ps(drawn) < design.alpha))
    halves = np.array_split(drawn, 2)  # two matrices of signs, each shared by half of them
    ps = np.concatenate([shared_sign_ps(half, chance) for half in halves])
    return float(np.mean(ps < design.alpha))


def simulated_equivalence(
    design: Design,
    assumed: Assumptions,
    margin: float,
    replications: int,
    effect: float = 0.0,
    seed: int = 0,
) -> float:
    """The share in which both one-sided t tests of the groups' means pass against the margin."""
    drawn, _ = _experiments(design, assumed, effect, replications, seed)
    means = drawn / design.size
    error = means.std(axis=1, ddof=1) / np.sqrt(design.groups)
    bar = float(stats.t.ppf(1 - design.alpha, design.groups - 1))
    reach = margin / design.span - bar * error
    return float(np.mean(np.abs(means.mean(axis=1)) < reach))


def world_of(design: Design, assumed: Assumptions, effect: float) -> World:
    """The world in which the design's assumptions hold; `effect` is in the measure's unit."""
    between = 0.0 if design.are_groups_items else assumed.between
    size = round(design.size)
    return World(design.groups, effect / design.span, between, size, assumed.discordance)


def _experiments(
    design: Design, assumed: Assumptions, effect: float, replications: int, seed: int
) -> tuple[Floats, Chance]:
    """Sums of differences, of shape (replications, groups), and the chance that drew them."""
    world = world_of(design, assumed, effect)
    chance = chance_of("power", world, seed)
    return sums(world, replications, chance), chance


def _mcnemar_ps(differences: Floats) -> Floats:
    lost, gained = (differences < 0).sum(axis=1), (differences > 0).sum(axis=1)
    return np.array([mcnemar(int(one), int(two)) for one, two in zip(lost, gained, strict=True)])
