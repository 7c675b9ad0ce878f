"""Plans and proofs for the generator and the reference solver, within bounds in states, not time.

Small worlds are searched in this process. Where that runs into its bound, a domain's own program
gives a plan, and Fast Downward a plan of proven least cost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from misstep.core.errors import MisstepError
from misstep.families.planbench.programs import PROGRAMS, follow
from misstep.planning.errors import PlanningError
from misstep.planning.grounding import Task, ground, node_of
from misstep.planning.model import Number, Problem, Step
from misstep.planning.planners.answers import DEFAULT_LIMITS, Answer, Outcome
from misstep.planning.planners.cache import cache_key, cached_answer, keep_answer
from misstep.planning.planners.fast_downward import ANY_PLAN, OPTIMAL, find_fast_downward
from misstep.planning.planners.problems import search_problem, shortest_plan, solve_problems
from misstep.planning.planners.solving import Solving
from misstep.planning.states import State
from misstep.planning.successors import successors
from misstep.planning.validation import validate
from misstep.planning.writing import write_domain, write_problem

FEW_STATES = 2_000
"""For some plan, or one of least cost: 4 and 5 blocks fit."""
MANY_STATES = 20_000
"""For a proof that no plan exists."""
SEARCHES = 1
"""To be raised where a search in this process comes to give other plans: what was kept of the
earlier ones no longer counts."""

Search = Callable[[Problem, int], Answer]
_BROKEN = (Outcome.MISSING, Outcome.CRASHED, Outcome.NONSENSE, Outcome.REFUSED)


@dataclass(frozen=True)
class Solved:
    """`is_shortest`: no plan has fewer steps, proven."""

    plan: tuple[Step, ...]
    cost: int | None
    is_shortest: bool


@dataclass(frozen=True)
class Solvers:
    """`base` is the shipped domain whose program may be followed, or any other name."""

    base: str
    cache: Path | None = None

    def some_plan(self, problem: Problem) -> Solved | None:
        """None where there is none, or none was found."""
        answer = shortest_plan(problem, FEW_STATES)
        if answer.outcome is Outcome.UNSOLVABLE:
            return None
        if answer.plan is not None:
            return Solved(answer.plan, _whole(answer.cost), is_shortest=True)
        plan = follow(self.base, problem) if self.base in PROGRAMS else ()
        if plan and validate(problem, plan).is_valid:
            return Solved(plan, None, is_shortest=False)
        return self._solved(self._ask(problem, is_optimal=False))

    def best_plan(self, problem: Problem) -> Solved | None:
        """Of proven least cost; None where there is none, or the proof wasn't found in time."""
        answer = self._proof(search_problem, problem, FEW_STATES)
        if answer.outcome is Outcome.OUT_OF_NODES:
            answer = self._ask(problem, is_optimal=True)
        return self._solved(answer) if answer.is_optimal else None

    def is_hopeless(self, problem: Problem) -> bool:
        """Whether it is proven that no state that can be reached has the goal."""
        answer = self._proof(shortest_plan, problem, MANY_STATES)
        if answer.outcome is Outcome.OUT_OF_NODES:
            answer = self._ask(problem, is_optimal=True)
        return answer.outcome is Outcome.UNSOLVABLE

    def steps_from(self, problem: Problem, state: State) -> list[Step]:
        """What can be done in a state, in the order of the grounded actions."""
        task = _grounded(problem)
        node = node_of(task, state.facts, dict(state.values))
        return [after.operator.step for after in successors(task, node)]

    def _proof(self, search: Search, problem: Problem, most: int) -> Answer:
        """What a search in this process comes to, kept as a planner's answers are."""
        if self.cache is None:
            return search(problem, most)
        texts = (write_domain(problem.domain), write_problem(problem))
        key = cache_key("in process", search.__name__, f"{SEARCHES}", f"{most}", *texts)
        kept = cached_answer(self.cache, key, DEFAULT_LIMITS)
        if kept is not None and _is_sound(problem, kept):
            return kept
        answer = search(problem, most)
        keep_answer(self.cache, key, DEFAULT_LIMITS, answer)
        return answer

    def _ask(self, problem: Problem, *, is_optimal: bool) -> Answer:
        """Raises MisstepError where the planner isn't there or doesn't work."""
        try:
            planner = find_fast_downward()
        except PlanningError as error:
            raise MisstepError(
                f"this world is too large to search without a planner: {error}"
            ) from None
        how = Solving(planner, OPTIMAL if is_optimal else ANY_PLAN, cache=self.cache)
        answer = solve_problems([problem], how)[0]
        if answer.outcome in _BROKEN:
            raise MisstepError(f"{answer.planner}: {answer.outcome}: {answer.said}")
        return answer

    def _solved(self, answer: Answer) -> Solved | None:
        if answer.plan is None:
            return None
        has_unit_costs = answer.cost == len(answer.plan) and answer.is_optimal
        return Solved(answer.plan, _whole(answer.cost), is_shortest=has_unit_costs)


def _is_sound(problem: Problem, kept: Answer) -> bool:
    if kept.plan is None:
        return True
    found = validate(problem, kept.plan)
    return found.is_valid and kept.cost in (found.cost, len(kept.plan))


@lru_cache(maxsize=16)
def _grounded(problem: Problem) -> Task:
    return ground(problem)


def _whole(cost: Number | None) -> int | None:
    return cost if isinstance(cost, int) else None
