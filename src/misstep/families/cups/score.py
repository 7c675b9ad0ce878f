"""Item and reply → outcome, by the suite's one extractor; pure."""

from __future__ import annotations

from misstep.core.answers import read
from misstep.core.items import Item
from misstep.core.judging import score_reading
from misstep.core.outcomes import Reply, Score
from misstep.families.cups.spec import SPEC, CupsPayload


def score(item: Item[CupsPayload], reply: Reply) -> Score:
    """Correct or wrong where a letter was answered; else what became of the reply instead."""
    return score_reading(read(reply.text, SPEC.vocabulary, reply.stop_reason), item.truth)
