"""What earlier records say about the spread of differences: the assumptions of a power analysis."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from misstep.analyse.inference.intervals import Floats, Ints
from misstep.analyse.pairing import Paired, by_subject, pair, value
from misstep.analyse.splits import is_reference
from misstep.core.measures import Measure
from misstep.core.records import Record


@dataclass(frozen=True)
class Observed:
    """Estimates over all models that answered both arms, weighted by their pairs of items.

    As shares of the measure's range; see `power.Assumptions`. `discordance` counts one more pair
    that differs and one that does not, as few pairs that all agree do not show that all would.
    `between` is None where no group has two items or there is one group only, `sampling_share`
    where nothing was asked twice.
    """

    discordance: float
    between: float | None
    sampling_share: float | None
    pairs: int
    models: tuple[str, ...]


@dataclass(frozen=True)
class _Parts:
    """Of one model: mean squared difference of two single replies, and parts of its variance."""

    who: str
    pairs: int
    discordance: float
    between: float | None
    sampling_share: float | None


def observe(
    records: Iterable[Record], baseline: str, arm: str, measure: Measure
) -> Observed | None:
    """None where no model answered an item in both arms. Reference solvers do not count."""
    asked = [record for record in records if not is_reference(record.who)]
    found = [
        _parts(subject.who, paired)
        for subject, own in by_subject(asked).items()
        if (paired := pair(own, baseline, arm, measure)).baseline
    ]
    if not found:
        return None
    pairs = sum(one.pairs for one in found)
    return Observed(
        discordance=(sum(one.discordance * one.pairs for one in found) + 1) / (pairs + 2),
        between=_weighted([(one.between, one.pairs) for one in found]),
        sampling_share=_weighted([(one.sampling_share, one.pairs) for one in found]),
        pairs=pairs,
        models=tuple(dict.fromkeys(one.who for one in found)),
    )


def _weighted(values: Sequence[tuple[float | None, int]]) -> float | None:
    known = [(one, weight) for one, weight in values if one is not None]
    if not known:
        return None
    return sum(one * weight for one, weight in known) / sum(weight for _, weight in known)


def _parts(who: str, paired: Paired) -> _Parts:
    measure = paired.measure
    width = measure.highest - measure.lowest
    first = [_scaled(own, measure) for own in paired.baseline.values()]
    second = [_scaled(own, measure) for own in paired.arm.values()]
    squares = [
        float(np.mean((two[:, None] - one[None, :]) ** 2))
        for one, two in zip(first, second, strict=True)
    ]
    differences = paired.differences / width
    discordance = float(np.mean(squares))
    whole = discordance - float(differences.mean()) ** 2
    between = between_groups(differences, paired.group)
    within = whole - (between or 0.0) ** 2
    chance = [
        float(one.var(ddof=1) + two.var(ddof=1))
        for one, two in zip(first, second, strict=True)
        if one.size > 1 and two.size > 1
    ]
    share = min(1.0, float(np.mean(chance)) / within) if chance and within > 0 else None
    return _Parts(who, len(first), discordance, between, share)


def _scaled(own: Sequence[Record], measure: Measure) -> Floats:
    values = np.array([value(record, measure) for record in own])
    return (values - measure.lowest) / (measure.highest - measure.lowest)


def between_groups(differences: Floats, group: Ints) -> float | None:
    """The SD of the groups' true means, by analysis of variance; 0 where that is negative."""
    sizes = np.bincount(group)
    groups, n = sizes.size, differences.size
    if groups < 2 or n == groups:
        return None
    means = np.bincount(group, weights=differences) / sizes
    within = float(np.sum((differences - means[group]) ** 2)) / (n - groups)
    across = float(np.sum(sizes * (means - differences.mean()) ** 2)) / (groups - 1)
    usual = (n - float(np.sum(sizes**2)) / n) / (groups - 1)
    return math.sqrt(max(0.0, (across - within) / usual))
