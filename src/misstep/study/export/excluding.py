"""Who is left out of an analysis, and by which rule: from the state of their way and their records.

The rules stand in the study file before anybody has taken part; here they are only carried out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from misstep.core.items import Scalar
from misstep.core.records import Record
from misstep.study.course.nouns import Exclusions
from misstep.study.store.nouns import State

FAST, MISSED, FEW = "fast", "missed", "few_answered"
RULES: Mapping[str, str] = {
    State.UNDER_WAY.value: "still under way",
    State.TIMED_OUT.value: "not finished in time",
    State.WITHDRAWN.value: "withdrew",
    State.SCREENED_OUT.value: "failed the questions about the instructions",
    State.NO_CONSENT.value: "did not consent",
    FAST: "exclusions.most_fast: too many answers under exclusions.fast_ms",
    MISSED: "exclusions.most_missed: too many answers not given in time",
    FEW: "exclusions.least_answered: too few of the trials over",
}
"""What each rule's name means. The first ones are states other than complete."""
_UNREAD = ("errors", "unparsed", "refused", "truncated", "empty")


def broken(
    rules: Exclusions, state: State, planned: int, records: Sequence[Record]
) -> tuple[str, ...]:
    """The names of all rules by which the person is left out; empty: they count.

    Somebody whose time was over counts where `least_answered` is stated and met: that rule then
    says how much of a way is enough. `planned` is the number of trials of a whole way.
    """
    return tuple(_broken(rules, state, planned, records))


def _broken(
    rules: Exclusions, state: State, planned: int, records: Sequence[Record]
) -> Iterator[str]:
    has_share = rules.least_answered is not None
    if state is not State.COMPLETE and not (state is State.TIMED_OUT and has_share):
        yield state.value
    if rules.fast_ms is not None and rules.most_fast is not None:
        times = [ms for one in records if (ms := _number(one.details.get("rt_ms"))) is not None]
        if times and sum(ms < rules.fast_ms for ms in times) / len(times) > rules.most_fast:
            yield FAST
    if rules.most_missed is not None and records:
        missed = sum(_number(one.details.get("deadline_missed")) or 0.0 for one in records)
        if missed / sum(map(questions, records)) > rules.most_missed:
            yield MISSED
    if rules.least_answered is not None and len(records) / planned < rules.least_answered:
        yield FEW


def questions(record: Record) -> int:
    """How many answers the item asked for: one, or in a conversation those of all its passes."""
    if "errors" not in record.details:
        return 1
    rights = [value for name, value in record.details.items() if name.startswith("right_")]
    counts = [*rights, *(record.details.get(name) for name in _UNREAD)]
    return max(1, int(sum(_number(one) or 0.0 for one in counts)))


def _number(value: Scalar) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and value is not None else None
