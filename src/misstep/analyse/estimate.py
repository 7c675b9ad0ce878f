"""One line of a comparison from its paired differences: effect, interval, p, equivalence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from misstep.analyse import intervals
from misstep.analyse.comparison import Interval
from misstep.analyse.intervals import Clustered, Floats, Ints
from misstep.analyse.signflip import DRAWS, is_exact, mcnemar, sign_flip

_POINTS = 100.0


@dataclass(frozen=True)
class Estimate:
    """All in points. `error` is a standard error; see `Equivalence` for the margins."""

    effect: float
    error: float | None
    interval: Interval | None
    test: str
    p: float
    equivalence_p: float | None
    smallest_margin: float | None
    established_margin: float | None


@dataclass(frozen=True)
class _Scores:
    """Tango's counts: of items, or of groups where these do not differ at all."""

    gained: float
    lost: float
    n: int


def estimate(differences: Floats, group: Ints, margin: float) -> Estimate:
    """`differences` is arm minus baseline of each item, in -1..1; `margin` is in points.

    Single items that are right or wrong: exact McNemar and Tango's score. Else: sign-flip of
    the groups' sums and CR2. Where all groups agree to the last item, CR2 would give an interval
    of no width; Tango's score with the groups as the units then stands in.
    """
    mean = intervals.clustered(differences, group)
    gained, lost = int(np.sum(differences > 0)), int(np.sum(differences < 0))
    if intervals.are_singles(differences, group):
        p, test = mcnemar(lost, gained), "exact McNemar"
        return _by_score(_Scores(gained, lost, differences.size), p, test, margin)
    sums = np.bincount(group, weights=differences).astype(np.float64)
    p = sign_flip(sums)
    test = "sign-flip, exact" if is_exact(sums) else f"sign-flip, {DRAWS:,} draws"
    if mean.error == 0:
        units = mean.groups
        scores = _Scores(units * max(mean.mean, 0.0), units * max(-mean.mean, 0.0), units)
        return _by_score(scores, p, test, margin)
    return _by_spread(mean, p, test, margin)


def _by_score(scores: _Scores, p: float, test: str, margin: float) -> Estimate:
    gained, lost, n = scores.gained, scores.lost, scores.n
    wide = intervals.tango(gained, lost, n)
    narrow = intervals.tango(gained, lost, n, level=0.9)
    even = intervals.tango((gained + lost) / 2, (gained + lost) / 2, n, level=0.9)
    bound = margin / _POINTS
    below = stats.norm.sf(intervals.tango_z(gained, lost, n, -bound))
    above = stats.norm.cdf(intervals.tango_z(gained, lost, n, bound))
    return Estimate(
        effect=_POINTS * (gained - lost) / n,
        error=_POINTS * (wide.high - wide.low) / 2 / float(stats.norm.ppf(0.975)),
        interval=_in_points(wide),
        test=test,
        p=p,
        equivalence_p=float(max(below, above)),
        smallest_margin=_POINTS * even.high,
        established_margin=_POINTS * max(abs(narrow.low), abs(narrow.high)),
    )


def _by_spread(mean: Clustered, p: float, test: str, margin: float) -> Estimate:
    interval = intervals.t_interval(mean)
    narrow = intervals.t_interval(mean, level=0.9)
    if mean.error is None or interval is None or narrow is None:
        return Estimate(_POINTS * mean.mean, None, None, test, p, None, None, None)
    bound, freedom = margin / _POINTS, mean.groups - 1
    below = stats.t.sf((mean.mean + bound) / mean.error, freedom)
    above = stats.t.cdf((mean.mean - bound) / mean.error, freedom)
    return Estimate(
        effect=_POINTS * mean.mean,
        error=_POINTS * mean.error,
        interval=_in_points(interval),
        test=test,
        p=p,
        equivalence_p=float(max(below, above)),
        smallest_margin=_POINTS * (narrow.high - narrow.low) / 2,
        established_margin=_POINTS * max(abs(narrow.low), abs(narrow.high)),
    )


def _in_points(interval: Interval) -> Interval:
    """Within -100 to 100, where a difference of accuracies must lie."""
    return Interval(max(-_POINTS, _POINTS * interval.low), min(_POINTS, _POINTS * interval.high))
