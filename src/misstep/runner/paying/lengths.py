"""Lengths of replies before they are asked: from earlier records, else stated assumptions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from misstep.core.arms import LEVELS, NO_THINKING, Arm
from misstep.core.records import Record
from misstep.runner.calls.thinking import ROOM
from misstep.runner.paying.tokens import Range
from misstep.runner.solvers import PREFIX

# Beyond the answer itself, in tokens: some words around it; reasoning before it; a vote.
AROUND, REASONING, VOTE = Range(0, 50), Range(100, 1_000), Range(20, 500)
# Of the tokens that an arm may think, how many it thinks.
USED = Range(0.1, 1.0)
_OTHER_MODEL = 2.0
_LEAST_DOUBT = 0.1


@dataclass(frozen=True)
class Seen:
    """What one model's replies in one arm took, on average over an answer with all its calls."""

    answers: int
    calls: Range | None
    input: Range | None
    output: Range


@dataclass(frozen=True)
class History:
    """Earlier records, by arm and model."""

    seen: Mapping[tuple[str, str], Seen]

    def of(self, arm: str, model: str) -> Seen | None:
        return self.seen.get((arm, model))

    def of_others(self, arm: str) -> Range | None:
        """Output tokens of an answer by other models: half the least to twice the most."""
        found = [seen.output for (name, _), seen in self.seen.items() if name == arm]
        if not found:
            return None
        low, high = min(one.low for one in found), max(one.high for one in found)
        return Range(low / _OTHER_MODEL, high * _OTHER_MODEL)


NO_HISTORY = History({})


def history(records: Iterable[Record], family: str) -> History:
    """Of this family's records that say how many tokens they took; solvers write no tokens."""
    found: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        is_model = not record.who.startswith(PREFIX)
        if record.family == family and is_model and record.output_tokens is not None:
            found.setdefault((record.arm, record.who), []).append(record)
    return History({asked: _seen(own) for asked, own in found.items()})


def _seen(own: Sequence[Record]) -> Seen:
    return Seen(
        answers=len(own),
        calls=_about([one.calls for one in own]),
        input=_about([one.input_tokens for one in own]),
        output=_about([one.output_tokens for one in own]) or Range(0, 0),
    )


def _about(values: Sequence[int | None]) -> Range | None:
    """The mean, give or take two standard errors and never less than a tenth."""
    known = [float(value) for value in values if value is not None]
    if not known:
        return None
    mean = fmean(known)
    error = stdev(known) / math.sqrt(len(known)) if len(known) > 1 else mean / 2
    doubt = max(2 * error, _LEAST_DOUBT * mean)
    return Range(max(0.0, mean - doubt), mean + doubt)


def assumed(arm: Arm, answer: Range, is_brief: bool, cap: int | None) -> Range:
    """Output tokens of a call; `answer` is the length of a right answer, `cap` a reply's limit."""
    visible = answer.times(1, 2) + (AROUND if is_brief else REASONING)
    if cap is not None:
        visible = Range(min(visible.low, cap), min(visible.high, cap))
    return visible + thought(arm)


def thought(arm: Arm) -> Range:
    """Tokens of a model's own thinking that the arm asks for."""
    if arm.thinking is None or arm.thinking == NO_THINKING:
        return Range(0, 0)
    room = ROOM[arm.thinking] if arm.thinking in LEVELS else int(arm.thinking)
    return USED.times(room)
