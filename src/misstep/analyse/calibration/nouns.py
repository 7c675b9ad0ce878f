"""The nouns of a calibration: how much is simulated, and a row of its table."""

from __future__ import annotations

import math
from dataclasses import dataclass

from misstep.analyse.inference.intervals import Floats
from misstep.analyse.verdict import ALPHA

ERRORS = 3.0
"""How many standard errors of the simulation a row may lie beyond its bound."""

SPREADS = (0.0, 0.1, 0.2)
"""Standard deviations of the groups' true differences."""

SIZE = 44
"""Items of a group."""

MARGIN = 3.0
"""Of equivalence and non-inferiority, in points."""


@dataclass(frozen=True)
class Effort:
    """How many experiments a row simulates; `tables` are whole tables of many models."""

    experiments: int
    tables: int
    seed: int = 0


FULL = Effort(experiments=20_000, tables=100)
SHORT = Effort(experiments=1_000, tables=2)


@dataclass(frozen=True)
class Row:
    """One figure of the table. Shares lie in 0..1.

    `error` is three standard errors of the simulation. `low` and `high` are None where nothing
    bounds it; both None: the row tells, and claims nothing.
    """

    what: str
    setting: str
    measured: float
    error: float
    low: float | None = None
    high: float | None = None

    @property
    def is_within(self) -> bool:
        """Within the bounds, but for the simulation's error."""
        above = self.low is None or self.measured >= self.low - self.error
        return above and (self.high is None or self.measured <= self.high + self.error)

    @property
    def is_claim(self) -> bool:
        return self.low is not None or self.high is not None


def share(
    what: str,
    setting: str,
    hits: Floats,
    *,
    low: float | None = None,
    high: float | None = None,
) -> Row:
    """A row for the share of experiments that hit; `hits` are 0 or 1, or means of such."""
    n = hits.size
    measured = float(hits.mean())
    # As if two more had hit and two had not: no share of so many is known without error.
    wary = (measured * n + 2) / (n + 4)
    return Row(what, setting, measured, ERRORS * math.sqrt(wary * (1 - wary) / n), low, high)


def error_rate(what: str, setting: str, hits: Floats) -> Row:
    """A row for the share of experiments that erred, at most 5 %."""
    return share(what, setting, hits, high=ALPHA)


def spread(between: float) -> str:
    return f"SD {between:g}"
