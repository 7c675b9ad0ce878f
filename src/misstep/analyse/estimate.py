"""One line of a comparison from its paired differences: effect, interval, p, equivalence."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from misstep.analyse.comparison import Interval
from misstep.analyse.inference import intervals
from misstep.analyse.inference.intervals import Floats, Ints
from misstep.analyse.inference.signflip import DRAWS, is_exact, mcnemar, sign_flip, smallest_p
from misstep.analyse.sequential.anytime import Anytime
from misstep.core.measures import ACCURACY, Measure

MCNEMAR = "exact McNemar"
MID_P = "mid-p McNemar"
TWO_WAY = "two-way cluster-robust t"
NO_TEST = "none"


@dataclass(frozen=True)
class Scored:
    """Tango's score for counts of items, or of groups where these do not differ at all.

    Differences are in the unit; `span` is the largest there can be.
    """

    gained: float
    lost: float
    n: int
    span: float

    @property
    def effect(self) -> float:
        return self.span * (self.gained - self.lost) / self.n

    @property
    def error(self) -> float:
        """Half the interval's width, as a normal's standard error."""
        wide = self.interval(0.95)
        return (wide.high - wide.low) / 2 / float(stats.norm.ppf(0.975))

    def interval(self, level: float) -> Interval:
        found = intervals.tango(self.gained, self.lost, self.n, level)
        return Interval(self.span * found.low, self.span * found.high)

    def p_above(self, bound: float) -> float:
        """One-sided p that the true effect lies above the bound."""
        return float(stats.norm.sf(self._z(bound)))

    def p_below(self, bound: float) -> float:
        return float(stats.norm.cdf(self._z(bound)))

    def reach(self, level: float) -> float:
        """How far the interval would go to either side if the observed effect were 0."""
        even = (self.gained + self.lost) / 2
        return self.span * intervals.tango(even, even, self.n, level).high

    def _z(self, bound: float) -> float:
        # No difference can lie beyond the span; there the score is at its end.
        share = max(-1.0, min(1.0, bound / self.span))
        return intervals.tango_z(self.gained, self.lost, self.n, share)


@dataclass(frozen=True)
class Spread:
    """A mean in the unit with a standard error above 0, and t's degrees of freedom."""

    effect: float
    error: float
    freedom: int

    def interval(self, level: float) -> Interval:
        reach = self.reach(level)
        return Interval(self.effect - reach, self.effect + reach)

    def p_above(self, bound: float) -> float:
        """One-sided p that the true effect lies above the bound."""
        return float(stats.t.sf((self.effect - bound) / self.error, self.freedom))

    def p_below(self, bound: float) -> float:
        return float(stats.t.cdf((self.effect - bound) / self.error, self.freedom))

    def reach(self, level: float) -> float:
        return float(stats.t.ppf((1 + level) / 2, self.freedom)) * self.error


Basis = Scored | Spread | Anytime


@dataclass(frozen=True)
class Estimate:
    """All in the measure's unit. `error` is a standard error; see `Equivalence` for the margins.

    `p` is None where a single group leaves nothing to test. `basis` is what one-sided tests at
    other bounds go by; None where nothing is known of the spread.
    """

    effect: float
    error: float | None
    interval: Interval | None
    test: str
    p: float | None
    equivalence_p: float | None
    smallest_margin: float | None
    established_margin: float | None
    basis: Basis | None = None


def estimate(
    differences: Floats,
    group: Ints,
    margin: float,
    measure: Measure = ACCURACY,
    mid_p: bool = False,
) -> Estimate:
    """`differences` is arm minus baseline of each item, in the measure; `margin` in its unit.

    Single items that are right or wrong: exact McNemar (or its mid-p) and Tango's score. Else:
    sign-flip of the groups' sums and CR2. Where all groups agree to the last item, CR2 would give
    an interval of no width; Tango's score with the groups as the units then stands in.
    """
    mean = intervals.clustered(differences, group)
    effect = measure.factor * mean.mean
    if mean.error is None:
        return unknown(effect)
    if measure.highest - measure.lowest == 1 and intervals.are_singles(differences, group):
        gained, lost = int(np.sum(differences > 0)), int(np.sum(differences < 0))
        p, test = mcnemar(lost, gained, mid_p), MID_P if mid_p else MCNEMAR
        return _from(Scored(gained, lost, differences.size, measure.span), p, test, margin, measure)
    sums = np.bincount(group, weights=differences).astype(np.float64)
    p = sign_flip(sums)
    test = "sign-flip, exact" if is_exact(sums) else f"sign-flip, {DRAWS:,} draws"
    basis = (
        agreeing(effect, mean.groups, measure)
        if mean.error == 0
        else Spread(effect, measure.factor * mean.error, mean.groups - 1)
    )
    return _from(basis, p, test, margin, measure)


def by_two_ways(
    effect: float, variance: float, freedom: int, margin: float, measure: Measure
) -> Estimate:
    """An estimate with a variance from people and groups, t on the fewer of the two less one."""
    if freedom < 1:
        return unknown(effect)
    error = math.sqrt(variance)
    if error <= intervals.NO_SPREAD * measure.factor:
        units = freedom + 1
        p = 1.0 if abs(effect) <= intervals.NO_SPREAD * measure.factor else smallest_p(units)
        return _from(agreeing(effect, units, measure), p, "sign-flip, exact", margin, measure)
    p = 2 * float(stats.t.sf(abs(effect) / error, freedom))
    return _from(Spread(effect, error, freedom), p, TWO_WAY, margin, measure)


def agreeing(effect: float, units: int, measure: Measure) -> Scored:
    """So many units that all show the very same difference."""
    share = effect / measure.span
    return Scored(units * max(share, 0.0), units * max(-share, 0.0), units, measure.span)


def unknown(effect: float) -> Estimate:
    """An effect of which nothing else can be said."""
    return Estimate(effect, None, None, NO_TEST, None, None, None, None)


def _from(basis: Scored | Spread, p: float, test: str, margin: float, measure: Measure) -> Estimate:
    narrow = basis.interval(0.9)
    return Estimate(
        effect=basis.effect,
        error=basis.error,
        interval=_possible(basis.interval(0.95), measure),
        test=test,
        p=p,
        equivalence_p=max(basis.p_above(-margin), basis.p_below(margin)),
        smallest_margin=basis.reach(0.9),
        established_margin=max(abs(narrow.low), abs(narrow.high)),
        basis=basis,
    )


def _possible(interval: Interval, measure: Measure) -> Interval:
    """Where a difference of two values must lie."""
    return Interval(max(-measure.span, interval.low), min(measure.span, interval.high))
