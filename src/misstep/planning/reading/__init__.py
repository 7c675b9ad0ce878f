"""Free replies to plans: `read_plan` for one, `read_lines` for many."""

from misstep.planning.reading.batch import read_lines
from misstep.planning.reading.lexicon import Lexicon, ReadingWords, lexicon_for
from misstep.planning.reading.own_words import own_words
from misstep.planning.reading.reader import PlanReading, read_plan, read_with

__all__ = [
    "Lexicon",
    "PlanReading",
    "ReadingWords",
    "lexicon_for",
    "own_words",
    "read_lines",
    "read_plan",
    "read_with",
]
