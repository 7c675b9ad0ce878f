"""plan-generation and optimal-planning: instances with a plan, or with one of proven least cost."""

from __future__ import annotations

from itertools import repeat

from misstep.families.planbench.generate.drawing import Draft, Draw, Drawn, independent
from misstep.families.planbench.texts import texts_of


def plan_generation(draw: Draw) -> Draft | None:
    return independent(draw, repeat(solved, draw.settings.examples + 1))


def optimal_planning(draw: Draw) -> Draft | None:
    return independent(draw, repeat(optimal, draw.settings.examples + 1))


def solved(draw: Draw) -> Drawn | None:
    problem = draw.problem()
    found = draw.solved(problem)
    if found is None:
        return None
    return Drawn(problem, texts_of(found.plan), len(found.plan), is_shortest=found.is_shortest)


def optimal(draw: Draw) -> Drawn | None:
    """None where the optimum isn't proven within the solver's limits."""
    problem = draw.problem()
    found = draw.solvers.best_plan(problem)
    if found is None or not found.plan:
        return None
    return Drawn(
        problem,
        texts_of(found.plan),
        len(found.plan),
        optimum=found.cost,
        is_shortest=found.is_shortest,
    )
