"""The reference solvers score what they should."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply
from misstep.families.planbench.score import score
from misstep.families.planbench.solvers import SOLVERS
from misstep.families.planbench.spec import DISGUISES, DOMAINS, TESTS, PlanbenchPayload

Made = Callable[..., tuple[Item[PlanbenchPayload], ...]]
GOALS = ("goal-shuffling", "goal-full-to-partial", "goal-partial-to-full")


def share(items: tuple[Item[PlanbenchPayload], ...], solver: str) -> float:
    outcomes = [score(item, Reply(SOLVERS[solver](item).answer)).outcome for item in items]
    return outcomes.count(Outcome.CORRECT) / len(outcomes)


@pytest.mark.parametrize("wording", ["english", "pddl"])
@pytest.mark.parametrize("domain", [*DOMAINS, *(f"{name}+random" for name in DOMAINS)])
@pytest.mark.parametrize("test", TESTS)
def test_the_planner_is_right_in_every_test_domain_and_wording(
    make: Made, test: str, domain: str, wording: str
) -> None:
    assert share(make(2, test=test, domain=domain, wording=wording), "planner") == 1.0


@pytest.mark.parametrize("test", TESTS)
def test_the_planner_is_right_at_quick_scale(make: Made, test: str) -> None:
    assert share(make(20, test=test), "planner") == 1.0


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_planner_is_right_in_deceptive_words(make: Made, domain: str) -> None:
    for style in DISGUISES:
        items = make(3, test="replanning", domain=f"{domain}+{style}")
        assert share(items, "planner") == 1.0


def test_whether_an_action_can_be_done_and_what_it_changes_is_known_to_the_planner(
    make: Made,
) -> None:
    for domain in DOMAINS:
        items = make(6, test="plan-execution", question="changes", domain=domain)
        assert share(items, "planner") == 1.0


@pytest.mark.parametrize("test", GOALS)
def test_copying_the_example_answers_the_goal_tests_and_no_others(make: Made, test: str) -> None:
    assert share(make(20, test=test), "copy-example") == 1.0
    assert share(make(20, test="plan-generation"), "copy-example") < 0.3
    assert share(make(20, test="replanning"), "copy-example") < 0.5


def test_copying_without_an_example_is_no_answer(make: Made) -> None:
    (item,) = make(1, examples=0)
    assert score(item, Reply(SOLVERS["copy-example"](item).answer)).outcome is Outcome.EMPTY


def test_a_random_walk_is_readable_and_seldom_right(make: Made) -> None:
    items = make(20)
    for item in items:
        answer = SOLVERS["random-walk"](item)
        assert answer == SOLVERS["random-walk"](item)
        judged = score(item, Reply(answer.answer))
        assert judged.outcome.is_answered
        assert judged.details["fault"] in (None, "goal_not_reached")
    assert share(items, "random-walk") < 0.3
