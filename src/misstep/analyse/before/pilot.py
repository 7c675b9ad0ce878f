"""A pilot's records → what the rest of a sum of money can show, and where it will probably stop."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from misstep.analyse.before.courses import Setting, Simulation
from misstep.analyse.before.observed import between_groups
from misstep.analyse.before.power import POWER, Assumptions
from misstep.analyse.inference.intervals import Floats
from misstep.analyse.pairing import pair
from misstep.analyse.sequential.anytime import groups_of
from misstep.analyse.sequential.evidence import Groups
from misstep.analyse.verdict import ALPHA
from misstep.core.looks import complete_groups
from misstep.core.measures import ACCURACY, Measure
from misstep.core.pilots import LEAST_ITEMS
from misstep.core.records import Record
from misstep.core.seeds import Chance, digest

_PRIOR_DEGREES = 5
_PRIOR_EFFECT = 0.15
_STEPS = 7


@dataclass(frozen=True)
class Replies:
    """One arm's replies in the pilot: their mean and longest output in tokens, thinking included,
    and the mean money of one, each None where nothing is known of it."""

    arm: str
    answers: int
    tokens: float | None
    longest: int | None
    money: float | None


@dataclass(frozen=True)
class Seen:
    """One arm against the baseline in the pilot; `discordance` and `between` are shares."""

    arm: str
    groups: Groups
    discordance: float
    between: float


@dataclass(frozen=True)
class Pilot:
    """What the first groups showed. `costs`: money for each item, in all arms together."""

    baseline: str
    replies: tuple[Replies, ...]
    seen: tuple[Seen, ...]
    items: int
    looks: int
    looks_planned: int
    costs: Floats

    @property
    def size(self) -> float:
        """Items a group."""
        return self.items / self.looks


@dataclass(frozen=True)
class Sum:
    """The money: all of it, what the pilot took, and the most that one call may cost."""

    budget: float
    spent: float
    dearest: float
    currency: str = ""


@dataclass(frozen=True)
class Reach:
    """What the money can show of one arm with 80 % power, in the unit; None where nothing.

    `detectable`: a difference. `not_worse`: the smallest margin by which the baseline is shown not
    to be worse, and `equivalent` that of equivalence, where the arms are equal.
    """

    arm: str
    discordance: float
    detectable: float | None
    not_worse: float | None
    equivalent: float | None


@dataclass(frozen=True)
class Ending:
    """The money spent when the run ends, the pilot's included: quartiles over what fits the pilot,
    and the share of such runs that end with a verdict."""

    low: float
    middle: float
    high: float
    decided: float


@dataclass(frozen=True)
class Prospect:
    """The plan. `items` the money will probably pay for, the pilot's included, `items_if_longer`
    if one reply in so many as the pilot saw is as long as it may be. `margin` is the verdict's."""

    pilot: Pilot
    money: Sum
    items: int
    items_if_longer: int
    items_planned: int
    reaches: tuple[Reach, ...]
    ending: Ending
    margin: float
    measure: Measure

    @property
    def is_all(self) -> bool:
        """Whether the money does for every item there is."""
        return self.items >= self.items_planned


def observe_pilot(
    records: Sequence[Record],
    arms: Sequence[str],
    planned: int,
    spent: float,
    measure: Measure = ACCURACY,
) -> Pilot | None:
    """From the groups that are complete in all arms; None where these are too few for a plan.

    `planned` is the number of groups there are in all. `spent` is what was paid for these: what
    the records don't account for, such as a judge's calls, is spread over the items.
    """
    complete = list(complete_groups(records, arms))
    own = [record for group in complete for record in group]
    items = len({record.item for record in own})
    if items < LEAST_ITEMS or len(complete) < 2:
        return None
    baseline, *others = arms
    return Pilot(
        baseline=baseline,
        replies=tuple(_replies(own, arm) for arm in arms),
        seen=tuple(_seen(own, baseline, arm, measure) for arm in others),
        items=items,
        looks=len(complete),
        looks_planned=max(planned, len(complete)),
        costs=_costs(own, spent),
    )


def _replies(records: Sequence[Record], arm: str) -> Replies:
    own = [record for record in records if record.arm == arm]
    lengths = [one.output_tokens for one in own if one.output_tokens is not None]
    money = [one.cost for one in own if one.cost is not None]
    return Replies(
        arm=arm,
        answers=len(own),
        tokens=fmean(lengths) if lengths else None,
        longest=max(lengths, default=None),
        money=fmean(money) if money else None,
    )


def _costs(records: Sequence[Record], spent: float) -> Floats:
    found: dict[str, float] = {}
    for record in records:
        found[record.item] = found.get(record.item, 0.0) + (record.cost or 0.0)
    costs = np.array(list(found.values()))
    return costs + max(0.0, spent - float(costs.sum())) / costs.size


