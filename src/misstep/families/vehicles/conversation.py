"""The conversation over a list: pass after pass until one is perfect (C.2), and its score; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from misstep.core.answers.thinking import cut_thinking
from misstep.core.conversation import Conversation, Heard, Length, Turn, is_full
from misstep.core.items import Item, Scalar
from misstep.core.outcomes import Outcome, Score
from misstep.families.vehicles.prompts import NO_ANSWER, feedback
from misstep.families.vehicles.spec import MOST_PASSES, SIZE, VehiclesPayload

Said = Sequence[Heard[VehiclesPayload]]
EXPLAIN = "explain"
"""The wording in which each answer is followed by an explanation."""

_NO_ANSWER = (Outcome.UNPARSED, Outcome.REFUSED, Outcome.TRUNCATED, Outcome.EMPTY)


def turn(item: Item[VehiclesPayload], wording: str, heard: Said) -> Turn[VehiclesPayload] | None:
    """The next vehicle, or the explanation of the last; None after a perfect pass, or the last."""
    scores = _scores(heard)
    if _is_over(scores):
        return None
    payload = replace(item.payload, answers=tuple(score.answer for score in scores))
    if not heard:
        return Turn(item)
    if wording == EXPLAIN and heard[-1].score is not None:
        asked = replace(item, payload=replace(payload, is_explaining=True))
        return Turn(asked, feedback(payload), is_answer=False)
    at = payload.current
    now = replace(item, payload=payload, truth=payload.classes[at], lure=payload.pointed(at))
    return Turn(now, "" if wording == EXPLAIN else feedback(payload))


def keep(one: Heard[VehiclesPayload]) -> str:
    """The answer alone, or the reply's text without its thinking; explanations are kept whole."""
    payload = one.turn.item.payload
    if one.score is not None and payload.history == "answers":
        return one.score.answer or NO_ANSWER
    return cut_thinking(one.reply.text).text.strip() or NO_ANSWER


def score(item: Item[VehiclesPayload], heard: Said) -> Score:
    """Passes until all ten were right; 15 where they never were.

    No value where not one answer was read, where the model's context was full, or where the
    conversation ended early for any other reason: then the outcome says why.
    """
    scores = _scores(heard)
    passes = [scores[start : start + SIZE] for start in range(0, len(scores), SIZE)]
    details = _details(passes, heard)
    if passes and _is_perfect(passes[-1]):
        return Score(Outcome.CORRECT, float(len(passes)), details=details)
    if heard and is_full(heard[-1].reply):
        return Score(Outcome.TRUNCATED, None, reason="context_full", details=details)
    if not any(one.outcome.is_answered for one in scores):
        return Score(_commonest(scores), None, reason="no_answer_at_all", details=details)
    if len(scores) < SIZE * MOST_PASSES:
        return Score(Outcome.UNPARSED, None, reason="ended_early", details=details)
    return Score(Outcome.WRONG, float(MOST_PASSES), details=details)


def length(wording: str) -> Length:
    """Two passes at the soonest, as nothing is known in the first; luck apart."""
    return Length(2 * SIZE, MOST_PASSES * SIZE, asides=int(wording == EXPLAIN))


def _scores(heard: Said) -> list[Score]:
    """Of the answers, in their order."""
    return [one.score for one in heard if one.score is not None]


def _is_over(scores: Sequence[Score]) -> bool:
    if not scores or len(scores) % SIZE:
        return False
    return len(scores) == SIZE * MOST_PASSES or _is_perfect(scores[-SIZE:])


def _is_perfect(scores: Sequence[Score]) -> bool:
    return len(scores) == SIZE and all(one.outcome is Outcome.CORRECT for one in scores)


def _commonest(scores: Sequence[Score]) -> Outcome:
    counts = Counter(one.outcome for one in scores)
    return max(_NO_ANSWER, key=lambda outcome: counts[outcome])


def _details(passes: Sequence[Sequence[Score]], heard: Said) -> dict[str, Scalar]:
    """The names are those of docs/records.md."""
    answers = [one for one in heard if one.score is not None]
    errors = [one for one in answers if one.score and one.score.outcome is Outcome.WRONG]
    counts = Counter(one.score.outcome for one in answers if one.score)
    rights: dict[str, Scalar] = {
        f"right_{number}": sum(one.outcome is Outcome.CORRECT for one in scores)
        for number, scores in enumerate(passes, 1)
        if len(scores) == SIZE
    }
    return {
        "solved": bool(passes) and _is_perfect(passes[-1]),
        "passes": len(rights),
        "pass_size": SIZE,
        "errors": len(errors),
        "lure_errors": sum(
            one.score is not None and one.score.answer == one.turn.item.lure for one in errors
        ),
        **{outcome.value: counts[outcome] for outcome in _NO_ANSWER},
        **rights,
    }


CONVERSATION: Conversation[VehiclesPayload] = Conversation(
    turn=turn,
    keep=keep,
    keeps_text=lambda item: item.payload.history == "text",
    score=score,
    length=length,
)
