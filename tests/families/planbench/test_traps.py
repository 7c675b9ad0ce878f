"""Faults seen in other implementations of these tests; each of them fails here by name."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from misstep.core.errors import MisstepError
from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply
from misstep.families.planbench import solving
from misstep.families.planbench.cases import examples_of
from misstep.families.planbench.generate.events import packages_elsewhere
from misstep.families.planbench.prompts import beginnings, prompt
from misstep.families.planbench.score import score
from misstep.families.planbench.solving import Solvers
from misstep.families.planbench.spec import DOMAINS, TESTS, PlanbenchPayload
from misstep.families.planbench.texts import (
    book_of,
    domain_of,
    problem_of,
    state_after,
    steps_of,
    wording_of,
)
from misstep.planning.errors import PlanningError
from misstep.planning.model import And, Atom, Problem
from misstep.planning.states import (
    State,
    apply,
    facts_of,
    goals_missing,
    initial_state,
    states_along,
)
from misstep.planning.substitution import conjuncts
from misstep.planning.validation import validate
from misstep.planning.wording import read_action, read_fact, say_action, say_fact, say_goal

Payload = PlanbenchPayload
Made = Callable[..., tuple[Item[PlanbenchPayload], ...]]
PLANS = [test for test in TESTS if test not in ("plan-verification", "plan-execution")]
GOALS = ("goal-shuffling", "goal-full-to-partial", "goal-partial-to-full")


def asked(item: Item[Payload]) -> Problem:
    return problem_of(item.payload.domain, item.payload.problem)


# 1. One goal


@pytest.mark.parametrize("domain", ["blocksworld", "logistics", "household"])
@pytest.mark.parametrize("test", PLANS)
def test_the_goal_asked_for_is_the_goal_graded(make: Made, test: str, domain: str) -> None:
    for item in make(4, test=test, domain=domain):
        payload = item.payload
        book = book_of(payload.domain, payload.words, "english", payload.problem)
        goal = f"The goal: {say_goal(book, asked(item).goal)}."
        question = beginnings(item)[-1].split("Here is the problem to work on.")[1]
        assert goal in question
        if payload.answer != ("no_plan",):
            assert validate(asked(item), steps_of(payload.answer)).is_valid


@pytest.mark.parametrize("test", ["plan-reuse", "replanning", "goal-partial-to-full"])
def test_a_plan_for_another_goal_of_the_same_item_is_graded_on_the_stated_one(
    make: Made, test: str
) -> None:
    wrong = 0
    for item in make(8, test=test):
        easier = replace(asked(item), goal=And())
        assert validate(easier, ()).is_valid
        judged = score(item, Reply("[PLAN]\n[PLAN END]", "stop"))
        wrong += judged.outcome is Outcome.WRONG
    assert wrong == 8


# 2. Events, shuffles and prefixes that change something


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_replanning_event_leaves_the_goal_unmet_and_is_not_what_was_planned(
    make: Made, domain: str
) -> None:
    for item in make(8, test="replanning", domain=domain):
        payload = item.payload
        begun = problem_of(payload.domain, payload.before)
        states = list(states_along(begun, steps_of(payload.shown)))
        after = initial_state(asked(item))
        assert goals_missing(asked(item), after)
        assert after.facts not in [state.facts for state in states]
        assert asked(item).goal == begun.goal
        assert validate(asked(item), steps_of(payload.answer)).is_valid


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_shuffle_changes_the_order_of_the_goals(make: Made, domain: str) -> None:
    for item in make(8, test="goal-shuffling", domain=domain):
        shown = problem_of(item.payload.domain, examples_of(item.payload)[-1].problem)
        before, after = list(conjuncts(shown.goal)), list(conjuncts(asked(item).goal))
        assert before != after
        assert sorted(map(repr, before)) == sorted(map(repr, after))
        assert shown.init == asked(item).init


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_reuse_prefix_is_shorter_than_the_plan_and_not_empty(make: Made, domain: str) -> None:
    for item in make(8, test="plan-reuse", domain=domain):
        example = examples_of(item.payload)[-1]
        prefix, plan = item.payload.answer, example.answer
        assert 0 < len(prefix) < len(plan)
        assert plan[: len(prefix)] == prefix
        for shorter in range(len(prefix)):
            assert not validate(asked(item), steps_of(plan[:shorter])).is_valid


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_partial_goal_is_a_proper_part_of_the_full_one(make: Made, domain: str) -> None:
    for test, smaller in (("goal-full-to-partial", True), ("goal-partial-to-full", False)):
        for item in make(6, test=test, domain=domain):
            example = problem_of(item.payload.domain, examples_of(item.payload)[-1].problem)
            one, other = set(conjuncts(asked(item).goal)), set(conjuncts(example.goal))
            part, full = (one, other) if smaller else (other, one)
            assert part < full
            assert part
            assert goals_missing(asked(item), initial_state(asked(item)))


# 3. Events by domain


def test_the_blocksworld_event_puts_the_held_block_on_another_clear_one(make: Made) -> None:
    for item in make(12, test="replanning"):
        payload = item.payload
        begun = problem_of(payload.domain, payload.before)
        before = state_after(begun, steps_of(payload.shown[: payload.executed])).facts
        after = initial_state(asked(item)).facts
        (held,) = [fact[1] for fact in before if fact[0] == "holding"]
        ((_, upper, lower),) = [fact for fact in after - before if fact[0] == "on"]
        assert upper == held
        assert ("clear", lower) in before
        assert after - before == {("on", held, lower), ("clear", held), ("handempty",)}
        assert before - after == {("holding", held), ("clear", lower)}


def test_the_logistics_event_moves_packages_to_other_places_that_are_no_goal(
    make: Made,
) -> None:
    for item in make(12, test="replanning", domain="logistics"):
        payload = item.payload
        begun = problem_of(payload.domain, payload.before)
        before = state_after(begun, steps_of(payload.shown[: payload.executed])).facts
        after = initial_state(asked(item)).facts
        inside = {fact[1]: fact[2] for fact in before if fact[0] == "in"}
        where = {fact[1]: fact[2] for fact in before if fact[0] == "at"}
        assert inside
        assert before - after == {("in", p, v) for p, v in inside.items()}
        goals = {fact.terms for fact in conjuncts(asked(item).goal) if isinstance(fact, Atom)}
        for _, package, place in after - before:
            assert place != where[inside[package]]
            assert (package, place) not in goals


@pytest.mark.parametrize("domain", ["depots", "ferry", "household", "satellite"])
def test_other_events_lead_to_states_that_can_be_reached(make: Made, domain: str) -> None:
    for item in make(4, test="replanning", domain=domain):
        payload = item.payload
        begun = problem_of(payload.domain, payload.before)
        middle = state_after(begun, steps_of(payload.shown[: payload.executed]))
        near, seen = [middle], {middle.facts}
        for _ in range(3):
            near = [after for state in near for after in next_states(begun, state)]
            seen |= {state.facts for state in near}
        assert initial_state(asked(item)).facts in seen


def next_states(problem: Problem, state: State) -> list[State]:
    return [apply(problem, state, step) for step in Solvers("").steps_from(problem, state)]


def test_an_event_needs_something_to_happen_to(make: Made) -> None:
    item = make(1, domain="logistics")[0]
    assert packages_elsewhere(None, asked(item), initial_state(asked(item))) is None  # type: ignore[arg-type]  # no draw is made


# 4. Grading


@pytest.mark.parametrize("test", TESTS)
def test_grading_twice_gives_the_same_and_calls_no_planner(
    make: Made, test: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = make(3, test=test)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("grading asked a planner")

    for name in ("search_problem", "shortest_plan", "solve_problems", "find_fast_downward"):
        monkeypatch.setattr(solving, name, never)
    for item in items:
        first, second = (score(item, Reply(item.truth, "stop")) for _ in range(2))
        assert first == second
        assert first.outcome is Outcome.CORRECT


# 5. Planners that aren't there


def test_a_missing_planner_is_an_error_with_its_name_and_never_an_invalid_plan(
    make: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise PlanningError("Fast Downward isn't installed")

    monkeypatch.setattr(solving, "find_fast_downward", missing)
    monkeypatch.setattr(solving, "FEW_STATES", 3)
    with pytest.raises(MisstepError, match="Fast Downward isn't installed"):
        Solvers("").best_plan(asked(make(1)[0]))


# 6. Names


@pytest.mark.parametrize("disguise", ["", "+deceptive", "+random"])
@pytest.mark.parametrize("domain", DOMAINS)
def test_every_action_and_fact_survives_the_way_to_words_and_back(
    make: Made, domain: str, disguise: str
) -> None:
    for item in make(2, domain=domain + disguise):
        payload = item.payload
        for style in ("english", "pddl"):
            book = book_of(payload.domain, payload.words, style, payload.problem)
            for step in steps_of(payload.answer):
                assert read_action(book, say_action(book, step)) == step
            for atom in asked(item).init:
                assert read_fact(book, say_fact(book, atom)) == (atom, True)


def test_names_with_several_digits_survive(make: Made) -> None:
    (item,) = make(1, domain="logistics", size="18")
    assert "p17" in item.payload.problem
    assert "package 17" in prompt(item, "direct")
    assert score(item, Reply(item.truth, "stop")).outcome is Outcome.CORRECT


def test_a_disguise_leaves_no_true_name_in_the_prompt(make: Made) -> None:
    for disguise in ("+deceptive", "+random"):
        for style in ("english", "pddl"):
            (item,) = make(1, domain="logistics" + disguise, wording=style)
            words = prompt(item, "direct").lower()
            for name in ("truck", "airplane", "package", "load-truck", "logistics", "city"):
                assert name not in words


# 9. Order


def test_items_depend_on_no_hash_seed_no_folder_and_no_earlier_item(tmp_path: Path) -> None:
    code = (
        "from itertools import islice\n"
        "from misstep.families.planbench.generate import generate\n"
        "for test in ('replanning', 'unsolvable', 'plan-execution'):\n"
        "    for group in islice(generate(3, {'test': test, 'domain': 'depots+random'}), 3):\n"
        "        print(group)\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for folder, seed in ((tmp_path, "1"), (Path.cwd(), "77"))
    }
    assert len(said) == 1


def test_the_global_random_state_is_neither_used_nor_moved(make: Made) -> None:
    random.seed(5)
    state = random.getstate()
    first = make(2, seed=11, test="replanning")
    assert random.getstate() == state
    random.seed(6)
    assert make(2, seed=11, test="replanning", examples=1) == first


def test_a_state_is_told_in_the_domains_order_whatever_order_it_was_found_in(make: Made) -> None:
    (item,) = make(1, test="plan-execution")
    end = state_after(asked(item), steps_of(item.payload.shown))
    assert item.payload.answer == facts_of(end)
    assert domain_of(item.payload.domain) is domain_of(item.payload.domain)
    assert wording_of(item.payload.domain, item.payload.words).title == "Blocksworld"