def _seen(records: Sequence[Record], baseline: str, arm: str, measure: Measure) -> Seen:
    """Of pairs that all agree one is taken to differ: they don't show that none ever would."""
    paired = pair(records, baseline, arm, measure)
    shares = paired.differences / (measure.highest - measure.lowest)
    discordance = max(1.0, float(np.sum(shares**2))) / shares.size
    between = between_groups(shares, paired.group)
    usual, degrees = Assumptions().between, int(paired.group.max())
    known = 0.0 if between is None else degrees * between**2
    weight = 0 if between is None else degrees
    mixed = (known + _PRIOR_DEGREES * usual**2) / (weight + _PRIOR_DEGREES)
    # Groups can't differ by more than all that there is of differences.
    return Seen(arm, groups_of(paired), discordance, math.sqrt(min(mixed, discordance / 2)))


def prospect(pilot: Pilot, money: Sum, margin: float, measure: Measure = ACCURACY) -> Prospect:
    """`margin` of equivalence, in the unit, is that of the verdict at which the run stops."""
    settings = [setting(pilot, seen, money, margin / measure.span) for seen in pilot.seen]
    simulations = [Simulation(one) for one in settings]
    looks = float(np.median(simulations[0].affordable))
    planned = round(pilot.looks_planned * pilot.size)
    return Prospect(
        pilot=pilot,
        money=money,
        items=min(planned, round(looks * pilot.size)),
        items_if_longer=min(planned, _if_longer(pilot, money)),
        items_planned=planned,
        reaches=tuple(
            _reach(one, seen, measure) for one, seen in zip(simulations, pilot.seen, strict=True)
        ),
        ending=_ending(pilot, simulations, money),
        margin=margin,
        measure=measure,
    )


def setting(pilot: Pilot, seen: Seen, money: Sum, margin: float) -> Setting:
    """What is supposed of the run that is to come, as shares of the largest difference."""
    return Setting(
        looks=pilot.looks_planned,
        size=max(1, round(pilot.size)),
        are_singles=seen.groups.are_singles,
        discordance=seen.discordance,
        between=seen.between,
        margin=margin,
        alpha=ALPHA / len(pilot.seen),
        costs=pilot.costs,
        money=money.budget - money.spent,
        reserve=money.dearest,
        paid=pilot.looks,
    )


def _if_longer(pilot: Pilot, money: Sum) -> int:
    each = (float(pilot.costs.sum()) + money.dearest) / (pilot.costs.size + 1)
    left = max(0.0, money.budget - money.spent - money.dearest)
    return pilot.items + (math.floor(left / each) if each else round(1e9))


def _reach(simulation: Simulation, seen: Seen, measure: Measure) -> Reach:
    equal = simulation.equal()
    usual = math.sqrt(seen.discordance / max(1.0, float(np.median(simulation.affordable))))
    found = (
        _smallest(lambda effect: simulation.at(effect).gained, usual),
        _smallest(equal.not_worse, usual),
        _smallest(equal.within, usual),
    )
    detectable, not_worse, equivalent = (
        None if one is None else measure.span * one for one in found
    )
    return Reach(seen.arm, seen.discordance, detectable, not_worse, equivalent)


def _smallest(power_at: Callable[[float], float], usual: float) -> float | None:
    """The share at which the power is reached; `usual` is about a third of it."""
    low, high = 0.0, min(0.99, 4 * usual)
    while power_at(high) < POWER:
        if high >= 0.99:
            return None
        low, high = high, min(0.99, 2 * high)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if power_at(middle) < POWER else (low, middle)
    return high


def _ending(pilot: Pilot, simulations: Sequence[Simulation], money: Sum) -> Ending:
    """Over effects that fit the pilot (as likely as a normal about 0 with an SD of 15 points makes
    them beforehand), going on from its own groups. It ends when all arms have their verdict."""
    verdicts: list[Floats] = []
    for number, (one, seen) in enumerate(zip(simulations, pilot.seen, strict=True)):
        courses = one.at(_effects(one, seen, number), seen.groups.sums)
        verdicts.append(courses.verdicts)
    count = min(found.size for found in verdicts)
    last = np.max([found[:count] for found in verdicts], axis=0)
    first = simulations[0]
    ends = first.affordable.copy()
    ends[:count] = np.minimum(ends[:count], last)
    spent = money.spent + first.spent(ends)[:count]
    low, middle, high = (float(one) for one in np.quantile(spent, (0.25, 0.5, 0.75)))
    return Ending(low, middle, high, float(np.mean(last <= first.affordable[:count])))


def _effects(simulation: Simulation, seen: Seen, number: int) -> Floats:
    groups = seen.groups
    size = float(groups.sizes.mean())
    between = 0.0 if size == 1 else seen.between
    error = math.sqrt((between**2 + seen.discordance / size) / groups.sums.size)
    weight = _PRIOR_EFFECT**2 / (_PRIOR_EFFECT**2 + error**2)
    key = ("pilot", number, repr(groups.mean), groups.sums.size)
    # numpy draws, from a state that the one source of chance gives.
    draws = np.random.default_rng(Chance(digest(*key)).below(1 << 64))
    spread = math.sqrt(weight) * error
    drawn = draws.normal(weight * groups.mean, spread, simulation.replications)
    return np.clip(drawn, -0.99, 0.99)


def money_for(records: Sequence[Record], items: int) -> float | None:
    """What so many items more cost if they cost what these did; None where no cost is known."""
    costs = [record.cost for record in records if record.cost is not None]
    asked = len({record.item for record in records})
    return items * math.fsum(costs) / asked if costs else None
