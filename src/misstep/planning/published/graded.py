"""One published reply graded again, whatever its task asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from misstep.planning.published.reports import Disagreement, FurtherScore


@dataclass(frozen=True, slots=True)
class Part:
    """A further score of one reply, None where the reply has none; `stored` is the original's."""

    name: str
    ours: float | None
    stored: float | None = None


@dataclass(frozen=True, slots=True)
class Graded:
    """`disagreements` are on the reply as a whole or on parts. `reference_fails`: what the original
    takes for right isn't."""

    instance: str
    is_correct: bool
    stored_correct: bool
    disagreements: tuple[Disagreement, ...] = ()
    reference_fails: bool = False
    parts: tuple[Part, ...] = ()


def further_scores(graded: Sequence[Graded]) -> Iterator[FurtherScore]:
    """The mean of each part over the replies that have it; where the original has it, too, over
    the replies that both have."""
    parts: dict[str, list[Part]] = {}
    for part in (part for one in graded for part in one.parts):
        parts.setdefault(part.name, []).append(part)
    for name, found in parts.items():
        ours = [(part.ours, part.stored) for part in found if part.ours is not None]
        both = [(mine, theirs) for mine, theirs in ours if theirs is not None]
        if both:
            stored = sum(theirs for _, theirs in both) / len(both)
            yield FurtherScore(name, len(both), sum(mine for mine, _ in both) / len(both), stored)
        elif ours:
            yield FurtherScore(name, len(ours), sum(mine for mine, _ in ours) / len(ours))
