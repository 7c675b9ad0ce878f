"""Twins of `estimate` that do many experiments at once; the tests hold them against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import stats

from misstep.analyse.calibration.levels import shared_sign_ps
from misstep.analyse.calibration.nouns import MARGIN
from misstep.analyse.estimate import Estimate, estimate
from misstep.analyse.inference.intervals import Floats
from misstep.core.measures import ACCURACY
from misstep.core.seeds import Chance

_TOGETHER = 1_000


@dataclass(frozen=True)
class Found:
    """What `estimate` says of each experiment, an entry each; effects are in points.

    `not_worse_p` is that of "at most the margin worse".
    """

    effect: Floats
    low: Floats
    high: Floats
    equivalence_p: Floats
    not_worse_p: Floats

    def covers(self, effect: float) -> Floats:
        """1 where the interval holds the true effect (in points), else 0."""
        return ((self.low <= effect) & (effect <= self.high)).astype(np.float64)


def sign_flip_ps(sums: Floats, chance: Chance, draws: int = 4_000) -> Floats:
    """The primary p of each experiment (row), all of one thousand with the same signs.

    Fewer draws of signs than a comparison makes leave the test's level as it is.
    """
    starts = range(0, len(sums), _TOGETHER)
    return np.concatenate(
        [shared_sign_ps(sums[at : at + _TOGETHER], chance, draws) for at in starts]
    )


def clustered_found(sums: Floats, sizes: Floats, margin: float = MARGIN) -> Found:
    """CR2 and t on G - 1, as for groups of several items that are right or wrong."""
    total = float(sizes.sum())
    mean = sums.sum(axis=1) / total
    residuals = sums - sizes * mean[:, None]
    error = np.sqrt((residuals**2 / (1 - sizes / total)).sum(axis=1)) / total
    freedom = sizes.size - 1
    flat = np.flatnonzero(error <= 1e-12)
    safe = np.where(error <= 1e-12, 1.0, error)
    reach = float(stats.t.ppf(0.975, freedom)) * safe
    edge = margin / ACCURACY.span
    above = stats.t.sf((mean + edge) / safe, freedom)
    below = stats.t.cdf((mean - edge) / safe, freedom)
    found = Found(
        effect=100 * mean,
        low=np.clip(100 * (mean - reach), -100, 100),
        high=np.clip(100 * (mean + reach), -100, 100),
        equivalence_p=np.maximum(above, below),
        not_worse_p=above,
    )
    for at in flat:
        _put(found, int(at), original(sums[at], sizes, margin), margin)
    return found


def original(sums: Floats, sizes: Floats, margin: float = MARGIN) -> Estimate:
    """What a comparison says of one experiment.

    Items of a group share its mean difference: nothing but groups' sums and sizes is looked at.
    """
    counts = sizes.astype(np.int64)
    return estimate(
        np.repeat(sums / sizes, counts), np.repeat(np.arange(sizes.size), counts), margin
    )


def singles(sums: Floats, of: Callable[[Estimate], float], margin: float = MARGIN) -> Floats:
    """What `estimate` itself says of experiments of single items, looked up by their counts."""
    n = sums.shape[1]
    gained, lost = (sums > 0).sum(axis=1), (sums < 0).sum(axis=1)
    pairs, places = np.unique(np.stack([gained, lost]), axis=1, return_inverse=True)
    told = [of(_single(int(up), int(down), n, margin)) for up, down in pairs.T]
    return np.array(told, dtype=np.float64)[places.ravel()]


@cache
def _single(gained: int, lost: int, n: int, margin: float) -> Estimate:
    differences = np.repeat([1.0, -1.0, 0.0], [gained, lost, n - gained - lost])
    return estimate(differences, np.arange(n), margin)


def _put(found: Found, at: int, one: Estimate, margin: float) -> None:
    """Where the groups of an experiment do not differ at all, CR2 is not what a comparison uses."""
    if one.interval is None or one.basis is None or one.equivalence_p is None:
        raise AssertionError("several groups have an interval and a test")
    found.low[at], found.high[at] = one.interval.low, one.interval.high
    found.equivalence_p[at] = one.equivalence_p
    found.not_worse_p[at] = one.basis.p_above(-margin)
