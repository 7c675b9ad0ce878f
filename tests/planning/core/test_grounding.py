"""Grounded tasks: a fixed order, nothing missing, states there and back."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from misstep.planning import (
    PlanningError,
    Problem,
    apply,
    atoms_of,
    facts_of,
    goals_missing,
    ground,
    initial_state,
    is_goal,
    node_of,
    read_domain,
    read_problem,
    state_of,
    states_along,
    successors,
    validate,
)
from misstep.planning.grounding import Node
from plan_oracle import Oracle


def _problem(texts: tuple[str, str]) -> Problem:
    return read_problem(texts[1], read_domain(texts[0]))


def test_operators_and_facts_stand_in_the_order_of_the_declarations(
    blocks: tuple[str, str],
) -> None:
    task = ground(_problem(blocks))
    assert [" ".join(operator.step) for operator in task.operators] == [
        "pick-up a",
        "pick-up b",
        "put-down a",
        "put-down b",
        "stack a a",
        "stack a b",
        "stack b a",
        "stack b b",
        "unstack a a",
        "unstack a b",
        "unstack b a",
        "unstack b b",
    ]
    assert [fact[0] for fact in task.facts] == sorted(
        (fact[0] for fact in task.facts),
        key=["clear", "ontable", "handempty", "holding", "on"].index,
    )


def test_every_reachable_state_has_the_moves_of_the_slow_simulator(rooms: tuple[str, str]) -> None:
    task, oracle = ground(_problem(rooms)), Oracle(*rooms)
    waiting, seen = [(task.initial, oracle.start())], {task.initial}
    for node, world in waiting:
        assert state_of(task, node).facts == world.facts
        assert is_goal(task, node) == oracle.holds(oracle.goal, world)
        cost = world.values[("total-cost",)]
        taken = {step: after for step in oracle.steps() if (after := oracle.after(step, world))}
        found = {one.operator.step: one for one in successors(task, node)}
        assert found.keys() == taken.keys()
        for step, after in taken.items():
            assert found[step].cost == after.values[("total-cost",)] - cost
            if found[step].node not in seen:
                seen.add(found[step].node)
                waiting.append((found[step].node, after))
    assert len(seen) == 29
    assert sum(is_goal(task, node) for node in seen) > 0


def test_numbers_that_only_count_are_no_part_of_a_state(rooms: tuple[str, str]) -> None:
    task = ground(_problem(rooms))
    assert task.initial.values == ((("fuel", "r2"), 5),)
    assert task.counting.counter == "total-cost"


def test_static_facts_have_no_number_but_stand_in_the_state(rooms: tuple[str, str]) -> None:
    task = ground(_problem(rooms))
    assert ("door", "hall", "store") in task.static_facts
    assert ("door", "hall", "store") not in task.facts
    assert "(door hall store)" in facts_of(state_of(task, task.initial))


def test_a_goal_out_of_reach_is_known_before_any_search(blocks: tuple[str, str]) -> None:
    domain, problem = blocks
    assert ground(_problem(blocks)).is_in_reach
    stuck = problem.replace("(handempty)", "")
    assert not ground(_problem((domain, stuck))).is_in_reach


def test_a_static_goal_that_fails_is_never_taken_for_met(rooms: tuple[str, str]) -> None:
    domain, problem = rooms
    task = ground(_problem((domain, problem.replace("(at c1 hall)", "(door store hall)"))))
    assert not task.is_in_reach
    everything = (1 << len(task.facts)) - 1
    assert not is_goal(task, Node(everything & ~task.goal_forbids, task.initial.values))


def test_too_many_ground_actions_are_refused(blocks: tuple[str, str]) -> None:
    with pytest.raises(PlanningError, match="more than 3 ground actions"):
        ground(_problem(blocks), limit=3)


def test_choices_beyond_all_bounds_are_refused_and_not_waited_for() -> None:
    variables = " ".join(f"?v{at}" for at in range(20))
    domain = read_domain(
        f"(define (domain d) (:predicates (p ?x)) (:action a :parameters ({variables}))"
        f" (:action b :parameters ({variables}) :precondition (p ?v0)))"
    )
    objects = " ".join(f"o{at}" for at in range(50))
    text = f"(define (problem q) (:domain d) (:objects {objects}) (:init (p o1)) (:goal (forall"
    problem = read_problem(f"{text} ({variables}) (p ?v1))))", domain)
    with pytest.raises(PlanningError, match="ground actions"):
        ground(problem)
    with pytest.raises(PlanningError, match="range over more than"):
        validate(problem, [])


def test_nodes_and_states_convert_both_ways(rooms: tuple[str, str]) -> None:
    task = ground(_problem(rooms))
    for one in successors(task, task.initial):
        state = state_of(task, one.node)
        assert node_of(task, state.facts, dict(state.values)) == one.node


def test_states_along_a_plan_end_before_the_first_fault(blocks: tuple[str, str]) -> None:
    problem = _problem(blocks)
    plan = [("pick-up", "b"), ("pick-up", "a"), ("put-down", "b")]
    states = list(states_along(problem, plan))
    assert len(states) == 2
    assert facts_of(states[1]) == ("(clear a)", "(holding b)", "(ontable a)")
    assert states[1] == apply(problem, initial_state(problem), plan[0])
    with pytest.raises(PlanningError, match=r"^\(pick-up a\) can't be taken: unmet: \(handempty\)"):
        apply(problem, states[1], plan[1])


def test_a_problem_may_start_in_any_state(blocks: tuple[str, str]) -> None:
    problem = _problem(blocks)
    state = apply(problem, initial_state(problem), ("pick-up", "b"))
    changed = replace(problem, init=atoms_of(state))
    assert validate(changed, [("stack", "b", "a")]).is_valid
    assert not validate(problem, [("stack", "b", "a")]).is_valid
    assert goals_missing(problem, state) == ("(on b a)",)


_PRINT = """
import sys
from misstep.planning import *
domain, problem = sys.stdin.read().split("@")
problem = read_problem(problem, read_domain(domain))
task = ground(problem)
print(task.facts, [one.step for one in task.operators], facts_of(initial_state(problem)))
print(validate(problem, [("go", "r2", "store", "store")]), [hex(o.needs) for o in task.operators])
"""


def test_nothing_depends_on_the_hash_seed(rooms: tuple[str, str]) -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", _PRINT],
            input="@".join(rooms),
            env={"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }
    assert len(printed) == 1


def test_the_library_imports_nothing_but_itself_and_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); import misstep.planning;"
        "print(*(set(sys.modules) - before))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={}
    )
    names = {name.split(".")[0] for name in run.stdout.split()}
    assert names <= {"misstep", *sys.stdlib_module_names}
    rooms = {name.split(".")[1] for name in run.stdout.split() if name.startswith("misstep.")}
    assert rooms == {"planning"}
