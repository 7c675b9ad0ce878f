"""Fixed programs with loops and conditions, a domain each; they solve what their domain generates.

Plan generalization (§5.7) shows plans that one of them made. They also give plans for worlds too
large to search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from misstep.families.planbench.programs import (
    blocksworld,
    depots,
    ferry,
    household,
    logistics,
    satellite,
)
from misstep.families.planbench.programs.trace import Trace, goal_facts
from misstep.planning.model import Problem, Step

PROGRAMS: Mapping[str, Callable[[Trace], None]] = {
    "blocksworld": blocksworld.program,
    "depots": depots.program,
    "ferry": ferry.program,
    "household": household.program,
    "logistics": logistics.program,
    "satellite": satellite.program,
}


def follow(domain: str, problem: Problem) -> tuple[Step, ...]:
    """The steps that the domain's program takes, good or not: whoever uses them validates them."""
    trace = Trace(problem)
    PROGRAMS[domain](trace)
    return tuple(trace.steps)


__all__ = ["PROGRAMS", "Trace", "follow", "goal_facts"]
