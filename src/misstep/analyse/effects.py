"""Is the effect on a model that on people? The difference of the two effects."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from misstep.analyse.arms import arm_order
from misstep.analyse.comparison import Equivalence, Interval
from misstep.analyse.drafts import MARGIN, measure_of
from misstep.analyse.estimate import by_two_ways
from misstep.analyse.inference.crossed import contribution, two_way
from misstep.analyse.inference.multiple import holm_known
from misstep.analyse.pairing import Replies, Subject, by_item, by_subject, means
from misstep.analyse.people import PEOPLE
from misstep.analyse.splits import is_reference
from misstep.analyse.verdict import ALPHA
from misstep.core.family import Spec
from misstep.core.measures import ACCURACY, Measure
from misstep.core.records import Record

_SIGNS = (1.0, -1.0, -1.0, 1.0)


class Agreement(StrEnum):
    """Whether an arm does to a model what it does to people. Alike: shown to be within the margin,
    which is asked first."""

    ALIKE = "alike"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class EffectDifference:
    """The effect of an arm on a model, less that on people, over the items that all answered.

    In the measure's unit. `design` is "within people" where everyone answered in both arms,
    "between people" where nobody did, else "mixed". `p` and `interval` are None with a single
    person or a single group.
    """

    family: str
    version: int
    variant: str
    who: str
    arm: str
    baseline: str
    n: int
    groups: int
    participants: int
    design: str
    model_effect: float
    people_effect: float
    difference: float
    interval: Interval | None
    test: str
    p: float | None
    p_adjusted: float | None
    equivalence: Equivalence
    measure: Measure = ACCURACY

    @property
    def agreement(self) -> Agreement:
        """By the adjusted ps, as verdicts are."""
        alike, p = self.equivalence.p_adjusted, self.p_adjusted
        if alike is not None and alike < ALPHA:
            return Agreement.ALIKE
        return Agreement.DIFFERENT if p is not None and p < ALPHA else Agreement.UNDECIDED


def effect_differences(
    records: Iterable[Record], specs: Mapping[str, Spec]
) -> tuple[EffectDifference, ...]:
    """For each model, and each arm that both it and people answered beside the baseline arm.

    Variance from people and from groups, two-way cluster-robust; Holm over all of one call.
    """
    subjects = by_subject(records)
    found = []
    for subject, own in subjects.items():
        people = subjects.get(dataclasses.replace(subject, who=PEOPLE))
        if people and subject.who != PEOPLE and not is_reference(subject.who):
            found += _of_model(subject, own, people, specs.get(subject.family))
    ps = holm_known([one.p for one in found])
    equivalent = holm_known([one.equivalence.p for one in found])
    return tuple(
        dataclasses.replace(
            one,
            p_adjusted=p,
            equivalence=dataclasses.replace(one.equivalence, p_adjusted=alike),
        )
        for one, p, alike in zip(found, ps, equivalent, strict=True)
    )


def _of_model(
    subject: Subject, model: Sequence[Record], people: Sequence[Record], spec: Spec | None
) -> list[EffectDifference]:
    baseline, *others = arm_order(model, spec)
    found = []
    for arm in others:
        sides = [by_item(side, name) for side in (model, people) for name in (arm, baseline)]
        shared = [item for item in sides[0] if all(item in side for side in sides)]
        if shared:
            cells = [{item: side[item] for item in shared} for side in sides]
            found.append(_difference(subject, arm, baseline, cells, spec))
    return found


def _difference(
    subject: Subject, arm: str, baseline: str, cells: Sequence[Replies], spec: Spec | None
) -> EffectDifference:
    """`cells`: the model's arm and baseline, then people's, all over the same items."""
    measure, margin = measure_of(spec), spec.margin if spec else MARGIN
    value = [measure.factor * float(means(cell, measure).mean()) for cell in cells]
    model, people = value[0] - value[1], value[2] - value[3]
    spread = two_way(
        [contribution(cell, measure, sign) for cell, sign in zip(cells, _SIGNS, strict=True)]
    )
    variance = measure.factor**2 * spread.variance
    found = by_two_ways(model - people, variance, spread.freedom, margin, measure)
    return EffectDifference(
        family=subject.family,
        version=subject.version,
        variant=subject.variant,
        who=subject.who,
        arm=arm,
        baseline=baseline,
        n=len(cells[0]),
        groups=spread.groups,
        participants=spread.people,
        design=_design(cells[2], cells[3]),
        model_effect=model,
        people_effect=people,
        difference=model - people,
        interval=found.interval,
        test=found.test,
        p=found.p,
        p_adjusted=None,
        equivalence=Equivalence(
            margin, found.equivalence_p, None, found.smallest_margin, found.established_margin
        ),
        measure=measure,
    )


def _design(first: Replies, second: Replies) -> str:
    one, other = (
        {record.who for own in replies.values() for record in own} for replies in (first, second)
    )
    if one == other:
        return "within people"
    return "mixed" if one & other else "between people"
