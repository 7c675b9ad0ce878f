"""Planning in PDDL, a library of its own: it needs nothing but Python's standard library.

>>> domain = read_domain("(define (domain lamps) (:predicates (lit ?x))"
...     " (:action light :parameters (?x) :precondition (not (lit ?x)) :effect (lit ?x)))")
>>> problem = read_problem("(define (problem two) (:domain lamps) (:objects a b)"
...     " (:init (lit a)) (:goal (forall (?x) (lit ?x))))", domain)
>>> validate(problem, [read_step("(light b)")]).verdict.value
'valid'
>>> validate(problem, [read_step("(light a)")]).unmet
('(not (lit a))',)
>>> facts_of(apply(problem, initial_state(problem), ("light", "b")))
('(lit a)', '(lit b)')
>>> [operator.step for operator in ground(problem).operators]
[('light', 'a'), ('light', 'b')]
"""

from misstep.planning.batch import json_number, validate_lines, validation_row
from misstep.planning.errors import PddlError, PlanningError
from misstep.planning.grounding import Node, Operator, Task, ground, node_of, state_of
from misstep.planning.model import Action, Atom, Domain, Number, Problem, Step, Typed, step_text
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.plans import read_plan_file, read_step, write_plan
from misstep.planning.running import Verdict
from misstep.planning.scores import PlanScores, score_plan
from misstep.planning.states import (
    State,
    apply,
    atoms_of,
    facts_of,
    goals_missing,
    initial_state,
    states_along,
)
from misstep.planning.successors import Successor, is_goal, successors
from misstep.planning.validation import Validation, validate
from misstep.planning.writing import formula_text, number_text, write_domain, write_problem

__all__ = [
    "Action",
    "Atom",
    "Domain",
    "Node",
    "Number",
    "Operator",
    "PddlError",
    "PlanScores",
    "PlanningError",
    "Problem",
    "State",
    "Step",
    "Successor",
    "Task",
    "Typed",
    "Validation",
    "Verdict",
    "apply",
    "atoms_of",
    "facts_of",
    "formula_text",
    "goals_missing",
    "ground",
    "initial_state",
    "is_goal",
    "json_number",
    "node_of",
    "number_text",
    "read_domain",
    "read_plan_file",
    "read_problem",
    "read_step",
    "score_plan",
    "state_of",
    "states_along",
    "step_text",
    "successors",
    "validate",
    "validate_lines",
    "validation_row",
    "write_domain",
    "write_plan",
    "write_problem",
]
