"""Signal detection: telling two kinds of items apart, and leaning to one answer, held apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scipy import stats

from misstep.core.records import Record


@dataclass(frozen=True)
class Detection:
    """How `answer`, the first of two, was given: `hit_rate` where it was true, `false_alarm_rate`
    where it was not (shares of the replies that were read).

    `d_prime` is z(hits) - z(false alarms): 0 tells nothing apart. `criterion` is minus their mean:
    above 0 leans to the second answer, below 0 to the first. Both from rates with half a reply
    added to each count and one to each number (Hautus, 1995), so that they are always finite.
    """

    answer: str
    hit_rate: float
    false_alarm_rate: float
    d_prime: float
    criterion: float


def detection(records: Iterable[Record], answers: Sequence[str]) -> Detection | None:
    """None unless there are two possible answers, and read replies to items of either truth."""
    if len(answers) != 2:
        return None
    first, second = answers
    read = [record for record in records if record.answer in answers]
    signal = [record.answer == first for record in read if record.truth == first]
    noise = [record.answer == first for record in read if record.truth == second]
    if not signal or not noise:
        return None
    hit, false_alarm = _z(signal), _z(noise)
    return Detection(
        answer=first,
        hit_rate=sum(signal) / len(signal),
        false_alarm_rate=sum(noise) / len(noise),
        d_prime=hit - false_alarm,
        criterion=-(hit + false_alarm) / 2,
    )


def _z(said: Sequence[bool]) -> float:
    return float(stats.norm.ppf((sum(said) + 0.5) / (len(said) + 1)))
