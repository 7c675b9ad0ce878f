"""Simulated experiments: groups' sums of paired differences, drawn from the one source of chance.

A group's true difference is normal about the effect; of its items, a share (the discordance, or the
size of the true difference, where that is larger) is answered differently by the two arms. So the
mean over all groups that there could be is the effect itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from misstep.analyse.calibration.nouns import SIZE
from misstep.analyse.inference.intervals import Floats
from misstep.core.seeds import Chance, digest

DISCORDANCE = 0.35


@dataclass(frozen=True)
class World:
    """What is true, and how much of it is asked. `effect` and `between` are shares of 1."""

    groups: int
    effect: float = 0.0
    between: float = 0.0
    size: int = SIZE
    discordance: float = DISCORDANCE
    is_uneven: bool = False

    @property
    def sizes(self) -> Floats:
        """Items of each group; uneven ones go from a tenth of `size` to nearly twice as many."""
        if not self.is_uneven:
            return np.full(self.groups, float(self.size))
        return np.round(np.linspace(0.1 * self.size, 1.9 * self.size, self.groups))


def chance_of(name: str, world: World, seed: int) -> Chance:
    return Chance(digest("calibration", name, str(world), seed))


def sums(world: World, experiments: int, chance: Chance) -> Floats:
    """Sums of differences, of shape (experiments, groups)."""
    # numpy draws the binomials, from a state that the one source of chance gives.
    draws = np.random.default_rng(chance.below(1 << 64))
    shape = (experiments, world.groups)
    true = np.clip(draws.normal(world.effect, world.between, shape), -1.0, 1.0)
    return drawn_sums(draws, true, world)


def drawn_sums(draws: np.random.Generator, true: Floats, world: World) -> Floats:
    """Sums around given true differences, of whose last axis each entry is a group."""
    discordance = np.maximum(world.discordance, np.abs(true))
    gained, lost = (discordance + true) / 2, (discordance - true) / 2
    items = world.sizes.astype(np.int64)
    gains = draws.binomial(items, gained)
    left = np.divide(lost, 1 - gained, out=np.zeros_like(lost), where=gained < 1)
    losses = draws.binomial(items - gains, np.clip(left, 0.0, 1.0))
    return (gains - losses).astype(np.float64)
