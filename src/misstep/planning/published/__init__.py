"""Published PlanBench results, graded again: `regrade_published` over a copy of the repository."""

from misstep.planning.published.regrading import regrade_published
from misstep.planning.published.reports import Disagreement, FileReport, NotGraded

__all__ = ["Disagreement", "FileReport", "NotGraded", "regrade_published"]
