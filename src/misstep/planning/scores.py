"""What a plan is worth beyond valid or not: the partial scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from misstep.planning.model import Number, Problem, Step
from misstep.planning.running import Verdict, start, take, unmet_goals
from misstep.planning.validation import Validation, validate


@dataclass(frozen=True, slots=True)
class PlanScores:
    """`executable_steps` are those before the first fault; `goals_met` of `goals` hold after them.

    `is_valid_without_preconditions`: every step named rightly, and the goal holds if preconditions
    are not looked at. `is_valid_without_deletes`: preconditions and goal hold if no fact is ever
    lost (nor a negation ever broken). `excess` is the cost above the optimum, None where either
    isn't known. `fault` is None for a valid plan.
    """

    validation: Validation
    executable_steps: int
    goals: int
    goals_met: int
    is_valid_without_preconditions: bool
    is_valid_without_deletes: bool
    length: int
    cost: Number | None
    excess: Number | None

    @property
    def fault(self) -> Verdict | None:
        """What kind of fault came first."""
        return None if self.validation.is_valid else self.validation.verdict

    @property
    def goal_share(self) -> float:
        """Of no goals at all, all are met."""
        return self.goals_met / self.goals if self.goals else 1.0


def score_plan(problem: Problem, plan: Sequence[Step], optimum: Number | None = None) -> PlanScores:
    """Graded against `optimum`, the least cost, if it is given."""
    found = validate(problem, plan)
    executable = len(plan) if found.failed_step is None else found.failed_step
    goals = problem.goals.parts
    return PlanScores(
        found,
        executable,
        len(goals),
        len(goals) - len(_missing_after(problem, plan[:executable])),
        _runs_to_goal(problem, plan, check=False),
        _runs_to_goal(problem, plan, keep_deleted=True),
        len(plan),
        found.cost,
        None if optimum is None or found.cost is None else found.cost - optimum,
    )


def _missing_after(problem: Problem, plan: Sequence[Step]) -> tuple[str, ...]:
    world = start(problem)
    for step in plan:
        take(world, step)
    return unmet_goals(world)


def _runs_to_goal(
    problem: Problem, plan: Sequence[Step], *, check: bool = True, keep_deleted: bool = False
) -> bool:
    world = start(problem, keep_deleted=keep_deleted)
    return all(take(world, step, check=check) is None for step in plan) and not unmet_goals(world)
