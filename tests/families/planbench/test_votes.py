"""Votes over replies that are no words of a list: those that say the same count together."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from misstep.core.arms import resolve
from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.core.thoughts import ballot
from misstep.core.wording import words
from misstep.families.planbench import FAMILY
from misstep.families.planbench.spec import END, PLAN, TESTS, PlanbenchPayload
from misstep.runner.judge import judge

Made = Callable[..., tuple[Item[PlanbenchPayload], ...]]
(VOTE,) = resolve(["self-consistency:3"], FAMILY.spec.arms)
(TREE,) = resolve(["tot:2"], FAMILY.spec.arms)
QUESTIONS = [(test, "state") for test in TESTS] + [("plan-execution", "changes")]


def voted(item: Item[PlanbenchPayload], *texts: str) -> Score:
    return judge(FAMILY, item, VOTE, [Reply(text, "stop") for text in texts])


def lines(item: Item[PlanbenchPayload]) -> list[str]:
    """Of the right reply, without its markers."""
    return [line for line in item.truth.splitlines() if not line.startswith(("[", "Total"))]


def otherwise_said(item: Item[PlanbenchPayload]) -> str:
    """The right answer in another form: steps with numbers, facts in another order or left out
    where they aren't graded."""
    body = lines(item)
    if item.payload.test == "plan-verification":
        return body[0]
    if item.payload.question == "changes":
        return "\n".join([body[0], *(_turned(line) for line in body[1:])])
    if item.payload.test == "plan-execution":
        return "\n".join(["[ANSWER]", *reversed(body), "[ANSWER END]"])
    if body == ["No plan exists."]:
        return "No plan exists."
    steps = [f"{number}. {line}" for number, line in enumerate(body, 1)]
    return "\n".join([PLAN, *steps, END])


def _turned(line: str) -> str:
    lead, _, facts = line.rstrip(".").partition(": ")
    return f"{lead}: {'; '.join(reversed(facts.split('; ')))}."


def wrong(item: Item[PlanbenchPayload]) -> str:
    body = lines(item)
    if item.payload.test == "plan-verification":
        is_valid = body == ["The plan is valid."]
        return "The plan is not valid: it misses the goal." if is_valid else "The plan is valid."
    if item.payload.question == "changes":
        return re.sub("(?<=: ).*(?=\\.)", "the hand is empty; the red block is clear", item.truth)
    if item.payload.test == "plan-execution":
        return "\n".join(["[ANSWER]", *body[1:], "[ANSWER END]"])
    return "\n".join([PLAN, body[0], END]) if len(body) > 1 else f"{PLAN}\npick up the red block"


@pytest.mark.parametrize(("test", "question"), QUESTIONS)
def test_two_that_say_the_same_beat_one_that_came_first(
    make: Made, test: str, question: str
) -> None:
    for item in make(4, test=test, question=question):
        one, other, bad = item.truth, otherwise_said(item), wrong(item)
        assert one != other
        assert FAMILY.score(item, Reply(bad, "stop")).outcome is Outcome.WRONG
        assert voted(item, bad, one, other).outcome is Outcome.CORRECT
        assert voted(item, one, bad, bad).outcome is Outcome.WRONG
        assert voted(item, "Hm.", one, bad).outcome is Outcome.CORRECT, "of equally many the first"


def test_of_plans_that_all_differ_the_first_counts(make: Made) -> None:
    (item,) = make(1)
    steps = lines(item)
    longer = "\n".join([PLAN, *steps, "pick up the red block", END])
    assert voted(item, item.truth, longer, wrong(item)).outcome is Outcome.CORRECT


def test_facts_that_no_action_changes_may_be_said_or_not(make: Made) -> None:
    """Where a package's city is never changes."""
    for item in make(3, test="plan-execution", domain="logistics"):
        said = lines(item)
        problem = item.payload.problem
        place, city = re.findall(r"\(in-city ([^\s()]+) ([^\s()]+)\)", problem)[0]
        answer = FAMILY.score(item, Reply(item.truth, "stop")).answer or ""
        assert FAMILY.essence is not None
        with_it = f"{answer} (in-city {place} {city})"
        assert FAMILY.essence(item, with_it) == FAMILY.essence(item, answer)
        assert len(FAMILY.essence(item, answer).split(") (")) <= len(said)


def test_votes_over_thoughts_see_the_problem_and_not_the_form_of_an_answer(make: Made) -> None:
    (item,) = make(1)
    said = ballot(FAMILY, item, TREE, ["The first plan.", "The second plan."])
    assert words(FAMILY, item, TREE) == FAMILY.prompt(item, "cot")
    assert said.startswith(f"{FAMILY.beginnings(item)[-1]}\nGive a plan that reaches the goal.\n\n")
    assert f"Write {PLAN}" not in said
    assert said.endswith("Please ONLY answer with its number: 1 or 2.")


def test_the_parts_that_a_template_may_name_make_up_the_prompt(make: Made) -> None:
    for item in (*make(1), *make(1, test="optimal-planning"), *make(1, test="plan-verification")):
        assert FAMILY.parts is not None
        parts = FAMILY.parts(item)
        assert list(parts) == ["domain", "examples", "problem", "task", "form"]
        prompt, at = FAMILY.prompt(item, "direct"), -1
        for text in parts.values():
            at = prompt.index(text, at + 1)
