"""The extractor: reply text → what was answered, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from misstep.core.answers.vocabulary import Vocabulary


class ReadingState(StrEnum):
    ANSWERED = "answered"
    UNPARSED = "unparsed"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    EMPTY = "empty"


@dataclass(frozen=True)
class Reading:
    """What a reply says: `answer` and `span` (start, end in the reply) where it was answered."""

    state: ReadingState
    answer: str | None = None
    reason: str | None = None
    span: tuple[int, int] | None = None


def read(reply: str, vocabulary: Vocabulary, stop_reason: str | None = None) -> Reading:
    raise RuntimeError("being written")
