"""Words: what each arm shows, and that the README shows the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply
from misstep.families import planbench
from misstep.families.planbench.generate import generate
from misstep.families.planbench.prompts import beginnings, prompt
from misstep.families.planbench.score import score
from misstep.families.planbench.spec import SPEC, TESTS, PlanbenchPayload

Made = Callable[..., tuple[Item[PlanbenchPayload], ...]]
README = Path(planbench.__file__).parent / "README.md"


def question(item: Item[PlanbenchPayload], wording: str = "direct") -> str:
    return prompt(item, wording).split("Here is the problem to work on.\n\n")[1]


@pytest.mark.parametrize("test", TESTS)
def test_the_readme_shows_every_tests_question_as_it_is(make: Made, test: str) -> None:
    assert question(make(1, test=test)[0]) in README.read_text(encoding="utf-8")


def test_the_readme_shows_one_prompt_whole_and_how_the_others_end(make: Made) -> None:
    text = README.read_text(encoding="utf-8")
    (item,) = make(1)
    assert prompt(item, "direct") in text
    for arm in SPEC.arms:
        assert arm.name == "completion" or prompt(item, arm.prompt).splitlines()[-1] in text


def test_all_prompts_of_a_domain_begin_with_its_rules(make: Made) -> None:
    rules = {beginnings(item)[0] for item in make(5)}
    assert len(rules) == 1


def test_a_completion_prompt_asks_nothing_and_ends_where_the_answer_begins(make: Made) -> None:
    (item,) = make(1)
    words = prompt(item, "completion")
    assert words.endswith("\n[PLAN]\n")
    assert "Give a plan" not in words
    going_on = item.truth.removeprefix("[PLAN]\n")
    invented = (
        "\n\nHere is an example.\n\nThere is 1 block.\n[PLAN]\npick up the red block\n[PLAN END]"
    )
    assert score(item, Reply(going_on + invented, "stop")).outcome is Outcome.CORRECT


@pytest.mark.parametrize("test", TESTS)
def test_a_question_in_pddl_has_problems_actions_and_facts_in_pddl(make: Made, test: str) -> None:
    (item,) = make(1, test=test, wording="pddl")
    words = prompt(item, "direct")
    assert "(define (domain" in words
    assert "(define (problem" in words
    assert "the red block" not in words


def test_costs_are_told_in_words_where_they_matter(make: Made) -> None:
    (item,) = make(1, test="optimal-planning", domain="household")
    assert "minute" in beginnings(item)[0]
    assert item.truth.splitlines()[-1] == f"Total cost: {item.payload.optimum} minutes"
    assert "costs" not in beginnings(make(1, domain="household")[0])[0]


def test_no_prompt_gives_the_answer_away(make: Made) -> None:
    for item in make(10):
        body = "\n".join(item.truth.splitlines()[1:-1])
        assert body not in question(item)


def test_prompts_are_made_in_a_hundredth_of_a_second_each() -> None:
    begun = process_time()
    groups = generate(77, {})
    for _ in range(100):
        (item,) = next(groups)
        prompt(item, "direct")
    assert process_time() - begun < 2.0
