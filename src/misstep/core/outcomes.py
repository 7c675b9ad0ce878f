"""What became of a question: the reply as it came, and the score that a family gives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from misstep.core.items import Scalar


class Outcome(StrEnum):
    """Six different things to the very end; no answer never becomes a wrong one."""

    CORRECT = "correct"
    WRONG = "wrong"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    EMPTY = "empty"

    @property
    def is_answered(self) -> bool:
        return self in (Outcome.CORRECT, Outcome.WRONG)


@dataclass(frozen=True)
class Reply:
    """What came back: the visible text (reasoning that came apart is left out).

    `stop_reason` is the runner's word: stop, max_tokens, model_length, content_filter, ...
    """

    text: str
    stop_reason: str | None = None


@dataclass(frozen=True)
class Score:
    """A family's judgement of one reply.

    `value` is 1.0 or 0.0 for a right or wrong answer (or the family's own measure) and None
    where there was no answer. `reason` says why there was none. `span` is where in the reply's
    text the answer was read. `details` are the family's further scores, such as partial ones.
    """

    outcome: Outcome
    value: float | None
    answer: str | None = None
    reason: str | None = None
    span: tuple[int, int] | None = None
    details: Mapping[str, Scalar] = field(default_factory=dict)
