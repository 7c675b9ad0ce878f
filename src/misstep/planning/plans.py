"""Plans as text: one step in parentheses after another, as planners write and validators read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from misstep.planning.errors import PlanningError
from misstep.planning.lexing import quoted
from misstep.planning.model import Step, step_text

_STEP = re.compile(r"\s*(?:\d+(?:\.\d+)?\s*:)?\s*\(([^()]*)\)\s*(?:\[[\d.]+\])?\s*")


def read_step(text: str) -> Step:
    """ "(stack a b)" as ("stack", "a", "b"). Raises PlanningError."""
    match = _STEP.fullmatch(text)
    if match is None:
        raise PlanningError(f"found {quoted(text)}; expected a step such as (stack a b)")
    return tuple(match[1].lower().split())


def read_plan_file(text: str, file: str = "") -> tuple[Step, ...]:
    """A plan file: comments after ";", a step a line, with or without its time before it.

    Raises PlanningError, naming file and line.
    """
    plan = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.partition(";")[0]
        if bare.strip():
            try:
                plan.append(read_step(bare))
            except PlanningError as error:
                raise PlanningError(f"{file or '<text>'}:{number}: {error}") from None
    return tuple(plan)


def write_plan(plan: Sequence[Step]) -> str:
    """A step a line, as `read_plan_file` takes it."""
    return "".join(f"{step_text(step)}\n" for step in plan)
