"""What an arm is worth: time and money of both arms, and the price of an error that pays for it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from misstep.analyse.arms import arm_order
from misstep.analyse.comparison import Interval
from misstep.analyse.drafts import MARGIN, estimate_paired, measure_of
from misstep.analyse.inference.fieller import (
    Pays,
    Stretch,
    anytime_stretches,
    joint,
    stretches,
    widened,
)
from misstep.analyse.inference.intervals import Floats, clustered, t_interval
from misstep.analyse.pairing import Paired, Replies, Subject, by_subject, pair
from misstep.analyse.people import PEOPLE
from misstep.analyse.sequential.anytime import is_looked_at
from misstep.analyse.sequential.looks import looked_at
from misstep.analyse.splits import is_reference, median_split
from misstep.analyse.worth.latency import Latency, latency
from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.measures import Measure
from misstep.core.records import Record


@dataclass(frozen=True)
class Money:
    """What a call costs, on average over the paired items; a call is one answer of the task.

    All requests that the answer took are in it. `difference` is the arm less the baseline, with
    its cluster-robust interval (None with a single group).
    """

    baseline: float
    arm: float
    difference: float
    interval: Interval | None


@dataclass(frozen=True)
class BreakEven:
    """The price of an error at which both arms cost the same in all, errors included.

    `price` is the cost difference over the difference in errors; None where the observed figures
    have no such price from 0 up, as one arm is at least as cheap and as good. `stretches` are all
    prices from 0 up, and what is shown of each at 95 %.
    """

    price: float | None
    stretches: tuple[Stretch, ...]

    @property
    def interval(self) -> tuple[float, float | None] | None:
        """Prices that are open: the lowest, and the highest if there is one; None: none is."""
        opened = [one for one in self.stretches if one.pays is Pays.OPEN]
        return (opened[0].low, opened[-1].high) if opened else None

    def swapped(self) -> BreakEven:
        """The same with the baseline in the arm's place."""
        other = {Pays.ARM: Pays.BASELINE, Pays.BASELINE: Pays.ARM, Pays.OPEN: Pays.OPEN}
        turned = (Stretch(one.low, one.high, other[one.pays]) for one in self.stretches)
        return BreakEven(self.price, tuple(turned))


@dataclass(frozen=True)
class Worth:
    """One arm against the baseline arm of one model, over the items that both answered.

    `money` is None where the cost of a reply is unknown, `latency` where no time is.
    `break_even` is None without money, of a measure that counts no errors, or where there is but
    one group. Tokens are means of a call, in and out, None where a reply lacks them.
    """

    family: str
    version: int
    variant: str
    who: str
    arm: str
    baseline: str
    n: int
    groups: int
    latency: Latency | None
    money: Money | None
    break_even: BreakEven | None
    baseline_tokens: float | None
    arm_tokens: float | None
    is_sequential: bool


def worth(records: Iterable[Record], specs: Mapping[str, Spec]) -> tuple[Worth, ...]:
    """Each arm against the baseline arm, of each model; people and solvers are not paid for."""
    subjects = by_subject(looked_at(median_split(records), specs))
    return tuple(
        _worth(subject, arm, baseline, paired)
        for subject, own in subjects.items()
        if subject.who != PEOPLE and not is_reference(subject.who)
        for baseline, arm, paired in _pairs(own, specs.get(subject.family))
    )


def check_volume(volume: float | None) -> None:
    """Raises BadInput for a number of calls a month that is none."""
    if volume is not None and not (math.isfinite(volume) and volume > 0):
        raise BadInput(f"--volume: {volume:g} is no number of calls above 0")


def _pairs(records: Sequence[Record], spec: Spec | None) -> list[tuple[str, str, Paired]]:
    baseline, *others = arm_order(records, spec)
    made = ((arm, pair(records, baseline, arm, measure_of(spec))) for arm in others)
    return [(baseline, arm, paired) for arm, paired in made if paired.baseline]


def _worth(subject: Subject, arm: str, baseline: str, paired: Paired) -> Worth:
    money = _money(paired)
    return Worth(
        family=subject.family,
        version=subject.version,
        variant=subject.variant,
        who=subject.who,
        arm=arm,
        baseline=baseline,
        n=len(paired.baseline),
        groups=int(paired.group.max()) + 1,
        latency=latency(paired),
        money=money,
        break_even=_break_even(paired) if money is not None else None,
        baseline_tokens=_tokens(paired.baseline),
        arm_tokens=_tokens(paired.arm),
        is_sequential=is_looked_at(paired),
    )


def _money(paired: Paired) -> Money | None:
    baseline, arm = _costs(paired.baseline), _costs(paired.arm)
    if baseline is None or arm is None:
        return None
    found = clustered(arm - baseline, paired.group)
    interval = t_interval(found)
    return Money(float(baseline.mean()), float(arm.mean()), found.mean, interval)


def _costs(side: Replies) -> Floats | None:
    """The cost of each item's calls, averaged over its repetitions; None where one is unknown."""
    if any(record.cost is None for own in side.values() for record in own):
        return None
    return np.array(
        [math.fsum(record.cost or 0.0 for record in own) / len(own) for own in side.values()]
    )


def _tokens(side: Replies) -> float | None:
    records = [record for own in side.values() for record in own]
    known = [
        record.input_tokens + record.output_tokens
        for record in records
        if record.input_tokens is not None and record.output_tokens is not None
    ]
    return sum(known) / len(known) if len(known) == len(records) else None


def _break_even(paired: Paired) -> BreakEven | None:
    """Of a measure from 0 to 1, of which 1 less is an error more."""
    first, second = _costs(paired.baseline), _costs(paired.arm)
    if first is None or second is None or not _counts_errors(paired.measure):
        return None
    cost, gain = second - first, paired.differences
    mean = joint(cost, gain, paired.group)
    if mean is None:
        return None
    price = mean.cost / mean.gain if mean.cost * mean.gain > 0 else None
    if is_looked_at(paired):
        order = _order_of_looks(paired)
        sums = [_sums(paired, each)[order] for each in (cost, gain, np.ones(cost.size))]
        return BreakEven(price, anytime_stretches(*sums))
    found = estimate_paired(paired, MARGIN)
    error = None if found.error is None else found.error / paired.measure.factor
    return BreakEven(price, stretches(widened(mean, error, found.p)))


def _sums(paired: Paired, values: Floats) -> Floats:
    """Of each group."""
    return np.bincount(paired.group, weights=values).astype(np.float64)


def _counts_errors(measure: Measure) -> bool:
    return measure.is_more_better and (measure.lowest, measure.highest) == (0.0, 1.0)


def _order_of_looks(paired: Paired) -> list[int]:
    """The groups' numbers, in the order in which they were looked at."""
    looks = {
        int(group): own[0].look or 0
        for group, own in zip(paired.group, paired.baseline.values(), strict=True)
    }
    return sorted(looks, key=lambda group: looks[group])
