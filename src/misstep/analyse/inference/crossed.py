"""Two sources of variance at once: participants, and the groups of items that they answered."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from misstep.analyse.comparison import Interval
from misstep.analyse.estimate import Estimate, by_two_ways
from misstep.analyse.inference.intervals import Clustered, Floats, Ints, t_interval
from misstep.analyse.pairing import Paired, Replies, means, numbered, value
from misstep.analyse.people import is_person
from misstep.core.measures import Measure

Flags = npt.NDArray[np.bool_]
_NOBODY = ""


@dataclass(frozen=True)
class Contribution:
    """What replies add to an estimate: each one's weighted residual, its group and its person.

    The person is "" for a model's reply: a model is not drawn from models, it varies by items
    alone.
    """

    scores: Floats
    groups: tuple[str, ...]
    people: tuple[str, ...]


@dataclass(frozen=True)
class TwoWay:
    """Variances of one estimate by what is taken to be drawn: people, groups, or both at once.

    Each is the sum of squared sums of the contributions within a cluster, with no correction for
    few clusters; `cells` counts the pairs of a person and a group.
    """

    by_person: float
    by_group: float
    by_both: float
    people: int
    groups: int
    cells: int

    @property
    def freedom(self) -> int:
        return min(self.people, self.groups) - 1

    @property
    def variance(self) -> float:
        """Two-way cluster-robust (Cameron, Gelbach & Miller 2011): people + groups - both.

        Each part is multiplied by C / (C - 1) for its C clusters. The difference may fall below
        one of its parts, or below 0; the larger part then stands in, which is never too small.
        """
        people = _corrected(self.by_person, self.people)
        groups = _corrected(self.by_group, self.groups)
        both = _corrected(self.by_both, self.cells)
        return max(people + groups - both, people, groups)


def contribution(replies: Replies, measure: Measure, sign: float = 1.0) -> Contribution:
    """Of a mean over items, each the mean of its replies; `sign` is -1 where it is taken off."""
    centre = float(means(replies, measure).mean())
    listed = [(record, len(own)) for own in replies.values() for record in own]
    scores = [
        sign * (value(record, measure) - centre) / (size * len(replies)) for record, size in listed
    ]
    return Contribution(
        np.array(scores),
        tuple(record.group for record, _ in listed),
        tuple(record.who if is_person(record.who) else _NOBODY for record, _ in listed),
    )


def two_way(parts: Sequence[Contribution]) -> TwoWay:
    """The variances of a sum of contributions that share groups and people."""
    scores = np.concatenate([part.scores for part in parts])
    groups = [name for part in parts for name in part.groups]
    people = [name for part in parts for name in part.people]
    is_human = np.array([name != _NOBODY for name in people])
    person = _kept(people, is_human)
    cell = _kept(zip(people, groups, strict=True), is_human)
    group = _kept(groups, np.ones(len(groups), dtype=np.bool_))
    return TwoWay(
        by_person=_squares(person, scores[is_human]),
        by_group=_squares(group, scores),
        by_both=_squares(cell, scores[is_human]),
        people=int(person.max(initial=-1)) + 1,
        groups=int(group.max()) + 1,
        cells=int(cell.max(initial=-1)) + 1,
    )


def estimate_crossed(paired: Paired, margin: float) -> Estimate:
    """Where people are on either side: t on the fewer of people and groups, less one."""
    measure = paired.measure
    found = two_way([contribution(paired.arm, measure), contribution(paired.baseline, measure, -1)])
    effect = measure.factor * float(paired.differences.mean())
    variance = measure.factor**2 * found.variance
    return by_two_ways(effect, variance, found.freedom, margin, measure)


def people_interval(replies: Replies, measure: Measure) -> Interval | None:
    """95 % for the mean of people's replies; None with a single person or a single group."""
    found = two_way([contribution(replies, measure)])
    if found.freedom < 1:
        return None
    mean = float(means(replies, measure).mean())
    reach = t_interval(Clustered(mean, math.sqrt(found.variance), found.freedom + 1))
    return reach and Interval(max(measure.lowest, reach.low), min(measure.highest, reach.high))


def _kept(names: Iterable[Hashable], is_kept: Flags) -> Ints:
    return numbered(name for name, kept in zip(names, is_kept.tolist(), strict=True) if kept)


def _squares(cluster: Ints, scores: Floats) -> float:
    return float(np.sum(np.bincount(cluster, weights=scores) ** 2))


def _corrected(variance: float, clusters: int) -> float:
    return variance * clusters / (clusters - 1) if clusters > 1 else variance
