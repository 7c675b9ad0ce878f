"""PlanBench's published data: `regrade_published` results, `read_prompts` to ask them again."""

from misstep.planning.published.prompts import PublishedPrompt, PublishedPrompts, read_prompts
from misstep.planning.published.regrading import regrade_published
from misstep.planning.published.reports import Disagreement, FileReport, NotGraded

__all__ = [
    "Disagreement",
    "FileReport",
    "NotGraded",
    "PublishedPrompt",
    "PublishedPrompts",
    "read_prompts",
    "regrade_published",
]
