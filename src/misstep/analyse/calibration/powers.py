"""Is the power as promised? Simulated experiments with an effect, and how often they decide."""

from __future__ import annotations

import numpy as np
from scipy import stats

from misstep.analyse.before.power import Assumptions, Design
from misstep.analyse.calibration.nulls import shared_sign_ps
from misstep.analyse.inference.intervals import Floats
from misstep.analyse.inference.signflip import mcnemar
from misstep.core.seeds import Chance, digest


def simulated_power(
    design: Design, assumed: Assumptions, effect: float, replications: int, seed: int = 0
) -> float:
    """The share of experiments in which the primary p is below the design's alpha.

    Groups of equal size, single replies that are right or wrong; `effect` is in points.
    """
    sums, chance = _experiments(design, assumed, effect, replications, seed)
    if design.is_mcnemar:
        return float(np.mean(_mcnemar_ps(sums) < design.alpha))
    halves = np.array_split(sums, 2)  # two matrices of signs, each shared by half of them
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
    sums, _ = _experiments(design, assumed, effect, replications, seed)
    means = sums / design.size
    error = means.std(axis=1, ddof=1) / np.sqrt(design.groups)
    bar = float(stats.t.ppf(1 - design.alpha, design.groups - 1))
    reach = margin / design.span - bar * error
    return float(np.mean(np.abs(means.mean(axis=1)) < reach))


def _experiments(
    design: Design, assumed: Assumptions, effect: float, replications: int, seed: int
) -> tuple[Floats, Chance]:
    """Sums of differences, of shape (replications, groups).

    A group whose true difference is larger than the discordance has that much discordance.
    """
    key = ("power", str(design), str(assumed), repr(effect), replications, seed)
    chance = Chance(digest(*key))
    draws = np.random.default_rng(chance.below(1 << 64))
    between = 0.0 if design.are_groups_items else assumed.between
    shape = (replications, design.groups)
    true = np.clip(draws.normal(effect / design.span, between, shape), -1.0, 1.0)
    discordance = np.maximum(assumed.discordance, np.abs(true))
    gained, lost = (discordance + true) / 2, (discordance - true) / 2
    items = round(design.size)
    gains = draws.binomial(items, gained)
    share = np.divide(lost, 1 - gained, out=np.zeros_like(lost), where=gained < 1)
    losses = draws.binomial(items - gains, np.clip(share, 0.0, 1.0))
    return (gains - losses).astype(np.float64), chance


def _mcnemar_ps(differences: Floats) -> Floats:
    lost, gained = (differences < 0).sum(axis=1), (differences > 0).sum(axis=1)
    return np.array([mcnemar(int(one), int(two)) for one, two in zip(lost, gained, strict=True)])
