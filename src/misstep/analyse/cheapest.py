"""The cheapest arm that isn't worse than the dearest by more than a margin."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from misstep.analyse.arms import arm_order
from misstep.analyse.comparison import Interval
from misstep.analyse.drafts import estimate_paired, measure_of
from misstep.analyse.inference.noninferiority import bound_of, check_margin, p_at_most_worse
from misstep.analyse.pairing import Subject, by_subject, pair
from misstep.analyse.people import PEOPLE
from misstep.analyse.sequential.looks import looked_at
from misstep.analyse.splits import is_reference
from misstep.analyse.verdict import ALPHA
from misstep.core.family import Spec
from misstep.core.measures import ACCURACY, Measure
from misstep.core.records import Record

_PRICES: Mapping[str, Callable[[Record], float | None]] = {
    "cost": lambda record: record.cost,
    "tokens": lambda record: (
        None
        if record.input_tokens is None or record.output_tokens is None
        else record.input_tokens + record.output_tokens
    ),
    "output tokens": lambda record: record.output_tokens,
}


@dataclass(frozen=True)
class Step:
    """One arm against the dearest: is it at most the margin worse?

    `price` is the mean over its replies; `effect` is the arm less the dearest, in the unit;
    `bound` the most by which it may be worse, one-sided at 95 %. Nothing after the first step
    that fails is claimed, whatever its p.
    """

    arm: str
    price: float
    n: int
    effect: float | None
    interval: Interval | None
    p: float | None
    bound: float | None
    is_shown: bool


@dataclass(frozen=True)
class Cheapest:
    """By fixed sequence from the dearest down, so that no p needs adjusting.

    `by` is what arms are ordered by: "cost", "tokens" (in and out) or "output tokens"; None where
    the records state none of them for every reply, and then `arm` is None and `missing` says so.
    `arm` is the dearest itself where not even the next one could be shown to be no worse.
    """

    family: str
    version: int
    variant: str
    who: str
    margin: float
    by: str | None
    dearest: str | None
    dearest_price: float | None
    steps: tuple[Step, ...]
    arm: str | None
    missing: str | None = None
    measure: Measure = ACCURACY


def cheapest(
    records: Iterable[Record], specs: Mapping[str, Spec], margin: float
) -> tuple[Cheapest, ...]:
    """For each model that answered at least two arms of a family; people and solvers cost nothing.

    `margin` is in the measure's unit.
    """
    subjects = by_subject(looked_at(records, specs))
    check_margin(
        margin, {subject.family: measure_of(specs.get(subject.family)) for subject in subjects}
    )
    return tuple(
        _cheapest(subject, own, specs.get(subject.family), margin)
        for subject, own in subjects.items()
        if subject.who != PEOPLE
        and not is_reference(subject.who)
        and len({record.arm for record in own}) > 1
    )


def _cheapest(
    subject: Subject, records: Sequence[Record], spec: Spec | None, margin: float
) -> Cheapest:
    arms = arm_order(records, spec)
    by = next((name for name in _PRICES if _is_known(records, name)), None)
    named = (subject.family, subject.version, subject.variant, subject.who, margin)
    measure = measure_of(spec)
    if by is None:
        missing = "the records state neither cost nor tokens for every reply"
        return Cheapest(*named, None, None, None, (), None, missing, measure)
    prices = {arm: _price(records, arm, by) for arm in arms}
    # Of arms that cost the same the later one counts as dearer: the baseline is the plain one.
    dearest, *others = sorted(arms, key=lambda arm: (-prices[arm], -arms.index(arm)))
    steps: list[Step] = []
    chosen = dearest
    for arm in others:
        is_open = not steps or steps[-1].is_shown
        steps.append(_step(records, (arm, dearest), prices[arm], margin, measure, is_open))
        chosen = arm if steps[-1].is_shown else chosen
    return Cheapest(*named, by, dearest, prices[dearest], tuple(steps), chosen, measure=measure)


def _step(
    records: Sequence[Record],
    arms: tuple[str, str],
    price: float,
    margin: float,
    measure: Measure,
    is_open: bool,
) -> Step:
    arm, dearest = arms
    paired = pair(records, dearest, arm, measure)
    if not paired.baseline:
        return Step(arm, price, 0, None, None, None, None, is_shown=False)
    found = estimate_paired(paired, margin)
    p = p_at_most_worse(found.basis, margin, -measure.sign)
    return Step(
        arm=arm,
        price=price,
        n=len(paired.baseline),
        effect=found.effect,
        interval=found.interval,
        p=p,
        bound=bound_of(found.basis, measure, -measure.sign),
        is_shown=is_open and p is not None and p < ALPHA,
    )


def _is_known(records: Iterable[Record], by: str) -> bool:
    """Of every reply; what is free throughout orders no arms."""
    found = [_PRICES[by](record) for record in records]
    return None not in found and any(found)


def _price(records: Iterable[Record], arm: str, by: str) -> float:
    found = [_PRICES[by](record) or 0.0 for record in records if record.arm == arm]
    return sum(found) / len(found)
