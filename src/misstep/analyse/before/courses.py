"""Courses that a sequential run with a fixed sum of money may take: simulated, seeded.

A run looks after every group, and ends at a verdict, with its last group, or when the money no
longer holds a call at its worst. So its number of groups is a matter of what replies cost, and its
power is not that of a fixed design. All differences here are shares of the largest one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from misstep.analyse.calibration.looks import first_looks, first_of, first_single_looks
from misstep.analyse.inference.intervals import Floats
from misstep.analyse.sequential.evidence import bet_mixture, log_total
from misstep.core.seeds import Chance, digest

_MOST_REPLICATIONS, _LEAST_REPLICATIONS = 2_000, 500
_CELLS_OF_SINGLES, _CELLS_OF_GROUPS = 1_500_000, 200_000
_GRID = 32
_FEWER, _PROBED, _SELDOM = 800, 200, 0.01
_MOST_COSTS = 8_000_000


@dataclass(frozen=True)
class Setting:
    """What is known, or supposed, of a run that is to come.

    `looks` groups of `size` items are there; `are_singles`: groups of one item that is right or
    wrong. `discordance` is the mean square of an item's difference, `between` the SD of groups'
    true differences. `margin` is that of equivalence, `alpha` the level of either verdict.
    `costs` are those of items as seen, both sides together, and `money` is there for all looks but
    the first `paid`; `reserve` of it stays, as the next call may cost so much.
    """

    looks: int
    size: int
    are_singles: bool
    discordance: float
    between: float
    margin: float
    alpha: float
    costs: Floats
    money: float
    reserve: float
    paid: int = 0

    @property
    def look_cost(self) -> float:
        """The mean."""
        return float(self.costs.mean()) * self.size

    @property
    def most_looks(self) -> int:
        """More than the money will probably pay for, or all there are."""
        if self.look_cost == 0:
            return self.looks
        return min(self.looks, self.paid + math.ceil(1.5 * self.money / self.look_cost) + 10)


@dataclass(frozen=True)
class Courses:
    """Simulated runs, an entry each: looks that the money pays for, and first looks (one more
    than all if none) at which gains, losses and equivalence are established."""

    affordable: Floats
    gains: Floats
    losses: Floats
    alike: Floats

    @cached_property
    def verdicts(self) -> Floats:
        """The look of each run's verdict, if the money lasts."""
        return np.minimum(np.minimum(self.gains, self.losses), self.alike)

    @cached_property
    def ends(self) -> Floats:
        """The look at which each run ends, by its verdict or for want of money."""
        return np.minimum(self.affordable, self.verdicts)

    @property
    def gained(self) -> float:
        """The share that ends with a verdict for a gain (p below alpha)."""
        return float(np.mean((self.gains <= self.ends) & (self.losses > self.ends)))


