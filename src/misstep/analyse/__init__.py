"""Statistics on records: paired comparisons, their verdicts, and records as tables."""

from misstep.analyse.arms import summarise
from misstep.analyse.comparing import compare
from misstep.analyse.comparison import (
    ArmSummary,
    BestConstant,
    Comparison,
    Equivalence,
    Interval,
    LeftOut,
    Needed,
    Verdict,
)
from misstep.analyse.frames import records_from_frame, to_frame, write_frame
from misstep.analyse.plain import arms_to_json, to_json
from misstep.analyse.splits import median_split

__all__ = [
    "ArmSummary",
    "BestConstant",
    "Comparison",
    "Equivalence",
    "Interval",
    "LeftOut",
    "Needed",
    "Verdict",
    "arms_to_json",
    "compare",
    "median_split",
    "records_from_frame",
    "summarise",
    "to_frame",
    "to_json",
    "write_frame",
]
