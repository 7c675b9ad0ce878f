"""Dose and response: how well a model does by how much it thought, and whether more is too much.

The dose is what was observed, thinking tokens of an answer, not what was asked for. Arms are held
against the lowest dose on the items that all of them answered. That the best lies inside, between
the ends, is said only where an inner arm is shown to be better than the lowest and the highest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from misstep.analyse.claims import DIRECT, thinking_tokens
from misstep.analyse.comparison import Interval
from misstep.analyse.drafts import MARGIN, estimate_paired, measure_of
from misstep.analyse.inference import intervals
from misstep.analyse.inference.multiple import holm, holm_known
from misstep.analyse.pairing import (
    Replies,
    Subject,
    by_item,
    by_subject,
    means,
    numbered,
    paired_up,
)
from misstep.analyse.people import PEOPLE
from misstep.analyse.sequential.looks import looked_at
from misstep.analyse.splits import is_reference
from misstep.analyse.verdict import ALPHA
from misstep.core.arms import NO_THINKING
from misstep.core.family import Spec
from misstep.core.measures import ACCURACY, Measure
from misstep.core.records import Record

FEWEST = 3


class Peak(StrEnum):
    """Where the best is, as far as the answers show."""

    INSIDE = "inside"
    NOT_SHOWN = "not shown to be inside"
    LOWEST = "at the lowest dose"
    HIGHEST = "at the highest dose"


@dataclass(frozen=True)
class Against:
    """One arm less another, in the measure's unit; `p` is two-sided, unadjusted."""

    arm: str
    other: str
    effect: float
    interval: Interval | None
    p: float | None


@dataclass(frozen=True)
class Dose:
    """One arm: `tokens` thought for an answer on average, and the mean with its 95 % interval.

    `against_lowest` is None for the lowest dose; `p_adjusted` is Holm's over all other doses.
    """

    arm: str
    tokens: float
    mean: float
    interval: Interval | None
    against_lowest: Against | None
    p_adjusted: float | None


@dataclass(frozen=True)
class Curve:
    """The doses of one model on one family, the lowest first, over `n` items that all answered.

    `best` is the arm with the best mean (of equal ones the least dose); `neighbours` and `ends`
    hold it against the arms beside it and at the ends. `peak_p` is that `best` is better than both
    ends, Holm-adjusted over the inner arms; None where `best` is an end. `without_tokens`: arms
    that are told to think, and of whose thinking nothing is known.
    """

    family: str
    version: int
    variant: str
    who: str
    n: int
    groups: int
    doses: tuple[Dose, ...]
    best: str
    neighbours: tuple[Against, ...]
    ends: tuple[Against, ...]
    peak: Peak
    peak_p: float | None
    without_tokens: tuple[str, ...]
    measure: Measure = ACCURACY


@dataclass(frozen=True)
class _Asked:
    """What was asked of one model: each arm's replies to the items that all arms have."""

    arms: Mapping[str, Replies]
    measure: Measure
    margin: float

    def against(self, arm: str, other: str) -> Against:
        paired = paired_up(self.arms[other], self.arms[arm], self.measure)
        found = estimate_paired(paired, self.margin)
        return Against(arm, other, found.effect, found.interval, found.p)

    def mean(self, arm: str) -> float:
        return float(means(self.arms[arm], self.measure).mean())


def curves(records: Iterable[Record], specs: Mapping[str, Spec]) -> tuple[Curve, ...]:
    """Of every model that answered the same items at three doses or more."""
    found = []
    for subject, own in by_subject(looked_at(records, specs)).items():
        if subject.who == PEOPLE or is_reference(subject.who):
            continue
        curve = _curve(subject, own, specs.get(subject.family))
        if curve is not None:
            found.append(curve)
    return tuple(found)


