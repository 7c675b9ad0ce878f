"""From a reading to a score, for every family whose answer is one word of its vocabulary."""

from __future__ import annotations

from misstep.core.answers import Reading, ReadingState
from misstep.core.outcomes import Outcome, Score

_UNANSWERED = {
    ReadingState.UNPARSED: Outcome.UNPARSED,
    ReadingState.REFUSED: Outcome.REFUSED,
    ReadingState.TRUNCATED: Outcome.TRUNCATED,
    ReadingState.EMPTY: Outcome.EMPTY,
}


def score_reading(reading: Reading, truth: str) -> Score:
    """Right or wrong where an answer was read; else what there was instead, with no value."""
    if reading.state is not ReadingState.ANSWERED:
        return Score(_UNANSWERED[reading.state], None, None, reading.reason, reading.span)
    is_right = reading.answer == truth
    outcome = Outcome.CORRECT if is_right else Outcome.WRONG
    return Score(outcome, float(is_right), reading.answer, reading.reason, reading.span)
