"""The ranking measure: what the log-probabilities of the answers know beyond the answer given."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from scipy import stats

from misstep.core.records import Record


def ranking(records: Iterable[Record], answers: Sequence[str]) -> float | None:
    """Area under the curve within each group (and repetition), then averaged; .5 is chance.

    Two answers: how well log P(first) - log P(second) separates the items whose truth is the
    first from the others; groups with only one truth say nothing. More answers: the share of
    other answers that the right one outranks, ties by half. None without log-probabilities.
    """
    groups: dict[tuple[str, int], list[Record]] = {}
    for record in records:
        if _is_usable(record, answers):
            groups.setdefault((record.group, record.repetition), []).append(record)
    measure = _two_answers if len(answers) == 2 else _many_answers
    areas = [area for own in groups.values() if (area := measure(own, answers)) is not None]
    return float(np.mean(areas)) if areas else None


def area_under_curve(positive: Sequence[float], negative: Sequence[float]) -> float:
    """How often a positive outranks a negative, ties counting half."""
    ranks = stats.rankdata([*positive, *negative])
    above = float(np.sum(ranks[: len(positive)])) - len(positive) * (len(positive) + 1) / 2
    return above / (len(positive) * len(negative))


def _is_usable(record: Record, answers: Sequence[str]) -> bool:
    found = record.answer_logprobs
    if found is None or record.truth not in answers or not all(name in found for name in answers):
        return False
    # An answer beyond the provider's listed tokens may come as -inf; one side must be known.
    return not any(math.isnan(found[name]) for name in answers) and any(
        math.isfinite(found[name]) for name in answers
    )


def _two_answers(records: Sequence[Record], answers: Sequence[str]) -> float | None:
    first, second = answers
    scores: dict[bool, list[float]] = {True: [], False: []}
    for record in records:
        logprobs = record.answer_logprobs or {}
        scores[record.truth == first].append(logprobs[first] - logprobs[second])
    if not scores[True] or not scores[False]:
        return None
    return area_under_curve(scores[True], scores[False])


def _many_answers(records: Sequence[Record], answers: Sequence[str]) -> float | None:
    areas = []
    for record in records:
        logprobs = record.answer_logprobs or {}
        others = [logprobs[name] for name in answers if name != record.truth]
        areas.append(area_under_curve([logprobs[str(record.truth)]], others))
    return float(np.mean(areas)) if areas else None
