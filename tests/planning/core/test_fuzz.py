"""Random PDDL, whole and broken. MISSTEP_FUZZ_SECONDS (3) lengthens it; the seeds stay in order."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from random import Random

import pytest

from misstep.planning import (
    Domain,
    PddlError,
    Step,
    Verdict,
    ground,
    is_goal,
    read_domain,
    read_problem,
    state_of,
    successors,
    validate,
    write_domain,
    write_problem,
)
from misstep.planning.evaluation import LARGEST_BITS
from misstep.planning.grounding import Task
from pddl_fuzz import Grammar, broken
from plan_oracle import Oracle


def _chances(share: float) -> Iterator[Random]:
    """At least 20, then more until this share of the time is used."""
    seconds = float(os.environ.get("MISSTEP_FUZZ_SECONDS", "3"))
    end = time.monotonic() + seconds * share
    seed = 0
    while seed < 20 or time.monotonic() < end:
        yield Random(seed)
        seed += 1


def _plan(oracle: Oracle, chance: Random) -> list[Step]:
    """Mostly steps that can be taken, now and then any other, or a broken one."""
    plan: list[Step] = []
    world = oracle.start()
    steps = oracle.steps() or [("none",)]
    for _ in range(chance.randint(0, 6)):
        step = chance.choice(steps)
        for candidate in chance.sample(steps, min(20, len(steps))):
            if oracle.misfit(candidate) is None and oracle.after(candidate, world):
                step = candidate
                break
        if chance.randrange(12) == 0:
            others = [(*step, "o0"), step[:-1] or step, ("none", "o0"), (*step[:-1], "zz")]
            step = chance.choice(others)
        plan.append(step)
        after = None if oracle.misfit(step) else oracle.after(step, world)
        world = after or world
    return plan


def test_random_plans_get_the_verdict_of_the_slow_simulator() -> None:
    verdicts: dict[str, int] = {}
    for chance in _chances(0.4):
        grammar = Grammar(chance)
        texts = grammar.domain(), grammar.problem()
        problem = read_problem(texts[1], read_domain(texts[0]))
        oracle = Oracle(*texts)
        for _ in range(4):
            plan = _plan(oracle, chance)
            found = validate(problem, plan)
            assert (found.verdict, found.failed_step) == oracle.judge(plan), (texts, plan)
            verdicts[found.verdict] = verdicts.get(found.verdict, 0) + 1
    assert verdicts.keys() >= {"valid", "goal_not_reached", "precondition_failed"}


def test_random_texts_are_the_same_after_writing_and_reading() -> None:
    for chance in _chances(0.1):
        grammar = Grammar(chance)
        domain = read_domain(grammar.domain())
        problem = read_problem(grammar.problem(), domain)
        assert read_domain(write_domain(domain)) == domain
        assert read_problem(write_problem(problem), domain) == problem


def test_grounded_tasks_reach_the_states_of_the_slow_simulator() -> None:
    for chance in _chances(0.2):
        grammar = Grammar(chance)
        texts = grammar.domain(), grammar.problem()
        task = ground(read_problem(texts[1], read_domain(texts[0])))
        _same_moves(task, Oracle(*texts), texts)


def _same_moves(task: Task, oracle: Oracle, texts: tuple[str, str]) -> None:
    """In the first few states, breadth first: the same steps, and the same states after them."""
    waiting = [(task.initial, oracle.start())]
    for node, world in waiting:
        assert state_of(task, node).facts == world.facts, texts
        try:
            reached = oracle.holds(oracle.goal, world)
        except (KeyError, ZeroDivisionError):
            reached = False
        assert is_goal(task, node) == reached, texts
        taken = {step: after for step in oracle.steps() if (after := oracle.after(step, world))}
        found = {one.operator.step: one.node for one in successors(task, node)}
        assert found.keys() == taken.keys(), texts
        for step, after in taken.items():
            if len(waiting) < 6:
                waiting.append((found[step], after))


def test_broken_text_is_refused_with_its_place_or_read_but_never_crashes() -> None:
    refused = 0
    for chance in _chances(0.3):
        grammar = Grammar(chance)
        domain_text, problem_text = grammar.domain(), grammar.problem()
        domain = read_domain(domain_text)
        for _ in range(5):
            refused += _is_refused(broken(domain_text, chance), None)
            refused += _is_refused(broken(problem_text, chance), domain)
    assert refused > 50


def _is_refused(text: str, domain: Domain | None) -> bool:
    error = _refusal(text, domain)
    if error is None:
        return False
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    assert error.message.startswith(f"f.pddl:{error.line}:{error.column}: ")
    assert error.message.isprintable()
    return True


def _refusal(text: str, domain: Domain | None) -> PddlError | None:
    try:
        if domain is None:
            read_domain(text, "f.pddl")
        else:
            validate(read_problem(text, domain, "f.pddl"), [])
    except PddlError as error:
        return error
    return None


def test_numbers_that_would_grow_without_end_stop_the_plan() -> None:
    domain = read_domain(
        "(define (domain d) (:predicates (done)) (:functions (f))"
        " (:action grow :parameters () :effect (scale-up (f) (f))))"
    )
    problem = read_problem(
        "(define (problem p) (:domain d) (:init (= (f) 3)) (:goal (done)))", domain
    )
    found = validate(problem, [("grow",)] * 10_000)
    assert found.verdict is Verdict.PRECONDITION_FAILED
    assert found.unmet == (f"a number needs more than {LARGEST_BITS} bits",)
    assert found.failed_step is not None
    assert found.failed_step < 20


@pytest.mark.parametrize("piece", ["(", ")", "()", "(and ", "(not ", "; x\n(", "x ", "(:types a)"])
def test_megabytes_of_anything_are_refused_at_once(piece: str) -> None:
    text = "(define (domain d) (:predicates (p)) (:action a :parameters () :precondition "
    began = time.monotonic()
    for whole in (piece * 200_000, text + piece * 200_000, text + piece * 150_000 + ")" * 150_002):
        with pytest.raises(PddlError):
            read_domain(whole)
    assert time.monotonic() - began < 30
