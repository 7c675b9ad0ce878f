"""Fast Downward's answers on problems small enough to know the truth by hand."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import misstep
from misstep.planning.planners.answers import Answer, Limits, Outcome
from misstep.planning.planners.fast_downward import (
    ANY_PLAN,
    OPTIMAL,
    Configuration,
    FastDownward,
)
from misstep.planning.planners.solving import Pddl, Solving, solve_texts

COSTS = """(define (domain costs) (:requirements :strips :conditional-effects :action-costs)
(:predicates (p) (q) (r)) (:functions (total-cost))
(:action a :parameters () :effect (and (p) {effect} (increase (total-cost) 5)))
(:action b :parameters () :precondition (p)
 :effect (and (q) (not (p)) (increase (total-cost) 3))))"""
PROBLEM = "(define (problem c) (:domain costs) (:init (= (total-cost) 0)) (:goal (r)){metric})"
METRIC = "(:metric minimize (total-cost))"
BLIND = Configuration("blind", ("astar(blind())",), is_optimal=True)


@pytest.fixture
def solve(fast_downward: FastDownward) -> Callable[..., Answer]:
    def solve_one(
        problem: Pddl, configuration: Configuration = OPTIMAL, limits: Limits | None = None
    ) -> Answer:
        how = Solving(fast_downward, configuration, limits or Limits())
        (answer,) = solve_texts([problem], how)
        return answer

    return solve_one


Solve = Callable[..., Answer]
Blocks = Callable[[str], Pddl]


def test_two_blocks_are_swapped_in_four_steps(solve: Solve, blocks: Blocks) -> None:
    answer = solve(blocks("(on b a)"))
    assert answer.outcome is Outcome.SOLVED
    assert answer.plan == (
        ("unstack", "a", "b"),
        ("put-down", "a"),
        ("pick-up", "b"),
        ("stack", "b", "a"),
    )
    assert (answer.cost, answer.is_optimal, answer.said) == (4, True, "")
    assert answer.statistics.expanded
    assert answer.statistics.peak_kib > 1000


def test_a_goal_that_holds_needs_the_empty_plan(solve: Solve, blocks: Blocks) -> None:
    answer = solve(blocks("(on a b)"))
    assert (answer.outcome, answer.plan, answer.cost) == (Outcome.SOLVED, (), 0)


@pytest.mark.parametrize("goal", ["(on a a)", "(and (on a b) (on b a))"])
def test_what_cannot_be_reached_is_proven_unsolvable(
    solve: Solve, blocks: Blocks, goal: str
) -> None:
    for configuration in (OPTIMAL, ANY_PLAN):
        answer = solve(blocks(goal), configuration)
        assert (answer.outcome, answer.plan, answer.cost) == (Outcome.UNSOLVABLE, None, None)


def test_a_disjunctive_goal_falls_back_to_blind_search(solve: Solve, blocks: Blocks) -> None:
    answer = solve(blocks("(or (on b a) (holding b))"))
    assert (answer.outcome, answer.cost, answer.is_optimal) == (Outcome.SOLVED, 3, True)


def test_conditional_effects_fall_back_to_blind_search(solve: Solve) -> None:
    problem = Pddl(COSTS.format(effect="(when (q) (r))"), PROBLEM.format(metric=METRIC))
    answer = solve(problem)
    assert (answer.plan, answer.cost, answer.is_optimal) == ((("a",), ("b",), ("a",)), 13, True)


def test_costs_count_only_where_the_metric_asks_for_them(solve: Solve) -> None:
    domain = COSTS.format(effect="(r)")
    assert solve(Pddl(domain, PROBLEM.format(metric=METRIC))).cost == 5
    assert solve(Pddl(domain, PROBLEM.format(metric=""))).cost == 1


def test_a_greedy_plan_does_not_claim_to_be_optimal(solve: Solve, blocks: Blocks) -> None:
    answer = solve(blocks("(on b a)"), ANY_PLAN)
    assert answer.outcome is Outcome.SOLVED
    assert not answer.is_optimal


def test_names_with_digits_and_capitals_come_back_in_lower_case(solve: Solve) -> None:
    domain = (
        "(define (domain d) (:predicates (at ?x)) (:action 9GO :parameters (?x) :effect (at ?x)))"
    )
    problem = "(define (problem 1p) (:domain d) (:objects P18 7up) (:init) (:goal (at P18)))"
    assert solve(Pddl(domain, problem)).plan == (("9go", "p18"),)


@pytest.mark.parametrize(
    ("goal", "reason"),
    [
        ("(zzz a)", "Expected logical operator or predicate name; Got: zzz"),
        ("(on a q)", "Undefined object; Got: q"),
        ("(on a", "Missing ')'"),
    ],
)
def test_input_it_cannot_read_is_refused_with_its_reason(
    solve: Solve, blocks: Blocks, goal: str, reason: str
) -> None:
    answer = solve(blocks(goal))
    assert answer.outcome is Outcome.REFUSED
    assert reason in answer.said
    assert "\n" not in answer.said


def test_the_real_search_out_of_time_is_no_proof(
    solve: Solve, tower: Callable[[int], Pddl]
) -> None:
    answer = solve(tower(14), BLIND, Limits(cpu_seconds=1, memory_mib=4096))
    assert answer.outcome is Outcome.OUT_OF_TIME
    assert "processor time" in answer.said


def test_the_real_search_out_of_memory_is_no_proof(
    solve: Solve, tower: Callable[[int], Pddl]
) -> None:
    answer = solve(tower(14), BLIND, Limits(memory_mib=64))
    assert answer.outcome is Outcome.OUT_OF_MEMORY
    assert answer.exit_code == 22


def test_the_translator_out_of_memory_is_no_refusal(solve: Solve, blocks: Blocks) -> None:
    answer = solve(blocks("(on b a)"), OPTIMAL, Limits(memory_mib=20))
    assert answer.outcome is Outcome.OUT_OF_MEMORY


def test_a_missing_wheel_is_said_in_one_line() -> None:
    source = Path(misstep.__file__).parent.parent
    program = (
        f"import sys; sys.path.insert(0, {str(source)!r})\n"
        "from misstep.planning.planners.fast_downward import PlannerMissing, find_fast_downward\n"
        "try: find_fast_downward()\n"
        "except PlannerMissing as error: print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout == "Fast Downward isn't installed: pip install up-fast-downward\n"
