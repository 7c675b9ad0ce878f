"""plan-generalization: plans that one program made, and a larger instance for the same program.

A domain without a program of its own gets a general one: one goal after the other, each by a
shortest way that keeps those already reached (§5.7).
"""

from __future__ import annotations

from collections.abc import Callable

from misstep.families.planbench.generate.drawing import (
    Draft,
    Draw,
    Drawn,
    goals,
    independent,
    with_goal,
    with_start,
)
from misstep.families.planbench.programs import PROGRAMS, follow
from misstep.families.planbench.texts import state_after, texts_of
from misstep.planning.model import Problem, Step
from misstep.planning.validation import validate


def plan_generalization(draw: Draw) -> Draft | None:
    """The examples are as small as the sizes go, the question is larger than they are."""
    low, high = draw.sizes
    larger = low + 1 + draw.chance.below(max(high - low, 1))
    sizes = [larger, *[low] * draw.settings.examples]
    return independent(draw, [_of_size(size) for size in sizes])


def _of_size(size: int) -> Callable[[Draw], Drawn | None]:
    def one(draw: Draw) -> Drawn | None:
        problem = draw.problem(size)
        plan = _program(draw, problem)
        if not plan or not validate(problem, plan).is_valid:
            return None
        return Drawn(problem, texts_of(plan), len(plan))

    return one


def _program(draw: Draw, problem: Problem) -> tuple[Step, ...]:
    if draw.source.base in PROGRAMS:
        return follow(draw.source.base, problem)
    return _goal_by_goal(draw, problem)


def _goal_by_goal(draw: Draw, problem: Problem) -> tuple[Step, ...]:
    """() where the order of the goals leads nowhere."""
    parts = goals(problem)
    plan: tuple[Step, ...] = ()
    for count in range(1, len(parts) + 1):
        here = with_start(problem, state_after(problem, plan))
        found = draw.solvers.some_plan(with_goal(here, parts[:count]))
        if found is None:
            return ()
        plan += found.plan
    return plan
