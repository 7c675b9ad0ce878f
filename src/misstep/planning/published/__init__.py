"""PlanBench's published data: `regrade_published` results, `read_prompts` to ask them again."""

from misstep.planning.published.execution import StateScores, judge_state, read_state, state_after
from misstep.planning.published.facts import FactsSaid
from misstep.planning.published.prompts import PublishedPrompt, PublishedPrompts, read_prompts
from misstep.planning.published.regrading import regrade_published
from misstep.planning.published.reports import Disagreement, FileReport, FurtherScore, NotGraded
from misstep.planning.published.verification import (
    PlanVerdict,
    VerdictScores,
    judge_verdict,
    plan_verdict,
    read_verdict,
)

__all__ = [
    "Disagreement",
    "FactsSaid",
    "FileReport",
    "FurtherScore",
    "NotGraded",
    "PlanVerdict",
    "PublishedPrompt",
    "PublishedPrompts",
    "StateScores",
    "VerdictScores",
    "judge_state",
    "judge_verdict",
    "plan_verdict",
    "read_prompts",
    "read_state",
    "read_verdict",
    "regrade_published",
    "state_after",
]
