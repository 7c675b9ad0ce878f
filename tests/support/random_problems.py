"""Random worlds for any domain, and random plans in them, whole and broken, for comparing judges.

The worlds need make no sense (a block may lie on itself): judges must agree on them all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from misstep.planning.errors import PlanningError
from misstep.planning.model import (
    TOTAL_COST,
    And,
    Atom,
    Domain,
    Fluent,
    Formula,
    Metric,
    Not,
    Problem,
    Step,
    Typed,
    Value,
)
from misstep.planning.states import State, apply, atoms_of, initial_state

FEATURES = """(define (domain features)
(:requirements :strips :typing :negative-preconditions :equality :conditional-effects
 :existential-preconditions :universal-preconditions :disjunctive-preconditions :action-costs)
(:types place thing - object box - thing)
(:constants home - place)
(:predicates (at ?t - thing ?p - place) (open ?b - box) (in ?t - thing ?b - box) (wet ?t - thing))
(:functions (total-cost) - number)
(:action move :parameters (?t - thing ?from - place ?to - place)
 :precondition (and (at ?t ?from) (not (= ?from ?to)))
 :effect (and (not (at ?t ?from)) (at ?t ?to)
  (forall (?u - thing ?b - box) (when (and (in ?u ?b) (= ?b ?t)) (wet ?u)))
  (increase (total-cost) 3)))
(:action open-up :parameters (?b - box)
 :precondition (and (not (open ?b)) (or (at ?b home) (exists (?t - thing) (in ?t ?b))))
 :effect (and (open ?b) (increase (total-cost) 1)))
(:action put :parameters (?t - thing ?b - box ?p - place)
 :precondition (and (open ?b) (at ?t ?p) (at ?b ?p) (not (= ?t ?b)))
 :effect (and (in ?t ?b) (when (wet ?b) (wet ?t)) (when (not (wet ?b)) (not (wet ?t)))))
(:action dry :parameters () :precondition (forall (?b - box) (open ?b))
 :effect (and (forall (?t - thing) (not (wet ?t))) (increase (total-cost) 2))))"""
"""A domain of its own, with what the shipped ones lack."""


@dataclass(frozen=True, slots=True)
class Case:
    """`how` names what was done to the plan."""

    problem: Problem
    plan: tuple[Step, ...]
    how: str


def random_case(domain: Domain, chance: Random) -> Case:
    """A world, a plan that runs there to a goal of its end state, and then perhaps a fault."""
    problem = _world(domain, chance)
    plan: list[Step] = []
    state = initial_state(problem)
    for _ in range(chance.randint(0, 8)):
        taken = _some_step(problem, state, chance)
        if taken is None:
            break
        plan.append(taken[0])
        state = taken[1]
    problem = replace(problem, goal=_goal(problem, state, chance))
    how = chance.choice([*_FAULTS, "as it is", "as it is"])
    return Case(
        problem, tuple(_FAULTS[how](problem, plan, chance) if how in _FAULTS else plan), how
    )


def _world(domain: Domain, chance: Random) -> Problem:
    kinds = [typed.name for typed in domain.types] or ["object"]
    objects = tuple(
        Typed(f"{kind[0]}{number}{index}", (kind,))
        for index, kind in enumerate(kinds)
        for number in range(chance.randint(1, 3 if len(kinds) > 1 else 5))
    )
    problem = Problem("random", domain, objects)
    share = chance.choice([0.3, 0.6, 0.9])
    init = tuple(atom for atom in _atoms(problem) if chance.random() < share)
    return _with_costs(replace(problem, init=init), chance)


def _with_costs(problem: Problem, chance: Random) -> Problem:
    """Where the domain has costs, half of the problems ask for the least."""
    if TOTAL_COST not in problem.domain.function:
        return problem
    cost = Fluent(TOTAL_COST)
    metric = Metric("minimize", cost) if chance.random() < 0.5 else None
    return replace(problem, values=(Value(cost, 0),), metric=metric)


def _atoms(problem: Problem) -> list[Atom]:
    return [
        Atom(predicate.name, terms)
        for predicate in problem.domain.predicates
        for terms in product(*(problem.objects_for(typed.types) for typed in predicate.parameters))
    ]


def _some_step(problem: Problem, state: State, chance: Random) -> tuple[Step, State] | None:
    for _ in range(60):
        step = _any_step(problem, chance)
        if step is not None:
            try:
                return step, apply(problem, state, step)
            except PlanningError:
                continue
    return None


def _any_step(problem: Problem, chance: Random) -> Step | None:
    action = chance.choice(problem.domain.actions)
    choices = [problem.objects_for(typed.types) for typed in action.parameters]
    return (action.name, *map(chance.choice, choices)) if all(choices) else None


def _goal(problem: Problem, end: State, chance: Random) -> Formula:
    """Mostly what holds at the end, seldom something else; negations where the domain has them."""
    holding = atoms_of(end)
    parts: list[Formula] = list(chance.sample(holding, min(len(holding), chance.randint(1, 3))))
    others = [atom for atom in _atoms(problem) if atom not in holding]
    if others and ":negative-preconditions" in problem.domain.requirements:
        parts.append(Not(chance.choice(others)))
    if others and chance.random() < 0.3:
        parts.append(chance.choice(others))
    return And(tuple(parts))


def _dropped(_problem: Problem, plan: list[Step], chance: Random) -> list[Step]:
    place = chance.randrange(len(plan)) if plan else 0
    return plan[:place] + plan[place + 1 :]


def _doubled(_problem: Problem, plan: list[Step], chance: Random) -> list[Step]:
    place = chance.randrange(len(plan)) if plan else 0
    return plan[:place] + plan[place : place + 1] + plan[place:]


def _swapped(_problem: Problem, plan: list[Step], chance: Random) -> list[Step]:
    return chance.sample(plan, len(plan))


def _appended(problem: Problem, plan: list[Step], chance: Random) -> list[Step]:
    step = _any_step(problem, chance)
    return plan if step is None else [*plan, step]


def _replaced(problem: Problem, plan: list[Step], chance: Random) -> list[Step]:
    """One object by any other, of whatever type."""
    return _with_step(plan, chance, lambda step: _with_word(problem, step, chance))


def _misnamed(_problem: Problem, plan: list[Step], chance: Random) -> list[Step]:
    return _with_step(plan, chance, lambda step: ("fly-away", *step[1:]))


def _strange(_problem: Problem, plan: list[Step], chance: Random) -> list[Step]:
    return _with_step(plan, chance, lambda step: (*step[:-1], "nobody") if len(step) > 1 else step)


def _longer(problem: Problem, plan: list[Step], chance: Random) -> list[Step]:
    return _with_step(plan, chance, lambda step: (*step, problem.objects[0].name))


def _shorter(_problem: Problem, plan: list[Step], chance: Random) -> list[Step]:
    return _with_step(plan, chance, lambda step: step[:-1] if len(step) > 1 else step)


def _with_step(plan: list[Step], chance: Random, change: Callable[[Step], Step]) -> list[Step]:
    if not plan:
        return plan
    place = chance.randrange(len(plan))
    return [*plan[:place], change(plan[place]), *plan[place + 1 :]]


def _with_word(problem: Problem, step: Step, chance: Random) -> Step:
    if len(step) == 1:
        return step
    place = chance.randrange(1, len(step))
    return (*step[:place], chance.choice(problem.objects).name, *step[place + 1 :])


_FAULTS = {
    "dropped": _dropped,
    "doubled": _doubled,
    "swapped": _swapped,
    "appended": _appended,
    "replaced": _replaced,
    "misnamed": _misnamed,
    "strange": _strange,
    "longer": _longer,
    "shorter": _shorter,
}
