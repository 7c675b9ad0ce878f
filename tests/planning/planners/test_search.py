"""The searches in this process, against an obvious one without grounding, and at their edges."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from misstep.planning.errors import PlanningError
from misstep.planning.grounding import ground
from misstep.planning.model import Number, Problem, Step
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.planners.answers import Answer, Outcome
from misstep.planning.planners.problems import (
    checked,
    search_problem,
    shortest_plan,
)
from misstep.planning.planners.relaxation import h_max
from misstep.planning.planners.search import Move, Space, a_star, blind, breadth_first
from misstep.planning.planners.solving import Pddl
from misstep.planning.states import State, apply, goals_missing, initial_state
from misstep.planning.successors import successors
from misstep.planning.validation import validate
from random_problems import FEATURES, random_case

COUNTER = """(define (domain counter) (:requirements :strips :numeric-fluents)
(:predicates (done)) (:functions (n) (total-cost))
(:action one :parameters () :effect (and (increase (n) 1) (increase (total-cost) 1)))
(:action double :parameters () :precondition (> (n) 0)
 :effect (and (scale-up (n) 2) (increase (total-cost) (n))))
(:action stop :parameters () :precondition (= (n) {goal}) :effect (done)))"""
COUNT = """(define (problem count) (:domain counter) (:init (= (n) 0) (= (total-cost) {base}))
 (:goal (done)) (:metric {metric} (total-cost)))"""


def every_step(problem: Problem) -> Iterator[Step]:
    for action in problem.domain.actions:
        for words in product(*(problem.objects_for(one.types) for one in action.parameters)):
            yield (action.name, *words)


def fewest_steps(problem: Problem, most_states: int) -> int | None:
    """Layer by layer over whole states; -1 if no plan exists, None if there are too many states."""
    layer, seen, depth = [initial_state(problem)], {initial_state(problem)}, 0
    while layer:
        if any(not goals_missing(problem, state) for state in layer):
            return depth
        if len(seen) > most_states:
            return None
        following: list[State] = []
        for state in layer:
            for step in every_step(problem):
                try:
                    after = apply(problem, state, step)
                except PlanningError:
                    continue
                if after not in seen:
                    seen.add(after)
                    following.append(after)
        layer, depth = following, depth + 1
    return -1


def test_fewest_steps_are_those_of_an_obvious_search() -> None:
    chance, compared = Random(5), 0
    domain = read_domain(FEATURES)
    for _ in range(40):
        problem = replace(random_case(domain, chance).problem, metric=None)
        truth = fewest_steps(problem, most_states=60)
        if truth is None:
            continue
        compared += 1
        for answer in (search_problem(problem), shortest_plan(problem)):
            if truth == -1:
                assert answer.outcome is Outcome.UNSOLVABLE
            else:
                assert answer.plan is not None
                assert (len(answer.plan), answer.cost) == (truth, truth)
    assert compared >= 15


@pytest.mark.parametrize("informed", [True, False])
def test_numbers_are_searched_too(informed: bool) -> None:
    """1, 2, 3, 6: 1 + 1 (doubling 1) + 1 + 3 (doubling 3) = 6 costs as much as six ones."""
    domain = read_domain(COUNTER.format(goal=6))
    problem = read_problem(COUNT.format(base=10, metric="minimize"), domain)
    answer = search_problem(problem, informed=informed)
    assert (answer.outcome, answer.cost) == (Outcome.SOLVED, 16)
    assert validate(problem, answer.plan or ()).cost == 16


def test_an_endless_space_ends_at_the_bound_and_is_no_proof() -> None:
    domain = read_domain(COUNTER.format(goal="-1"))
    problem = read_problem(COUNT.format(base=0, metric="minimize"), domain)
    for answer in (search_problem(problem, 500), shortest_plan(problem, 500)):
        assert answer.outcome is Outcome.OUT_OF_NODES
        assert not answer.is_decided
        assert answer.statistics.generated == 500


def test_a_metric_to_maximize_is_refused() -> None:
    domain = read_domain(COUNTER.format(goal=1))
    problem = read_problem(COUNT.format(base=0, metric="maximize"), domain)
    with pytest.raises(PlanningError, match="problem count: a metric to maximize"):
        search_problem(problem)


def test_h_max_by_hand(blocks: Callable[[str], Pddl]) -> None:
    """To have b on a: unstack a (1), pick up b (2), stack it (3); putting a down is overlooked."""
    text = blocks("(on b a)")
    task = ground(read_problem(text.problem, read_domain(text.domain)))
    assert h_max(task)(task.initial) == 3


def test_h_max_never_exceeds_what_is_left_to_pay() -> None:
    chance, domain, compared = Random(11), read_domain(FEATURES), 0
    for _ in range(60):
        problem = random_case(domain, chance).problem
        answer = search_problem(problem, 400, informed=False)
        task = ground(problem)
        estimate, node = h_max(task), task.initial
        left = answer.cost or 0
        for step in answer.plan or ():
            at_most = estimate(node)
            assert at_most is not None
            assert at_most <= left
            taken = next(one for one in successors(task, node) if one.operator.step == step)
            node, left = taken.node, left - taken.cost
            compared += 1
        assert left == 0
    assert compared > 20


EDGES: dict[str, dict[str, int]] = {
    "a": {"b": 1, "c": 5},
    "b": {"c": 1, "d": 10},
    "c": {"d": 1, "a": 0},
    "d": {},
}


def graph(goal: str) -> Space[str]:
    def moves(state: str) -> Iterator[Move[str]]:
        return (Move((state + after,), cost, after) for after, cost in EDGES[state].items())

    return Space("a", moves, lambda state: state == goal)


def test_the_cheapest_way_is_found_where_the_shortest_costs_more() -> None:
    cheapest, shortest = a_star(graph("d"), blind, 10), breadth_first(graph("d"), 10)
    assert (cheapest.plan, cheapest.cost) == ((("ab",), ("bc",), ("cd",)), 3)
    assert (shortest.plan, shortest.cost, shortest.is_optimal) == ((("ab",), ("bd",)), 11, False)


def test_an_inconsistent_heuristic_still_gives_the_least_cost() -> None:
    """It is exact at b, and 0 at c, so that c is first reached dearly and must be opened again."""
    estimates: dict[str, Number] = {"a": 0, "b": 2, "c": 0, "d": 0}
    assert a_star(graph("d"), estimates.__getitem__, 10).cost == 3


def test_a_circle_of_steps_that_cost_nothing_is_left() -> None:
    def moves(state: int) -> list[Move[int]]:
        return [Move((str(state), str(after)), 0, after) for after in ((state + 1) % 4, 3 - state)]

    answer = a_star(Space(0, moves, lambda state: state == 2), blind, 10)
    assert (answer.outcome, answer.cost) == (Outcome.SOLVED, 0)
    assert answer.plan is not None
    assert answer.plan[-1][-1] == "2"


def test_dead_ends_named_by_the_heuristic_are_left_out() -> None:
    answer = a_star(graph("d"), lambda state: None if state == "c" else 0, 10)
    assert answer.cost == 11


def test_a_space_seen_to_its_end_is_a_proof() -> None:
    for answer in (a_star(graph("e"), blind, 4), breadth_first(graph("e"), 4)):
        assert (answer.outcome, answer.statistics.generated) == (Outcome.UNSOLVABLE, 4)
    for answer in (a_star(graph("e"), blind, 3), breadth_first(graph("e"), 3)):
        assert answer.outcome is Outcome.OUT_OF_NODES


def test_negative_costs_are_refused() -> None:
    space = Space("a", lambda _state: [Move(("back",), -1, "b")], lambda state: state == "b")
    with pytest.raises(PlanningError, match="the step back has a negative cost: -1"):
        a_star(space, blind, 10)


def test_the_same_plan_is_found_under_every_hash_seed() -> None:
    program = (
        "from random import Random\n"
        "from random_problems import FEATURES, random_case\n"
        "from misstep.planning.parsing import read_domain\n"
        "from misstep.planning.planners.problems import search_problem\n"
        "chance, domain = Random(7), read_domain(FEATURES)\n"
        "for _ in range(6): print(search_problem(random_case(domain, chance).problem, 5000))\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(printed) == 1
    assert "solved" in printed.pop()


def counting_problem() -> Problem:
    domain = read_domain(COUNTER.format(goal=1))
    return read_problem(COUNT.format(base=0, metric="minimize"), domain)


@pytest.mark.parametrize(
    ("plan", "cost", "said"),
    [
        ((("stop",),), 0, "its plan is not valid: precondition_failed, unmet: (= (n) 1)"),
        ((("fly",),), 0, "its plan is not valid: unknown_action, unknown action 'fly'"),
        ((("one",), ("stop",)), 7, "its plan costs 1, not 7 as it says"),
    ],
)
def test_a_plan_that_is_not_what_was_claimed_is_nonsense(
    plan: tuple[Step, ...], cost: int, said: str
) -> None:
    claimed = Answer(Outcome.SOLVED, "liar", plan=plan, cost=cost, is_optimal=True)
    answer = checked(counting_problem(), claimed)
    assert (answer.outcome, answer.plan, answer.cost) == (Outcome.NONSENSE, None, None)
    assert (answer.is_optimal, answer.said) == (False, said)


def test_a_right_claim_is_believed() -> None:
    claimed = Answer(Outcome.SOLVED, "honest", plan=(("one",), ("stop",)), cost=1)
    assert checked(counting_problem(), claimed) == claimed
