"""What is graded when an answer that is no plan can't be read."""

from __future__ import annotations

from misstep.core.answers import ReadingState
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.families.planbench.reading.blocks import without_answer
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.families.planbench.texts import book_of
from misstep.planning.wording import Phrasebook

_OUTCOMES = {
    ReadingState.EMPTY: Outcome.EMPTY,
    ReadingState.REFUSED: Outcome.REFUSED,
    ReadingState.TRUNCATED: Outcome.TRUNCATED,
}


def unanswered(reply: Reply, piece: str | None = None) -> Score:
    """`piece` is what can't be read, for the report."""
    outcome = _OUTCOMES.get(without_answer(reply), Outcome.UNPARSED)
    is_named = piece is not None and outcome is Outcome.UNPARSED
    return Score(outcome, None, None, f"can't read {piece!r}" if is_named else None)


def books_of(payload: PlanbenchPayload) -> tuple[Phrasebook, ...]:
    """Both styles are understood, the question's own first."""
    styles = ("english", "pddl") if payload.wording == "english" else ("pddl", "english")
    return tuple(book_of(payload.domain, payload.words, style, payload.problem) for style in styles)
