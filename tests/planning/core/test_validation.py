"""Verdicts, failing steps, unmet facts and costs on small problems worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from misstep.planning import (
    Problem,
    Step,
    read_domain,
    read_problem,
    read_step,
    score_plan,
    validate,
)
from plan_oracle import Oracle


def _problem(texts: tuple[str, str]) -> Problem:
    return read_problem(texts[1], read_domain(texts[0]))


def _plan(*steps: str) -> list[Step]:
    return [read_step(step) for step in steps]


ROOMS_PLAN = (
    "(unlock r2 store)",
    "(go r2 hall store)",
    "(hold r2 c1)",
    "(go r2 store hall)",
    "(release c1)",
)


def test_a_plan_with_every_feature_is_valid_and_its_cost_exact(rooms: tuple[str, str]) -> None:
    found = validate(_problem(rooms), _plan(*ROOMS_PLAN))
    assert found.is_valid
    assert found.cost == 2 + 2 + 1 + Fraction(3, 2) + Fraction(1, 2) == 7
    assert Oracle(*rooms).judge(_plan(*ROOMS_PLAN)) == ("valid", None)


@pytest.mark.parametrize(
    ("steps", "verdict", "failed", "unmet"),
    [
        ((), "goal_not_reached", None, ("(at c1 hall)", "(forall (?c - crate) (at ?c hall))")),
        (("(go r2 hall store)",), "precondition_failed", 0, ("(not (locked store))",)),
        (
            ("(go r2 store store)",),
            "precondition_failed",
            0,
            (
                "(>= (fuel r2) (far store store))",
                "(at r2 store)",
                "(not (= store store))",
                "(not (locked store))",
                "(or (door store store) (door store store))",
            ),
        ),
        (
            ("(hold r2 c1)",),
            "precondition_failed",
            0,
            ("(exists (?x - room) (and (at r2 ?x) (at c1 ?x)))",),
        ),
        (
            ("(hold r2 c2)", "(hold r2 c2)"),
            "precondition_failed",
            1,
            ("(forall (?o - crate) (not (held ?o)))",),
        ),
        (
            ("(hold r2 c2)", "(release c2)", "(unlock c2 store)"),
            "precondition_failed",
            2,
            ("(imply (wet c2) (not (alarm)))",),
        ),
        (
            (
                "(unlock c2 store)",
                "(go r2 hall store)",
                "(go r2 store hall)",
                "(go r2 hall store)",
            ),
            "precondition_failed",
            3,
            ("(>= (fuel r2) (far hall store))",),
        ),
        (("(fly r2 c1)",), "unknown_action", 0, ()),
        (("(hold r2 c2)", "(release c2 x)"), "wrong_arity", 1, ()),
        (("(hold x hall)",), "unknown_object", 0, ()),
        (("(hold c1 hall)",), "wrong_type", 0, ()),
        (("(unlock hall hall)",), "wrong_type", 0, ()),
        (("(fly)", "(hold x)"), "unknown_action", 0, ()),
        (("(hold r2 c1)", "(fly)"), "precondition_failed", 0, None),
        (("()",), "unknown_action", 0, ()),
    ],
)
def test_the_first_fault_decides(
    rooms: tuple[str, str],
    steps: tuple[str, ...],
    verdict: str,
    failed: int | None,
    unmet: tuple[str, ...] | None,
) -> None:
    found = validate(_problem(rooms), _plan(*steps))
    assert (found.verdict, found.failed_step) == (verdict, failed)
    assert unmet is None or found.unmet == unmet
    assert found.reason
    assert (found.cost is None) == (failed is not None)
    if steps != ("()",):
        assert Oracle(*rooms).judge(_plan(*steps)) == (verdict, failed)


def test_steps_after_the_goal_are_run_and_may_lose_it(blocks: tuple[str, str]) -> None:
    problem = _problem(blocks)
    reached = _plan("(pick-up b)", "(stack b a)")
    assert validate(problem, reached).is_valid
    assert validate(problem, [*reached, ("unstack", "b", "a")]).unmet == ("(on b a)",)
    assert validate(problem, [*reached, ("pick-up", "a")]).failed_step == 2


def test_an_empty_plan_is_valid_where_the_goal_holds(blocks: tuple[str, str]) -> None:
    domain, problem = blocks
    found = validate(_problem((domain, problem.replace("(on b a)", "(clear a)"))), [])
    assert found.is_valid
    assert found.cost == 0


def test_case_is_ignored_in_domain_problem_and_plan(blocks: tuple[str, str]) -> None:
    domain, problem = blocks
    found = validate(_problem((domain.upper(), problem)), [("PICK-UP", "B"), ("Stack", "b", "A")])
    assert found.is_valid


def test_without_a_metric_each_step_costs_one(rooms: tuple[str, str]) -> None:
    domain, problem = rooms
    plain = problem.replace("(:metric minimize (total-cost))", "")
    assert validate(_problem((domain, plain)), _plan(*ROOMS_PLAN)).cost == 5


def test_a_metric_may_calculate(rooms: tuple[str, str]) -> None:
    domain, problem = rooms
    mixed = problem.replace("(total-cost)))", "(+ (* 2 (total-cost)) (fuel r2))))")
    assert validate(_problem((domain, mixed)), _plan(*ROOMS_PLAN)).cost == Fraction(31, 2)


def test_a_fact_both_added_and_deleted_holds_after_the_step() -> None:
    texts = (
        "(define (domain d) (:predicates (p)) (:action a :effect (and (p) (not (p)))))",
        "(define (problem q) (:domain d) (:init) (:goal (p)))",
    )
    assert validate(_problem(texts), [("a",)]).is_valid
    assert Oracle(*texts).judge([("a",)]) == ("valid", None)


def test_effects_look_at_the_state_before_the_step() -> None:
    swap = (
        (
            "(define (domain d) (:predicates (p) (q)) (:functions (f) (g)) (:action swap :effect"
            " (and (when (p) (and (q) (not (p)))) (when (q) (and (p) (not (q))))"
            " (assign (f) (g)) (assign (g) (f)))))"
        ),
        (
            "(define (problem q) (:domain d) (:init (p) (= (f) 1) (= (g) 2))"
            " (:goal (and (q) (not (p)) (= (f) 2) (= (g) 1))))"
        ),
    )
    assert validate(_problem(swap), [("swap",)]).is_valid
    assert Oracle(*swap).judge([("swap",)]) == ("valid", None)


def test_a_number_without_a_value_fails_the_step_and_says_so() -> None:
    texts = (
        (
            "(define (domain d) (:functions (f) (g)) (:action a :effect (increase (f) 1))"
            " (:action b :effect (assign (f) (/ 1 (g)))))"
        ),
        "(define (problem q) (:domain d) (:init (= (g) 0)) (:goal (> (f) 0)))",
    )
    problem = _problem(texts)
    assert validate(problem, [("a",)]).unmet == ("(f) has no value",)
    assert validate(problem, [("b",)]).unmet == ("a division by zero has no value",)
    assert validate(problem, []).unmet == ("(> (f) 0)",)


def test_names_with_leading_digits_and_of_digits_alone_are_names() -> None:
    texts = (
        (
            "(define (domain 1d) (:predicates (2on ?x ?y)) (:functions (3))"
            " (:action 1jpkithdyjmlikck :parameters (?1 ?2) :effect (2on ?1 ?2)))"
        ),
        "(define (problem 0) (:domain 1d) (:objects 1 2b) (:init) (:goal (2on 1 2b)))",
    )
    assert validate(_problem(texts), [("1jpkithdyjmlikck", "1", "2b")]).is_valid


def test_an_inner_variable_may_have_the_name_of_an_outer_one() -> None:
    texts = (
        (
            "(define (domain d) (:types t) (:predicates (p ?x) (q ?x - t)) (:action a"
            " :parameters (?x) :precondition (exists (?x - t) (q ?x))"
            " :effect (and (p ?x) (forall (?x - t) (when (exists (?x) (p ?x)) (not (q ?x)))))))"
        ),
        (
            "(define (problem r) (:domain d) (:objects o - object u v - t) (:init (q u) (p v))"
            " (:goal (and (p o) (not (q u)) (not (p u)))))"
        ),
    )
    problem = _problem(texts)
    assert validate(problem, [("a", "o")]).is_valid
    assert validate(problem, [("a", "u")]).unmet == ("(not (p u))", "(p o)")
    assert Oracle(*texts).judge([("a", "o")]) == ("valid", None)


def test_constants_in_actions_are_picked_by_their_place() -> None:
    texts = (
        (
            "(define (domain d) (:constants on a) (:predicates (on ?x ?y) (off)) (:action a"
            " :parameters (?x) :precondition (on a ?x) :effect (and (on ?x on) (not (on a ?x)))))"
        ),
        (
            "(define (problem q) (:domain d) (:objects b) (:init (on a b))"
            " (:goal (and (on b on) (not (on a b)))))"
        ),
    )
    assert validate(_problem(texts), [("a", "b")]).is_valid
    assert validate(_problem(texts), [("a", "a")]).unmet == ("(on a a)",)


def test_partial_scores_of_a_plan_that_breaks_off(blocks: tuple[str, str]) -> None:
    domain, problem = blocks
    problem = problem.replace("(on b a)", "(on b a) (handempty)")
    found = score_plan(_problem((domain, problem)), _plan("(pick-up b)", "(pick-up a)"), 2)
    assert (found.executable_steps, found.length) == (1, 2)
    assert (found.goals, found.goals_met, found.goal_share) == (2, 0, 0.0)
    assert found.fault == "precondition_failed"
    assert (found.cost, found.excess) == (None, None)
    assert not found.is_valid_without_preconditions


@pytest.mark.parametrize(
    ("steps", "without_preconditions", "without_deletes"),
    [
        (("(pick-up b)", "(stack b a)"), True, True),
        (("(stack b a)",), True, False),
        (("(pick-up b)", "(pick-up a)", "(stack b a)"), True, True),
        (("(pick-up b)", "(stack b a)", "(unstack b a)"), False, True),
        (("(pick-up b)", "(stack b x)"), False, False),
    ],
)
def test_plans_may_be_right_but_for_preconditions_or_deletes(
    blocks: tuple[str, str],
    steps: tuple[str, ...],
    without_preconditions: bool,
    without_deletes: bool,
) -> None:
    found = score_plan(_problem(blocks), _plan(*steps))
    assert found.is_valid_without_preconditions == without_preconditions
    assert found.is_valid_without_deletes == without_deletes


def test_without_deletes_a_negation_that_once_held_still_holds() -> None:
    texts = (
        (
            "(define (domain d) (:predicates (p) (q))"
            " (:action add :precondition (not (q)) :effect (p))"
            " (:action use :precondition (and (not (p)) (p)) :effect (q)))"
        ),
        "(define (problem r) (:domain d) (:init) (:goal (and (q) (not (p)))))",
    )
    found = score_plan(_problem(texts), [("add",), ("use",)])
    assert found.is_valid_without_deletes
    assert not found.validation.is_valid


def test_the_excess_is_the_cost_above_the_optimum(blocks: tuple[str, str]) -> None:
    steps = _plan("(pick-up a)", "(put-down a)", "(pick-up b)", "(stack b a)")
    found = score_plan(_problem(blocks), steps, optimum=2)
    assert (found.cost, found.excess, found.goal_share, found.fault) == (4, 2, 1.0, None)
