"""Is stopping early honest, and what does it save? Simulated experiments, looked at all along."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from misstep.analyse.calibration.experiments import World, chance_of, sums
from misstep.analyse.inference.intervals import Floats, Ints
from misstep.analyse.sequential.evidence import bet_mixture, flip_mixture, log_flip_steps, log_total

Bools = npt.NDArray[np.bool_]
_ALPHA = 0.05


@dataclass(frozen=True)
class Stops:
    """Where simulated experiments stopped for a difference.

    `share` is the mean share of the full design that was asked, experiments that never stopped
    counting 1; `stopped` the share of experiments that stopped, of which `wrong_way` on the side
    away from the effect (every stop, if there is none).
    """

    share: float
    stopped: float
    wrong_way: float


def stops(world: World, replications: int, seed: int = 0, *, are_singles: bool = False) -> Stops:
    """Look after every group, stop at p < .05. `are_singles`: items that are right or wrong."""
    groups, effect = world.groups, world.effect
    means = _means(world, replications, seed)
    if are_singles:
        above, below = (first_single_looks(sign * means) for sign in (1, -1))
    else:
        above, below = (first_looks(sign * means, float(world.size)) for sign in (1, -1))
    stopped = np.minimum(above, below) <= groups
    wrong = stopped & ((above < below) if effect < 0 else (below < above) if effect > 0 else True)
    looks = np.minimum(np.minimum(above, below), groups)
    return Stops(float(looks.mean()) / groups, float(stopped.mean()), float(wrong.mean()))


def first_looks(means: Floats, size: float, bar: float = 2 / _ALPHA) -> Floats:
    """The first look, from 1, at which bets on gains come to more than `bar` (the usual: p < .05,
    two-sided); one more than all if none.

    `means`: mean differences of groups of `size` items, of shape (replications, groups).
    """
    mixture = flip_mixture(size)
    replications, groups = means.shape
    wealth = np.zeros((replications, mixture.bets.size))
    first = np.full(replications, groups + 1.0)
    for look in range(groups):
        wealth = wealth + log_flip_steps(means[:, look], mixture.bets)
        evidence = np.exp(wealth) @ mixture.shares
        first = np.where(evidence > bar, np.minimum(first, look + 1), first)
    return first


def first_refuted(means: Floats, size: float) -> Floats:
    """The first look at which the confidence sequence leaves out 0, on either side."""
    return np.minimum(first_looks(means, size), first_looks(-means, size))


def first_within(means: Floats, size: float, margin: float) -> Floats:
    """The first look at which the whole confidence sequence lies within the margin."""
    return np.maximum(first_looks(means + margin, size), first_looks(margin - means, size))


def first_single_looks(differences: Floats, bar: float = 2 / _ALPHA) -> Floats:
    """As `first_looks`, for single items that are right or wrong: differences of -1, 0, 1.

    Without a difference the bets hang on the discordant pairs alone: so many gains of so many.
    """
    gains = np.cumsum(differences > 0, axis=1)
    discordant = np.cumsum(differences != 0, axis=1)
    enough = fewest_gains(int(discordant[:, -1].max(initial=0)), bar)
    return first_of(gains >= enough[discordant])


def fewest_gains(most: int, bar: float) -> Ints:
    """For 0 to `most` discordant pairs, the gains at which bets on gains come to more than `bar`;
    one more than there are where none do."""
    mixture = bet_mixture()
    pairs = np.arange(most + 1)
    low, high = np.full(most + 1, -1), pairs + 1
    won, lost = np.log1p(mixture.bets), np.log1p(-mixture.bets)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        logs = middle[:, None] * won + (pairs - middle)[:, None] * lost
        does = log_total(logs, mixture.shares) > math.log(bar)
        low, high = np.where(does, low, middle), np.where(does, middle, high)
    return high


def first_of(does: Bools) -> Floats:
    """The first place, from 1, along the last axis; one more than all if none."""
    found: Floats = does.argmax(axis=-1) + 1.0
    found[~does.any(axis=-1)] = does.shape[-1] + 1.0
    return found


def refuted(world: World, replications: int, seed: int = 0) -> float:
    """The share of experiments in which a look takes the true mean out of the 95 % sequence."""
    means = _means(world, replications, seed) - world.effect
    return float(np.mean(first_refuted(means, float(world.size)) <= world.groups))


def equivalent(world: World, replications: int, margin: float, seed: int = 0) -> Stops:
    """Look after every group, stop when the confidence sequence lies within the margin.

    Every stop is the wrong way where the effect is at the margin or beyond.
    """
    looks = first_within(_means(world, replications, seed), float(world.size), margin)
    stopped = float(np.mean(looks <= world.groups))
    wrong = stopped if abs(world.effect) >= margin else 0.0
    return Stops(float(np.minimum(looks, world.groups).mean()) / world.groups, stopped, wrong)


def _means(world: World, replications: int, seed: int) -> Floats:
    """Mean differences of groups, of shape (replications, groups)."""
    return sums(world, replications, chance_of("sequential", world, seed)) / world.sizes
