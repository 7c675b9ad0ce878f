"""Item and reply → outcome, by the suite's one extractor; pure."""

from __future__ import annotations

from misstep.core.answers import read
from misstep.core.items import Item
from misstep.core.judging import score_reading
from misstep.core.outcomes import Reply, Score
from misstep.families.inconsistency.spec import SPEC, InconsistencyPayload


def score(item: Item[InconsistencyPayload], reply: Reply) -> Score:
    """Correct or wrong where Yes or No was answered; else what became of the reply instead."""
    return score_reading(read(reply.text, SPEC.vocabulary, reply.stop_reason), item.truth)
