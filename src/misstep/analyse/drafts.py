"""Which comparisons a call makes, and what each one finds before their ps are adjusted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from misstep.analyse.arms import arm_order
from misstep.analyse.estimate import Estimate, estimate, unknown
from misstep.analyse.inference.crossed import estimate_crossed
from misstep.analyse.pairing import (
    Paired,
    Replies,
    Subject,
    answered_only,
    by_item,
    by_subject,
    pair,
    paired_up,
)
from misstep.analyse.people import PEOPLE
from misstep.analyse.sequential.anytime import is_looked_at
from misstep.analyse.sequential.looks import estimate_anytime, looked_at
from misstep.analyse.splits import is_reference
from misstep.core.errors import BadInput
from misstep.core.family import Spec
from misstep.core.items import Scalar
from misstep.core.measures import ACCURACY, Measure
from misstep.core.records import Record

MARGIN = 3.0
ARMS, MODELS = "arms", "models"

Specs = Mapping[str, Spec]
_Subjects = Mapping[Subject, Sequence[Record]]
_Sides = tuple[Subject, str | None, Paired]


@dataclass(frozen=True)
class Asked:
    """What a call of `compare` asks for; see there."""

    by: str | None = None
    between: str = ARMS
    baseline: str | None = None
    non_inferiority: float | None = None
    mid_p: bool = False


@dataclass(frozen=True)
class Draft:
    """A comparison before the ps of the whole call are adjusted.

    `baseline_who` is the other model, None between the arms of one. `answered` is what both sides
    have answers to, `left_out` what it says; the headline's again where every reply is answered.
    """

    subject: Subject
    baseline_who: str | None
    spec: Spec | None
    factor: str | None
    level: Scalar
    paired: Paired
    margin: float
    found: Estimate
    answered: Paired
    left_out: Estimate


def drafts(records: Sequence[Record], specs: Specs, asked: Asked) -> list[Draft]:
    """In the order of the records; those of all items first, then of each level of a factor."""
    _check_factor(records, asked.by)
    subjects = by_subject(looked_at(records, specs))
    sides = _between_models if asked.between == MODELS else _between_arms
    return [
        _draft(subject, baseline_who, specs.get(subject.family), (factor, level), paired, asked)
        for of_family in _families(subjects, asked.between)
        for factor, level, own in _slices(of_family, asked.by)
        for subject, baseline_who, paired in sides(of_family, own, specs, asked)
    ]


def measure_of(spec: Spec | None) -> Measure:
    return spec.measure if spec else ACCURACY


def _check_factor(records: Sequence[Record], by: str | None) -> None:
    """A factor that no family has is a slip; families differ in theirs, so one is enough."""
    known = {name for record in records for name in record.factors}
    if by is not None and by not in known:
        raise BadInput(
            f"--by: no item has a factor {by!r}; known: {', '.join(sorted(known)) or 'none'}"
        )


def _families(subjects: _Subjects, between: str) -> list[_Subjects]:
    """What is compared among itself: each subject alone, or all of one family and variant."""
    if between == ARMS:
        return [{subject: own} for subject, own in subjects.items()]
    found: dict[tuple[str, int, str], dict[Subject, Sequence[Record]]] = {}
    for subject, own in subjects.items():
        shared = (subject.family, subject.version, subject.variant)
        found.setdefault(shared, {})[subject] = own
    return list(found.values())


def _slices(subjects: _Subjects, by: str | None) -> Iterator[tuple[str | None, Scalar, _Subjects]]:
    """All records, then those of each level of the factor; items that lack it are in no level."""
    yield None, None, subjects
    levels: dict[Scalar, dict[Subject, list[Record]]] = {}
    for subject, own in subjects.items():
        for record in own:
            if by is not None and by in record.factors:
                level = levels.setdefault(record.factors[by], {})
                level.setdefault(subject, []).append(record)
    for name in sorted(levels, key=_level_order):
        yield by, name, levels[name]


def _level_order(level: Scalar) -> tuple[bool, float, str]:
    if isinstance(level, (int, float)):
        return (False, float(level), "")
    return (True, 0.0, str(level))


def _between_arms(
    whole: _Subjects, sliced: _Subjects, specs: Specs, asked: Asked
) -> Iterator[_Sides]:
    """Of all records, since a level may lack an arm and the baseline is the same at each."""
    for subject, own in sliced.items():
        spec = specs.get(subject.family)
        baseline, *others = arm_order(whole[subject], spec)
        for arm in others:
            paired = pair(own, baseline, arm, measure_of(spec))
            if paired.baseline:
                yield subject, None, paired


def _between_models(
    whole: _Subjects, sliced: _Subjects, specs: Specs, asked: Asked
) -> Iterator[_Sides]:
    """Arm by arm, each side that answered it against the baseline."""
    name = baseline_of(whole, asked)
    baseline = next((one for one in sliced if one.who == name), None)
    if baseline is None:
        return
    spec = specs.get(baseline.family)
    for arm in arm_order(whole[baseline], spec):
        first: Replies = by_item(sliced[baseline], arm)
        for subject, own in sliced.items():
            paired = paired_up(first, by_item(own, arm), measure_of(spec))
            if subject != baseline and paired.baseline:
                yield subject, baseline.who, paired


def baseline_of(subjects: Iterable[Subject], asked: Asked) -> str:
    """The side named, else people, else the first model that is no reference solver."""
    if asked.baseline is not None:
        return asked.baseline
    names = list(dict.fromkeys(subject.who for subject in subjects))
    models = [name for name in names if not is_reference(name)]
    return PEOPLE if PEOPLE in names else (models or names)[0]


def _draft(
    subject: Subject,
    baseline_who: str | None,
    spec: Spec | None,
    sliced: tuple[str | None, Scalar],
    paired: Paired,
    asked: Asked,
) -> Draft:
    margin = spec.margin if spec else MARGIN
    found = estimate_paired(paired, margin, asked.mid_p)
    answered = answered_only(paired)
    left_out = (
        estimate_paired(answered, margin, asked.mid_p)
        if answered.baseline and not is_all_read(paired)
        else found
    )
    return Draft(subject, baseline_who, spec, *sliced, paired, margin, found, answered, left_out)


def estimate_paired(paired: Paired, margin: float, mid_p: bool = False) -> Estimate:
    """Of replies that nobody could read, nothing can be said but that they count alike."""
    if not is_read(paired.baseline) and not is_read(paired.arm):
        return unknown(0.0)
    if paired.has_people:
        return estimate_crossed(paired, margin)
    if is_looked_at(paired):
        return estimate_anytime(paired, margin)
    return estimate(paired.differences, paired.group, margin, paired.measure, mid_p)


def is_read(replies: Replies) -> bool:
    return any(record.outcome.is_answered for own in replies.values() for record in own)


def is_all_read(paired: Paired) -> bool:
    return all(
        record.outcome.is_answered
        for replies in (paired.baseline, paired.arm)
        for own in replies.values()
        for record in own
    )
