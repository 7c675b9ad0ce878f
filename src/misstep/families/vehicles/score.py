"""Item and reply → outcome of one answer, by the suite's one extractor; pure."""

from __future__ import annotations

from functools import lru_cache

from misstep.core.answers import Reading, read
from misstep.core.items import Item
from misstep.core.judging import score_reading
from misstep.core.outcomes import Reply, Score
from misstep.families.vehicles.spec import SPEC, VehiclesPayload


def score(item: Item[VehiclesPayload], reply: Reply) -> Score:
    """Correct or wrong where A or B was answered; else what became of the reply instead."""
    return score_reading(_read(reply.text, reply.stop_reason), item.truth)


@lru_cache(maxsize=1024)
def _read(text: str, stop_reason: str | None) -> Reading:
    """A conversation is full of replies of one letter."""
    return read(text, SPEC.vocabulary, stop_reason)
