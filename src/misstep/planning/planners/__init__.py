"""Planners as engines: Fast Downward as a process, and searches of our own for tiny problems.

>>> from misstep.planning import read_domain, read_problem
>>> from misstep.planning.planners import search_problem
>>> domain = read_domain("(define (domain d) (:predicates (lit ?x))"
...     " (:action light :parameters (?x) :precondition (not (lit ?x)) :effect (lit ?x)))")
>>> problem = read_problem("(define (problem p) (:domain d) (:objects a) (:init)"
...     " (:goal (lit a)))", domain)
>>> answer = search_problem(problem)
>>> answer.outcome.value, answer.plan, answer.cost, answer.is_optimal
('solved', (('light', 'a'),), 1, True)
"""

from misstep.planning.planners.answers import (
    DECIDED,
    DEFAULT_LIMITS,
    Answer,
    Limits,
    Outcome,
    Statistics,
)
from misstep.planning.planners.fast_downward import (
    ANY_PLAN,
    OPTIMAL,
    Configuration,
    FastDownward,
    PlannerMissing,
    find_fast_downward,
)
from misstep.planning.planners.problems import (
    MAX_STATES,
    SMALL_STATES,
    checked,
    search_problem,
    shortest_plan,
    solve_problems,
    solve_small_first,
)
from misstep.planning.planners.processes import usable_cores
from misstep.planning.planners.solving import Pddl, Progress, Solving, solve_texts

__all__ = [
    "ANY_PLAN",
    "DECIDED",
    "DEFAULT_LIMITS",
    "MAX_STATES",
    "OPTIMAL",
    "SMALL_STATES",
    "Answer",
    "Configuration",
    "FastDownward",
    "Limits",
    "Outcome",
    "Pddl",
    "PlannerMissing",
    "Progress",
    "Solving",
    "Statistics",
    "checked",
    "find_fast_downward",
    "search_problem",
    "shortest_plan",
    "solve_problems",
    "solve_small_first",
    "solve_texts",
    "usable_cores",
]
