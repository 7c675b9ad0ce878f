"""What a user said of their use of a task: how much worse is too much, and how often they ask."""

from __future__ import annotations

from dataclasses import dataclass

MARGIN = 3.0


@dataclass(frozen=True)
class Terms:
    """A margin in the measure's unit, calls a month (None: not said), the prices' currency."""

    margin: float = MARGIN
    volume: float | None = None
    currency: str = ""
