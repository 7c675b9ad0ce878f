"""Item and reply → outcome, by the suite's one extractor; pure.

"All of them" and "none of them" name no candidate: unparsed, with that reason.
"""

from __future__ import annotations

from misstep.core.answers import read
from misstep.core.items import Item
from misstep.core.judging import score_reading
from misstep.core.outcomes import Reply, Score
from misstep.families.faces.spec import SPEC, FacesPayload


def score(item: Item[FacesPayload], reply: Reply) -> Score:
    """Correct or wrong where one candidate was named; else what became of the reply instead."""
    return score_reading(read(reply.text, SPEC.vocabulary, reply.stop_reason), item.truth)
