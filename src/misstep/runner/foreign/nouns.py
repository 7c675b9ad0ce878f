"""The nouns of other people's logs: a scored sample, a log of them, and what is asked of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.core.items import Scalar
from misstep.core.outcomes import Outcome

LONGEST_FIELD = 80
"""Characters of a text that may name a kind of item; a longer one is prose."""


@dataclass(frozen=True)
class Scale:
    """From the worst score to the best, which may be the lower number."""

    worst: float = 0.0
    best: float = 1.0

    def share(self, score: float) -> float:
        """The score's place on the way from worst (0) to best (1); ValueError outside of it."""
        found = (score - self.worst) / (self.best - self.worst)
        if not 0 <= found <= 1:
            raise ValueError(
                f"{score:g} lies outside {self.worst:g} to {self.best:g}; --range WORST BEST "
                "says where scores lie"
            )
        return found


def scale_of(ends: tuple[float, float] | None) -> Scale:
    """BadInput where the ends are the same, or no numbers."""
    if ends is None:
        return Scale()
    worst, best = ends
    if worst == best or not (math.isfinite(worst) and math.isfinite(best)):
        raise BadInput(f"--range: {worst:g} {best:g} is no range of scores")
    return Scale(worst, best)


@dataclass(frozen=True)
class Wanted:
    """What to read of a log: which score, on which scale, and the field that groups the items."""

    score: str | None = None
    group: str | None = None
    scale: Scale = field(default_factory=Scale)


@dataclass(frozen=True, slots=True)
class Sample:
    """A reply with its score, from 0 to 1; None where there is none, and `reason` says why.

    `content` is a digest of all that the item shows, `target` one of what is right. `fields` are
    those of the item's own that are short enough to name a kind.
    """

    id: str
    repetition: int
    content: str
    target: str
    value: float | None
    outcome: Outcome
    reason: str | None = None
    group: str | None = None
    fields: Mapping[str, Scalar] = field(default_factory=dict)
    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class ForeignLog:
    """One run of a task; `task` and `model` are None where the file doesn't say.

    `settings` are what may differ between two runs of one task, as text. `chance` is the share
    that blind guesses would get right, where the items list their choices.
    """

    file: Path
    task: str | None
    model: str | None
    settings: Mapping[str, str]
    score: str
    samples: tuple[Sample, ...]
    chance: float | None = None


def short_fields(fields: Mapping[str, object]) -> dict[str, Scalar]:
    """The fields that are single values, and no prose."""
    return {
        name: value
        for name, value in fields.items()
        if isinstance(value, (bool, int, float))
        or (isinstance(value, str) and 0 < len(value) <= LONGEST_FIELD)
    }
