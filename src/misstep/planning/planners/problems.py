"""Problems to proven answers: by Fast Downward, checked by the validator, or by our own search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from misstep.planning.errors import PlanningError
from misstep.planning.grounding import Node, Task, ground
from misstep.planning.model import Number, Problem
from misstep.planning.planners.answers import Answer, Outcome
from misstep.planning.planners.relaxation import h_max
from misstep.planning.planners.search import Move, Space, a_star, blind, breadth_first
from misstep.planning.planners.solving import Pddl, Progress, Solving, solve_checked
from misstep.planning.running import cost_so_far, start
from misstep.planning.successors import is_goal, successors
from misstep.planning.validation import validate
from misstep.planning.writing import write_domain, write_problem

MAX_STATES = 200_000
SMALL_STATES = 5_000
"""About as many as are searched in the time that a planner's start takes."""


def solve_problems(
    problems: Sequence[Problem], how: Solving, progress: Progress | None = None
) -> tuple[Answer, ...]:
    """An answer for each, in order; a plan that isn't valid, or doesn't cost what the planner says,
    is reported as nonsense. Costs are the metric's values, as the validator gives them.

    Raises PlanningError for a metric to maximize; all else that goes wrong stands in the outcomes.
    """
    for problem in problems:
        _refuse_maximizing(problem)
    texts = [Pddl(write_domain(one.domain), write_problem(one)) for one in problems]

    def check(index: int, answer: Answer) -> Answer:
        return checked(problems[index], answer)

    answers = solve_checked(texts, how, check, progress)
    return tuple(
        replace(answer, cost=_with_base(problem, answer.cost))
        for problem, answer in zip(problems, answers, strict=True)
    )


def solve_small_first(
    problems: Sequence[Problem],
    how: Solving | None,
    max_states: int = SMALL_STATES,
    progress: Progress | None = None,
) -> tuple[Answer, ...]:
    """Proven least costs, or proofs that there is no plan: from our own search where it suffices
    (a four-block problem takes it milliseconds, a planner process a tenth of a second), the rest
    by the planner; where `how` is None the rest stays out of nodes.

    Raises as `search_problem` does.
    """
    answers: list[Answer] = []
    for problem in problems:
        answers.append(search_problem(problem, max_states, informed=False))
        if progress is not None and answers[-1].is_decided:
            progress(sum(answer.is_decided for answer in answers), len(problems))
    left = [index for index, answer in enumerate(answers) if not answer.is_decided]
    if how is None or not left:
        return tuple(answers)
    known = len(problems) - len(left)

    def go_on(done: int, _total: int) -> None:
        if progress is not None:
            progress(known + done, len(problems))

    theirs = solve_problems([problems[index] for index in left], how, go_on)
    for index, answer in zip(left, theirs, strict=True):
        answers[index] = answer
    return tuple(answers)


def checked(problem: Problem, answer: Answer) -> Answer:
    """The same answer, or nonsense where its plan is invalid or its cost (counted from 0 at the
    start, as planners do) isn't the plan's."""
    if answer.plan is None:
        return answer
    found = validate(problem, answer.plan)
    if not found.is_valid:
        return _disbelieved(answer, f"its plan is not valid: {found.verdict}, {found.reason}")
    stated = _with_base(problem, answer.cost)
    if found.cost != stated:
        return _disbelieved(answer, f"its plan costs {found.cost}, not {stated} as it says")
    return answer


def search_problem(
    problem: Problem, max_states: int = MAX_STATES, *, informed: bool = True
) -> Answer:
    """A plan of proven least cost, or proof that there is none, by A* in this process (h-max, or
    blind where not `informed`). For tests and tiny problems.

    Raises PlanningError for a metric to maximize, for negative costs, and for too many operators.
    """
    _refuse_maximizing(problem)
    task = ground(problem)
    name = "A* with h-max" if informed else "A*, blind"
    answer = a_star(space_of(task), h_max(task) if informed else blind, max_states, name)
    return replace(answer, cost=_with_base(problem, answer.cost))


def shortest_plan(problem: Problem, max_states: int = MAX_STATES) -> Answer:
    """A plan with the fewest steps, whatever they cost, by breadth-first search."""
    answer = breadth_first(space_of(ground(problem)), max_states)
    return replace(answer, cost=_with_base(problem, answer.cost))


def space_of(task: Task) -> Space[Node]:
    """What is searched in a grounded task."""

    def moves(node: Node) -> Iterator[Move[Node]]:
        for after in successors(task, node):
            yield Move(after.operator.step, after.cost, after.node)

    return Space(task.initial, moves, lambda node: is_goal(task, node))


def _with_base(problem: Problem, cost: Number | None) -> Number | None:
    """The metric's value at the start, added."""
    base = cost_so_far(start(problem), 0)
    return None if cost is None or base is None else cost + base


def _disbelieved(answer: Answer, said: str) -> Answer:
    return replace(
        answer, outcome=Outcome.NONSENSE, plan=None, cost=None, is_optimal=False, said=said
    )


def _refuse_maximizing(problem: Problem) -> None:
    if problem.metric is not None and problem.metric.direction != "minimize":
        raise PlanningError(f"problem {problem.name}: a metric to maximize can't be planned for")
