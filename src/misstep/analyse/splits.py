"""Reference solvers: their evidence becomes answers by a split at each group's median."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Iterable, Sequence

from misstep.analyse.answers import possible_answers
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

REFERENCE = "ref/"


def is_reference(who: str) -> bool:
    return who.startswith(REFERENCE)


def median_split(records: Iterable[Record]) -> list[Record]:
    """The records, with the answers of reference solvers that gave a score split at the median.

    Within each family, solver, arm, repetition and group: above the median is the positive (the
    vocabulary's first) answer, below it the other one, and a tie with the median counts half.
    Left as they are: other records, records with no score, and families without exactly two
    answers.
    """
    originals = list(records)
    split = list(originals)
    places: dict[tuple[str, int, str, str, int, str], list[int]] = {}
    families: dict[tuple[str, int], list[Record]] = {}
    for place, record in enumerate(originals):
        if is_reference(record.who) and record.score is not None:
            shared = (record.family, record.version)
            key = (*shared, record.who, record.arm, record.repetition, record.group)
            places.setdefault(key, []).append(place)
            families.setdefault(shared, []).append(record)
    answers = {family: possible_answers(own) for family, own in families.items()}
    for (family, version, *_), own in places.items():
        if len(answers[family, version]) == 2:
            group = _split([originals[place] for place in own], answers[family, version])
            for place, record in zip(own, group, strict=True):
                split[place] = record
    return split


def _split(group: Sequence[Record], answers: Sequence[str]) -> list[Record]:
    median = statistics.median(record.score or 0.0 for record in group)
    return [_answered(record, median, answers) for record in group]


def _answered(record: Record, median: float, answers: Sequence[str]) -> Record:
    score = record.score or 0.0
    if score == median:
        answer, value = None, 0.5
    else:
        answer = answers[0] if score > median else answers[1]
        value = float(answer == record.truth)
    outcome = Outcome.CORRECT if value >= 0.5 else Outcome.WRONG
    return dataclasses.replace(record, answer=answer, value=value, outcome=outcome)
