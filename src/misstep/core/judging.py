"""From a reading to a score, for every family whose answer is one word of its vocabulary."""

from __future__ import annotations

from dataclasses import replace

from misstep.core.answers import Reading, ReadingState
from misstep.core.answers.sentences import sentence_end
from misstep.core.answers.thinking import cut_thinking
from misstep.core.outcomes import Outcome, Reply, Score

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


def opening(reply: Reply) -> Reply:
    """The reply up to the end of its first sentence, thinking apart: for arms in which the answer
    is asked for before all else. Places in its text are those of the whole reply's."""
    text = cut_thinking(reply.text).text
    end = sentence_end(text, len(text) - len(text.lstrip()))
    if not text[end:].strip():
        return reply
    return replace(reply, text=reply.text[:end], stop_reason="stop")
