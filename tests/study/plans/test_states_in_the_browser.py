"""What the browser makes of a plan is what the planning library makes of it."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from misstep.core.seeds import Chance, stream
from misstep.families.planbench.solving import Solvers
from misstep.families.planbench.texts import book_of, problem_of
from misstep.planning import (
    Atom,
    State,
    apply,
    initial_state,
    read_step,
    states_along,
    step_text,
    validate,
)
from misstep.planning.joining import fluent_predicates
from misstep.planning.model import Problem, Step
from misstep.planning.wording import Phrasebook, say_fact
from misstep.study.screens import Plan, plain
from plan_trials import PAGES, PlanItem, bundled, items, plan_screen

DOMAINS = (
    "blocksworld",
    "blocksworld+random",
    "logistics",
    "depots",
    "household",
    "ferry",
    "satellite",
)
WALKS, LONGEST = 12, 14
RUNNER = """
import { readFileSync } from "node:fs";
import { latest, reachesGoal, run } from "./states.mjs";
const tasks = JSON.parse(readFileSync(0, "utf8"));
const found = tasks.map(({ screen, walks }) => walks.map((steps) => {
  const one = run(screen, steps);
  const lacking = [...one.missing, ...one.standing].length;
  return { states: one.states.map((state) => [...state]), failed: one.failed, lacking,
           reaches: reachesGoal(screen, one), last: [...latest(one)] };
}));
console.log(JSON.stringify(found));
"""


@dataclass(frozen=True)
class Task:
    item: PlanItem
    screen: Plan
    walks: tuple[tuple[str, ...], ...]


@pytest.fixture(scope="module")
def tasks() -> tuple[Task, ...]:
    return tuple(task(item) for domain in DOMAINS for item in items(2, domain))


@pytest.fixture(scope="module")
def in_browser(tmp_path_factory: pytest.TempPathFactory, tasks: tuple[Task, ...]) -> Any:  # JSON
    folder = tmp_path_factory.mktemp("states")
    entry = PAGES / "source" / "plan" / "states.ts"
    bundled(entry, folder / "states.mjs", "--format=esm")
    (folder / "run.mjs").write_text(RUNNER, encoding="utf-8")
    told = json.dumps([{"screen": plain(one.screen), "walks": one.walks} for one in tasks])
    done = subprocess.run(
        ["node", folder / "run.mjs"], input=told, capture_output=True, check=True, timeout=60,
        encoding="utf-8",
    )  # fmt: skip
    return json.loads(done.stdout)


def task(item: PlanItem) -> Task:
    """Walks of actions that can be done, now and then with any action of the list among them; and
    plans that reach the goal."""
    screen = plan_screen(item)
    chance = stream("plans", 1, 0, item.id, str(item.factors["domain"]))
    walks = [walk(item, screen, chance) for _ in range(WALKS)]
    return Task(item, screen, (*walks, item.payload.answer, (), item.payload.answer[:-1]))


def walk(item: PlanItem, screen: Plan, chance: Chance) -> tuple[str, ...]:
    of, names = problem(item), [action.name for action in screen.actions]
    steps: list[str] = []
    state: State | None = initial_state(of)
    for _ in range(1 + chance.below(LONGEST)):
        possible = [step_text(one) for one in Solvers("").steps_from(of, state)] if state else []
        steps.append(chance.choice(names if chance.below(10) == 0 or not possible else possible))
        can = steps[-1] in possible
        state = apply(of, state, read_step(steps[-1])) if state is not None and can else None
    return tuple(steps)


def problem(item: PlanItem) -> Problem:
    return problem_of(item.payload.domain, item.payload.problem)


def steps_of(names: list[str] | tuple[str, ...]) -> list[Step]:
    return [read_step(name) for name in names]


def said(item: PlanItem, state: State) -> set[str]:
    """The facts that can change, in words."""
    payload = item.payload
    book: Phrasebook = book_of(payload.domain, payload.words, payload.wording, payload.problem)
    changing = fluent_predicates(problem(item).domain)
    return {say_fact(book, Atom(one[0], one[1:])) for one in state.facts if one[0] in changing}


def test_every_state_on_random_walks_is_the_librarys(
    tasks: tuple[Task, ...], in_browser: Any
) -> None:
    compared = 0
    for one, found in zip(tasks, in_browser, strict=True):
        for names, run in zip(one.walks, found, strict=True):
            expected = [said(one.item, state) for state in _along(one, names)]
            facts = one.screen.facts
            assert [{facts[at] for at in state} for state in run["states"]] == expected
            assert run["last"] == run["states"][-1]
            compared += len(expected)
    assert compared > 1000


def _along(one: Task, names: tuple[str, ...]) -> list[State]:
    return list(states_along(problem(one.item), steps_of(names)))


def test_the_step_that_cant_be_done_and_the_goal_are_the_validators(
    tasks: tuple[Task, ...], in_browser: Any
) -> None:
    failed = valid = 0
    for one, found in zip(tasks, in_browser, strict=True):
        for names, run in zip(one.walks, found, strict=True):
            checked = validate(problem(one.item), steps_of(names))
            assert run["failed"] == checked.failed_step
            assert run["reaches"] == checked.is_valid
            if checked.failed_step is not None:
                assert run["lacking"] == len(checked.unmet)
            failed += checked.failed_step is not None
            valid += checked.is_valid
    assert failed > 20
    assert valid >= len(tasks)


def test_all_that_can_be_done_in_a_state_is_on_the_list(tasks: tuple[Task, ...]) -> None:
    for one in tasks:
        listed = {action.name for action in one.screen.actions}
        for state in _along(one, one.walks[0]):
            steps = Solvers("").steps_from(problem(one.item), state)
            assert {step_text(step) for step in steps} <= listed


def test_no_block_is_ever_offered_to_be_put_on_itself(tasks: tuple[Task, ...]) -> None:
    for one in tasks[:2]:
        pairs = [action.name.strip("()").split()[1:] for action in one.screen.actions]
        assert all(len(set(pair)) == len(pair) for pair in pairs)


def test_search_finds_by_the_beginnings_of_words_in_any_order(tmp_path: Path) -> None:
    bundled(PAGES / "source" / "plan" / "search.ts", tmp_path / "search.mjs", "--format=esm")
    screen = plan_screen(items(1)[0])
    queries = ["unst bl", "blue unstack", "", "   ", "RED pick", "nothing", "stack", "tack"]
    code = (
        'import { fitting } from "./search.mjs";'
        f"const actions = {json.dumps(plain(screen)['actions'])};"
        f"const found = {json.dumps(queries)}.map((typed) => fitting(actions, typed));"
        "console.log(JSON.stringify(found.map((some) => some.map((one) => one.label))));"
    )
    (tmp_path / "run.mjs").write_text(code, encoding="utf-8")
    done = subprocess.run(
        ["node", tmp_path / "run.mjs"], capture_output=True, check=True, timeout=60
    )
    found = dict(zip(queries, json.loads(done.stdout), strict=True))
    labels = [action.label for action in screen.actions]
    # "unst bl" fits what unstacks any block: each label has the word "block".
    assert found["unst bl"] == [one for one in labels if one.startswith("unstack")]
    assert set(found["blue unstack"]) == {
        one for one in labels if one.startswith("unstack") and "blue" in one
    }
    assert found[""] == found["   "] == labels
    assert found["RED pick"] == ["pick up the red block"]
    assert found["nothing"] == found["tack"] == []
    assert found["stack"] == [one for one in labels if one.startswith("stack")]