def _curve(subject: Subject, records: Sequence[Record], spec: Spec | None) -> Curve | None:
    arms = [arm for arm in dict.fromkeys(one.arm for one in records) if _is_dose(records, arm)]
    tokens = {arm: _tokens(records, arm) for arm in arms}
    known = sorted(
        (dose, place) for place, arm in enumerate(arms) if (dose := tokens[arm]) is not None
    )
    asked = _shared(records, [arms[place] for _, place in known], spec)
    if len({dose for dose, _ in known}) < FEWEST or asked is None:
        return None
    ordered = list(asked.arms)
    doses = _doses(asked, {arm: tokens[arm] or 0.0 for arm in ordered})
    sign = asked.measure.sign
    best = max(doses, key=lambda dose: (sign * dose.mean, -dose.tokens)).arm
    peak, p = _peak(asked, ordered, best)
    place, first = ordered.index(best), next(iter(asked.arms.values()))
    beside = [ordered[at] for at in (place - 1, place + 1) if 0 <= at < len(ordered)]
    return Curve(
        family=subject.family,
        version=subject.version,
        variant=subject.variant,
        who=subject.who,
        n=len(first),
        groups=len({own[0].group for own in first.values()}),
        doses=doses,
        best=best,
        neighbours=tuple(asked.against(best, other) for other in beside),
        ends=tuple(asked.against(best, end) for end in (ordered[0], ordered[-1]) if end != best),
        peak=peak,
        peak_p=p,
        without_tokens=tuple(arm for arm in arms if tokens[arm] is None),
        measure=asked.measure,
    )


def _is_dose(records: Iterable[Record], arm: str) -> bool:
    """Arms about thinking, and the one that answers at once."""
    first = next(one for one in records if one.arm == arm)
    return first.thinking is not None or arm == DIRECT


def _tokens(records: Iterable[Record], arm: str) -> float | None:
    """Mean thinking of an answer; 0 where none was asked for and none is reported."""
    own = [one for one in records if one.arm == arm]
    known = [found for one in own if (found := thinking_tokens(one)) is not None]
    if known:
        return sum(known) / len(known)
    return 0.0 if own[0].thinking in (None, NO_THINKING) else None


def _shared(records: Sequence[Record], arms: Sequence[str], spec: Spec | None) -> _Asked | None:
    """None where no item has a reply in every arm."""
    replies = [by_item(records, arm) for arm in arms]
    shared = [
        item for item in (replies[0] if replies else ()) if all(item in one for one in replies)
    ]
    if not shared:
        return None
    return _Asked(
        {arm: {item: own[item] for item in shared} for arm, own in zip(arms, replies, strict=True)},
        measure_of(spec),
        spec.margin if spec else MARGIN,
    )


def _doses(asked: _Asked, tokens: Mapping[str, float]) -> tuple[Dose, ...]:
    lowest, *others = asked.arms
    against = [asked.against(arm, lowest) for arm in others]
    adjusted = holm_known([one.p for one in against])
    held = [(None, None), *zip(against, adjusted, strict=True)]
    return tuple(
        Dose(arm, tokens[arm], asked.mean(arm), _interval(asked, arm), one, p)
        for arm, (one, p) in zip(asked.arms, held, strict=True)
    )


def _interval(asked: _Asked, arm: str) -> Interval | None:
    replies = asked.arms[arm]
    group = numbered(own[0].group for own in replies.values())
    return intervals.accuracy_interval(means(replies, asked.measure), group, asked.measure)


def _peak(asked: _Asked, ordered: Sequence[str], best: str) -> tuple[Peak, float | None]:
    """Better than both ends: the larger of two ps, Holm over the inner arms."""
    if best in (ordered[0], ordered[-1]):
        return (Peak.LOWEST if best == ordered[0] else Peak.HIGHEST), None
    inner = ordered[1:-1]
    ps = [max(_better(asked, arm, end) for end in (ordered[0], ordered[-1])) for arm in inner]
    p = holm(ps)[inner.index(best)]
    return (Peak.INSIDE if p < ALPHA else Peak.NOT_SHOWN), p


def _better(asked: _Asked, arm: str, end: str) -> float:
    """The two-sided p where the arm is the better one, else 1."""
    one = asked.against(arm, end)
    is_better = asked.measure.sign * one.effect > 0
    return one.p if is_better and one.p is not None else 1.0
