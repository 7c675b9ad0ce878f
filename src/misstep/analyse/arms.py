"""One arm of a model (or of people): accuracy with its interval, outcomes, answers, bias, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from misstep.analyse.answers import possible_answers
from misstep.analyse.comparison import ArmSummary
from misstep.analyse.detection import detection
from misstep.analyse.inference import intervals
from misstep.analyse.inference.crossed import people_interval
from misstep.analyse.pairing import (
    Replies,
    by_item,
    by_subject,
    means,
    most_repetitions,
    numbered,
)
from misstep.analyse.people import participants, side
from misstep.analyse.ranking import ranking
from misstep.analyse.splits import median_split
from misstep.core.family import Spec
from misstep.core.measures import ACCURACY
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

_USUAL_BASELINE = "direct"


def summarise(records: Iterable[Record], specs: Mapping[str, Spec]) -> tuple[ArmSummary, ...]:
    """A summary of each arm of each model and family, over all of its items."""
    found = []
    for subject, own in by_subject(median_split(records)).items():
        spec = specs.get(subject.family)
        order = arm_order(own, spec)
        for arm in order:
            found.append(summary(by_item(own, arm), spec, is_baseline=arm == order[0]))
    return tuple(found)


def arm_order(records: Iterable[Record], spec: Spec | None) -> list[str]:
    """The arms that are present, the baseline first.

    The arm that their run named first, then as first met. Where no run says so, or two say
    different things: in the spec's order, then as first met; without a spec `direct` comes first
    where present. As first met, too, where the first arm is about thinking.
    """
    listed = list(records)
    present = list(dict.fromkeys(record.arm for record in listed))
    first = {record.first_arm for record in listed if record.first_arm is not None}
    if len(first) == 1 and first <= set(present):
        return [*first, *(arm for arm in present if arm not in first)]
    if listed and listed[0].thinking is not None:
        return present
    declared = [arm.name for arm in spec.arms] if spec else [_USUAL_BASELINE]
    known = [arm for arm in declared if arm in present]
    return known + [arm for arm in present if arm not in known]


def summary(replies: Replies, spec: Spec | None, is_baseline: bool) -> ArmSummary:
    """The summary of one arm; `replies` holds its records by item, at least one."""
    records = [record for own in replies.values() for record in own]
    measure = spec.measure if spec else ACCURACY
    values = means(replies, measure)
    group = numbered(own[0].group for own in replies.values())
    answers = possible_answers(records, spec)
    first, people = records[0], participants(records)
    return ArmSummary(
        family=first.family,
        version=first.version,
        who=side(first.who),
        arm=first.arm,
        n=len(replies),
        groups=int(group.max()) + 1,
        repetitions=most_repetitions(replies),
        accuracy=float(values.mean()),
        interval=people_interval(replies, measure)
        if people
        else intervals.accuracy_interval(values, group, measure),
        outcomes=_outcomes(records),
        answers=_answers(records) if spec is None or spec.vocabulary.answers else {},
        bias=_bias(records, answers),
        input_tokens=_mean(records, lambda record: record.input_tokens),
        output_tokens=_mean(records, lambda record: record.output_tokens),
        reasoning_tokens=_mean(records, lambda record: record.reasoning_tokens),
        seconds=_mean(records, lambda record: record.seconds),
        cost=_mean(records, lambda record: record.cost),
        ranking=ranking(records, answers) if is_baseline else None,
        variant=first.variant,
        measure=measure,
        participants=people or None,
        detection=None if measure.is_capped else detection(records, answers),
    )


def _outcomes(records: Sequence[Record]) -> dict[Outcome, float]:
    counts = Counter(record.outcome for record in records)
    return {outcome: counts[outcome] / len(records) for outcome in Outcome}


def _answers(records: Sequence[Record]) -> dict[str, float]:
    given = Counter(record.answer for record in records if record.answer is not None)
    return {answer: given[answer] / given.total() for answer in sorted(given)}


def _bias(records: Sequence[Record], answers: Sequence[str]) -> float | None:
    read = [record for record in records if record.answer in answers and record.truth is not None]
    if len(answers) != 2 or not read:
        return None
    given = sum(record.answer == answers[0] for record in read)
    true = sum(record.truth == answers[0] for record in read)
    return 100 * (given - true) / len(read)


def _mean(records: Sequence[Record], of: Callable[[Record], float | None]) -> float | None:
    known = [number for record in records if (number := of(record)) is not None]
    return sum(known) / len(known) if known else None
