"""Statistics on records: paired comparisons, their verdicts, and records as tables."""

from misstep.analyse.arms import summarise
from misstep.analyse.cheapest import Cheapest, cheapest
from misstep.analyse.comparing import compare
from misstep.analyse.comparison import (
    ArmSummary,
    BestConstant,
    Comparison,
    Equivalence,
    Interval,
    Learning,
    LeftOut,
    Needed,
    NonInferiority,
    OneSided,
    Repeated,
    Verdict,
)
from misstep.analyse.effects import EffectDifference, effect_differences
from misstep.analyse.frames import records_from_frame, to_frame, write_frame
from misstep.analyse.notes import notes
from misstep.analyse.plain import arms_to_json, further_to_json, to_json
from misstep.analyse.splits import median_split

__all__ = [
    "ArmSummary",
    "BestConstant",
    "Cheapest",
    "Comparison",
    "EffectDifference",
    "Equivalence",
    "Interval",
    "Learning",
    "LeftOut",
    "Needed",
    "NonInferiority",
    "OneSided",
    "Repeated",
    "Verdict",
    "arms_to_json",
    "cheapest",
    "compare",
    "effect_differences",
    "further_to_json",
    "median_split",
    "notes",
    "records_from_frame",
    "summarise",
    "to_frame",
    "to_json",
    "write_frame",
]