class Simulation:
    """Runs of one setting; the same chance at every effect, so that power grows with it."""

    def __init__(self, setting: Setting, seed: int = 0) -> None:
        self.setting = setting
        cells = _CELLS_OF_SINGLES if setting.are_singles else _CELLS_OF_GROUPS
        self._key = (str(setting), setting.costs.tobytes().hex(), seed)
        looks = setting.most_looks
        self.replications = min(_MOST_REPLICATIONS, max(_LEAST_REPLICATIONS, cells // looks))
        self._totals = self._drawn_totals()

    @cached_property
    def affordable(self) -> Floats:
        """Looks that the money pays for in each run."""
        setting = self.setting
        left = setting.money - setting.reserve
        found: Floats = np.count_nonzero(self._totals <= left, axis=1).astype(np.float64)
        return setting.paid + found

    def spent(self, ends: Floats) -> Floats:
        """Money that each run spends up to its end, beyond the looks that are paid."""
        after = np.clip(ends - self.setting.paid, 0, self._totals.shape[1]).astype(np.int64)
        with_none = np.concatenate([np.zeros((self.replications, 1)), self._totals], axis=1)
        found: Floats = with_none[np.arange(self.replications), after]
        return found

    def at(self, effect: float | Floats, first: Floats | None = None) -> Courses:
        """`effect` is one for all, or one a run; `first`: sums of looks that are known."""
        setting = self.setting
        sums = self._sums(effect)
        if first is not None:
            sums[:, : first.size] = first[: sums.shape[1]]
        bar = 2 / setting.alpha
        gains, losses = (
            first_single_looks(sign * sums, bar)
            if setting.are_singles
            else first_looks(sign * sums / setting.size, float(setting.size), bar)
            for sign in (1, -1)
        )
        # Mostly the money ends long before equivalence; some runs show whether it does.
        some = self._alike(sums[:_PROBED])
        if np.mean(some <= self.affordable[:_PROBED]) > _SELDOM:
            some = np.concatenate([some, self._alike(sums[_PROBED:])])
        alike = np.full(len(sums), sums.shape[1] + 1.0)
        alike[: some.size] = some
        return Courses(self.affordable, gains, losses, alike)

    def _alike(self, sums: Floats) -> Floats:
        """First looks at which both bounds lie within the margin of equivalence."""
        bar, margin = 2 / self.setting.alpha, self.setting.margin
        above, below = (self.beyond(sign * sums, margin, bar) for sign in (1, -1))
        return np.maximum(above, below)

    def equal(self) -> Equal:
        """Runs without a difference; fewer, as each margin is a question of its own."""
        courses = self.at(0.0)
        return Equal(self, self._sums(0.0)[:_FEWER], courses.ends[:_FEWER])

    def beyond(self, sums: Floats, margin: float, bar: float) -> Floats:
        """First looks at which bets on a mean above -margin come to more than the bar."""
        if not self.setting.are_singles:
            size = self.setting.size
            return first_looks(sums / size + margin, float(size), bar)
        return first_above(sums, -margin, bar)

    def _sums(self, effect: float | Floats) -> Floats:
        """Sums of groups, of shape (runs, looks); a larger effect raises the discordance."""
        setting, draws = self.setting, self._draws("sums")
        shape = (self.replications, setting.most_looks)
        centre = np.broadcast_to(np.reshape(np.asarray(effect), (-1, 1)), shape)
        between = 0.0 if setting.size == 1 else setting.between
        true = np.clip(centre + between * draws.standard_normal(shape), -1.0, 1.0)
        discordance = np.maximum(setting.discordance, np.abs(true))
        gained, lost = (discordance + true) / 2, (discordance - true) / 2
        if setting.size == 1:
            drawn = draws.random(shape)
            sums: Floats = (drawn < gained).astype(np.float64) - (drawn >= 1 - lost)
            return sums
        gains = draws.binomial(setting.size, gained)
        rest = np.divide(lost, 1 - gained, out=np.zeros(shape), where=gained < 1)
        losses = draws.binomial(setting.size - gains, np.clip(rest, 0.0, 1.0))
        return (gains - losses).astype(np.float64)

    def _drawn_totals(self) -> Floats:
        """What each run has cost after each look that is not paid yet: costs drawn from those seen.

        Large groups cost nearly their mean; of these the sum is drawn as a normal.
        """
        setting, draws = self.setting, self._draws("costs")
        looks = setting.most_looks - min(setting.paid, setting.most_looks)
        shape = (self.replications, looks)
        if self.replications * looks * setting.size <= _MOST_COSTS:
            drawn = draws.choice(setting.costs, (*shape, setting.size)).sum(axis=2)
        else:
            spread = float(setting.costs.std()) * math.sqrt(setting.size)
            drawn = np.maximum(0.0, draws.normal(setting.look_cost, spread, shape))
        return np.cumsum(drawn, axis=1)

    def _draws(self, what: str) -> np.random.Generator:
        # numpy draws, from a state that the one source of chance gives.
        return np.random.default_rng(Chance(digest("courses", what, *self._key)).below(1 << 64))


@dataclass(frozen=True)
class Equal:
    """Runs of two sides that do not differ: their sums, and the looks at which they end."""

    simulation: Simulation
    sums: Floats
    ends: Floats

    def not_worse(self, margin: float) -> float:
        """The share that shows the difference to be above -margin, one-sided, by its end."""
        found = self.simulation.beyond(self.sums, margin, 1 / self.simulation.setting.alpha)
        return float(np.mean(found <= self.ends))

    def within(self, margin: float) -> float:
        """The share that shows the difference to be within the margin by its end."""
        bar = 2 / self.simulation.setting.alpha
        above, below = (self.simulation.beyond(sign * self.sums, margin, bar) for sign in (1, -1))
        return float(np.mean(np.maximum(above, below) <= self.ends))


def first_above(sums: Floats, mean: float, bar: float) -> Floats:
    """First looks at which bets on single items' mean above `mean` come to more than the bar.

    Looked at on a grid of looks, closer together where there are few; what is above the bar
    between two of them only is missed.
    """
    looks = sums.shape[1]
    grid = np.unique(np.geomspace(1, looks, _GRID).round().astype(np.int64))
    gains = np.cumsum(sums > 0, axis=1)[:, grid - 1]
    losses = np.cumsum(sums < 0, axis=1)[:, grid - 1]
    mixture = bet_mixture()
    stakes = mixture.bets / (1 + mean)
    steps = np.log1p((np.array([1.0, -1.0, 0.0]) - mean)[:, None] * stakes)
    counts = np.stack([gains, losses, grid - gains - losses], axis=2).astype(np.float64)
    does = log_total(counts @ steps, mixture.shares) > math.log(bar)
    places = first_of(does).astype(np.int64)
    return np.append(grid, looks + 1)[places - 1].astype(np.float64)
