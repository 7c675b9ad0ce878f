"""Validates plans: nothing is grounded but the steps that are taken.

>>> from misstep.planning import read_domain, read_problem, validate
>>> domain = read_domain("(define (domain d) (:predicates (lit ?x))"
...     " (:action light :parameters (?x) :precondition (not (lit ?x)) :effect (lit ?x)))")
>>> problem = read_problem("(define (problem p) (:domain d) (:objects a) (:init)"
...     " (:goal (lit a)))", domain)
>>> validate(problem, [("light", "a"), ("light", "a")]).unmet
('(not (lit a))',)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from misstep.planning.model import Number, Problem, Step
from misstep.planning.running import Verdict, cost_so_far, start, take, unmet_goals


@dataclass(frozen=True, slots=True)
class Validation:
    """`failed_step` counts from 0 and is None where every step ran. `unmet` are the failed step's
    preconditions or the goals, as PDDL. `cost` is None where a step failed, or the metric has no
    value. `reason` is one line, empty for a valid plan."""

    verdict: Verdict
    failed_step: int | None = None
    unmet: tuple[str, ...] = ()
    cost: Number | None = None
    reason: str = ""

    @property
    def is_valid(self) -> bool:
        return self.verdict is Verdict.VALID


def validate(problem: Problem, plan: Sequence[Step]) -> Validation:
    """Every step is run, those after the goal too; the first that fails decides."""
    world = start(problem)
    for index, step in enumerate(plan):
        fault = take(world, step)
        if fault is not None:
            return Validation(fault.kind, index, fault.unmet, reason=fault.reason)
    cost = cost_so_far(world, len(plan))
    unmet = unmet_goals(world)
    if unmet:
        reason = f"unmet: {', '.join(unmet)}"
        return Validation(Verdict.GOAL_NOT_REACHED, None, unmet, cost, reason)
    return Validation(Verdict.VALID, cost=cost)
