"""Item and reply → outcome, by simulating what the reply says; pure, with no planner and no chance.

What is graded is `payload.problem`, the very text that the question states.
"""

from __future__ import annotations

from misstep.core.items import Item
from misstep.core.outcomes import Reply, Score
from misstep.families.planbench.grading.facts import score_execution
from misstep.families.planbench.grading.plans import score_plans
from misstep.families.planbench.grading.published import (
    score_published_state,
    score_published_verdict,
)
from misstep.families.planbench.grading.verdicts import score_changes, score_verification
from misstep.families.planbench.spec import PlanbenchPayload


def score(item: Item[PlanbenchPayload], reply: Reply) -> Score:
    """Correct or wrong where the test's question was answered; else what there was instead."""
    payload = item.payload
    if payload.test == "plan-verification":
        judged = score_published_verdict if payload.query else score_verification
        return judged(payload, reply)
    if payload.test == "plan-execution" and payload.query:
        return score_published_state(payload, reply)
    if payload.test == "plan-execution":
        graded = score_execution if payload.question == "state" else score_changes
        return graded(payload, reply)
    return score_plans(payload, reply)
