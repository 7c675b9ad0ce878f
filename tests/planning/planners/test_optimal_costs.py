"""Optimal costs and proofs of unsolvability by two roads: our search and Fast Downward.

`MISSTEP_REFERENCE_PROBLEMS` sets how many generated problems are compared
(200 for the whole comparison).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

from misstep.planning import domains
from misstep.planning.generators import SeededChance, random_problem
from misstep.planning.model import Domain, Problem
from misstep.planning.parsing import read_domain
from misstep.planning.planners.answers import Outcome
from misstep.planning.planners.fast_downward import FastDownward
from misstep.planning.planners.problems import search_problem, solve_problems, solve_small_first
from misstep.planning.planners.solving import Solving
from misstep.planning.validation import validate
from random_problems import FEATURES, random_case

PROBLEMS = int(os.environ.get("MISSTEP_REFERENCE_PROBLEMS", "100"))
SMALL: tuple[tuple[str, Mapping[str, int]], ...] = (
    ("blocksworld", {"blocks": 3}),
    ("blocksworld", {"blocks": 4}),
    ("blocksworld", {"blocks": 4, "full_goal": 1}),
    ("logistics", {"packages": 1}),
    ("logistics", {"cities": 1, "places": 3}),
    ("ferry", {}),
    ("satellite", {}),
    ("depots", {"crates": 2}),
    ("household", {"rooms": 2, "items": 2}),
)


def domain_named(name: str) -> Domain:
    path = Path(str(domains.__path__[0]), name, "domain.pddl")
    return read_domain(path.read_text(encoding="utf-8"))


def generated(count: int) -> list[Problem]:
    read = {name: domain_named(name) for name, _ in SMALL}
    made = []
    for number in range(count):
        name, settings = SMALL[number % len(SMALL)]
        made.append(random_problem(name, read[name], SeededChance(number), settings))
    return made


def test_least_costs_are_fast_downwards(fast_downward: FastDownward) -> None:
    problems = generated(PROBLEMS)
    answers = solve_problems(problems, Solving(fast_downward))
    for number, (problem, theirs) in enumerate(zip(problems, answers, strict=True)):
        ours = search_problem(problem, informed=number % 2 == 0)
        assert (ours.outcome, ours.is_optimal) == (Outcome.SOLVED, True)
        assert (theirs.outcome, theirs.is_optimal, theirs.cost) == (Outcome.SOLVED, True, ours.cost)
        for answer in (ours, theirs):
            found = validate(problem, answer.plan or ())
            assert (found.is_valid, found.cost) == (True, ours.cost)


def test_strange_worlds_have_the_same_costs_and_proofs(fast_downward: FastDownward) -> None:
    """With quantifiers, conditional effects, costs; many without a plan."""
    chance = Random(3)
    features, blocks = read_domain(FEATURES), domain_named("blocksworld")
    problems = [
        random_case(features if number % 3 else blocks, chance).problem
        for number in range(max(36, PROBLEMS // 4))
    ]
    answers = solve_problems(problems, Solving(fast_downward))
    seen: Counter[Outcome] = Counter()
    for problem, theirs in zip(problems, answers, strict=True):
        ours = search_problem(problem, max_states=3_000)
        if ours.outcome is not Outcome.OUT_OF_NODES:
            assert (ours.outcome, ours.cost) == (theirs.outcome, theirs.cost), problem
            assert search_problem(problem, informed=False).cost == ours.cost
            seen[ours.outcome] += 1
    assert set(seen) == {Outcome.SOLVED, Outcome.UNSOLVABLE}, seen
    assert min(seen.values()) > 3, seen


def test_only_what_is_not_small_goes_to_the_planner(fast_downward: FastDownward) -> None:
    problems = generated(9)
    missing = replace(fast_downward, translate=("/nowhere",))
    ours = solve_small_first(problems, Solving(missing))
    assert all(answer.is_optimal for answer in ours)
    told: list[tuple[int, int]] = []
    mixed = solve_small_first(
        problems, Solving(fast_downward), 50, lambda done, total: told.append((done, total))
    )
    assert [answer.cost for answer in mixed] == [answer.cost for answer in ours]
    assert len({answer.planner for answer in mixed}) == 2
    assert told == [(done, 9) for done in range(1, 10)]
    left = [answer for answer in solve_small_first(problems, None, 50) if not answer.is_decided]
    assert {answer.outcome for answer in left} == {Outcome.OUT_OF_NODES}
    failed = solve_small_first(problems, Solving(missing), 50)
    assert {answer.outcome for answer in failed} == {Outcome.SOLVED, Outcome.MISSING}
