"""Votes and trees: which answer counts, against the binomial law and against brute force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import comb, factorial, prod

import pytest

from misstep.core.arms import resolve
from misstep.core.family import select
from misstep.core.outcomes import Outcome, Reply
from misstep.runner.judge import best_thought, judge, majority
from misstep.runner.run import Request, carry_out, plan
from oracle import FAMILY
from sampler import MODEL, SAMPLER

Make = Callable[..., Request]
EVEN = next(iter(select(FAMILY, "paper", None, 0, {})))
"""An item whose right answer is Yes."""


def chance_of_right(arm: str, shares: dict[str, float]) -> float:
    """How likely the arm is right, over all sequences of replies drawn by these shares."""
    (asked,) = resolve([arm], FAMILY.spec.arms)
    right = 0.0
    for replies in product(shares, repeat=asked.draws):
        score = judge(FAMILY, EVEN, asked, [Reply(text, "stop") for text in replies])
        if score.outcome is Outcome.CORRECT:
            right += prod(shares[text] for text in replies)
    return right


@pytest.mark.parametrize("draws", [2, 3, 4, 5, 8, 9])
@pytest.mark.parametrize("accuracy", [0.2, 0.5, 0.7])
def test_the_majority_of_k_replies_is_right_as_the_binomial_law_says(
    draws: int, accuracy: float
) -> None:
    exact = sum(
        comb(draws, right) * accuracy**right * (1 - accuracy) ** (draws - right) * (share)
        for right in range(draws + 1)
        if (share := 1.0 if 2 * right > draws else 0.5 if 2 * right == draws else 0.0)
    )
    found = chance_of_right(f"self-consistency:{draws}", {"Yes": accuracy, "No": 1 - accuracy})
    assert found == pytest.approx(exact, abs=1e-12)


def test_replies_that_answer_nothing_have_no_vote() -> None:
    yes, no, unread, draws = 0.5, 0.3, 0.2, 5
    exact = 0.0
    for a, b in product(range(draws + 1), repeat=2):
        if a + b <= draws and a >= b and a:
            ways = factorial(draws) / (factorial(a) * factorial(b) * factorial(draws - a - b))
            weight = ways * yes**a * no**b * unread ** (draws - a - b)
            exact += weight * (0.5 if a == b else 1.0)
    found = chance_of_right("cot+vote5", {"Yes": yes, "No": no, "Hm.": unread})
    assert found == pytest.approx(exact, abs=1e-12)


def test_where_no_reply_answers_the_outcome_is_the_first_replys() -> None:
    (arm,) = resolve(["self-consistency:3"], FAMILY.spec.arms)
    score = judge(FAMILY, EVEN, arm, [Reply("", "stop"), Reply("Hm."), Reply("Hm.")])
    assert (score.outcome, score.value, score.answer) == (Outcome.EMPTY, None, None)


def test_answers_with_one_essence_are_counted_together_and_the_first_of_them_stands() -> None:
    (arm,) = resolve(["cot+vote5"], FAMILY.spec.arms)
    scores = [
        replace(judge(FAMILY, EVEN, arm, [Reply("Yes")]), answer=answer)
        for answer in ("c", "a b", "c", "b a", "a b")
    ]
    assert majority(scores).answer == "c"
    assert majority(scores, lambda answer: " ".join(sorted(answer.split()))).answer == "a b"


@pytest.mark.parametrize("thoughts", [2, 3, 4])
def test_the_best_thought_is_the_one_that_counting_by_hand_finds(thoughts: int) -> None:
    said = [*(str(number) for number in range(1, thoughts + 1)), "none of them"]
    (arm,) = resolve([f"tot:{thoughts}"], FAMILY.spec.arms)
    answers = ["No", "Yes", "Yes", "No"][:thoughts]
    for ballots in product(said, repeat=thoughts):
        counts = [ballots.count(str(number)) for number in range(1, thoughts + 1)]
        wanted = counts.index(max(counts)) if any(counts) else None
        replies = [Reply(text, "stop") for text in ballots]
        assert best_thought(thoughts, replies) == wanted
        score = judge(FAMILY, EVEN, arm, [*(Reply(answer) for answer in answers), *replies])
        assert score.answer == (None if wanted is None else answers[wanted])
        if wanted is None:
            assert (score.outcome, score.reason) == (Outcome.UNPARSED, "no_vote")


@pytest.mark.parametrize("text", ["7", "Thought 7", "**Thought 7.**", "Thought #7", "No. 7"])
@pytest.mark.parametrize("thoughts", [7, 12, 20])
def test_a_vote_may_name_its_thought(text: str, thoughts: int) -> None:
    assert best_thought(thoughts, [Reply(text, "stop")]) == 6
    assert best_thought(5, [Reply(text, "stop")]) is None


def by_hand(item: str, truth: str, arm: str, draws: int) -> str:
    right = sum(SAMPLER.is_right(item, arm, 0, call) for call in range(draws))
    other = "No" if truth == "Yes" else "Yes"
    return truth if 2 * right > draws else other


def test_self_consistency_through_the_runner_is_the_majority_of_its_draws(
    request_for: Make,
) -> None:
    SAMPLER.reset(0.6)
    arm = "self-consistency:3"
    done = carry_out(plan(request_for(arm, model=MODEL, scale="paper", limit=40)))
    assert len(SAMPLER.asked) == 120
    found = [record.answer for record in done.records]
    assert found == [by_hand(one.item, str(one.truth), arm, 3) for one in done.records]
    assert {record.value for record in done.records} == {0.0, 1.0}
    assert {(record.calls, record.temperature) for record in done.records} == {(3, 0.7)}


def test_a_tree_through_the_runner_is_the_thought_that_its_votes_choose(request_for: Make) -> None:
    SAMPLER.reset(0.5)
    family = replace(FAMILY, thought=None, ballot=None)
    request = request_for("tot:3", model=MODEL, family=family, scale="paper", limit=16)
    done = carry_out(plan(request))
    asked = [messages[-1].text for place, messages in SAMPLER.asked if place.call == 3]
    assert all(text.startswith("Is ") and "Thought 3:\n" in text for text in asked)
    for record in done.records:
        votes = [SAMPLER.vote(record.item, "tot:3", 0, call, 3) for call in (3, 4, 5)]
        best = min(votes, key=lambda one: (-votes.count(one), one))
        is_right = SAMPLER.is_right(record.item, "tot:3", 0, best - 1)
        assert (record.answer == record.truth) is is_right
        assert record.calls == 6


def test_a_tree_and_votes_may_be_told_how_to_think(request_for: Make) -> None:
    (vote,) = resolve(["think:low+vote3"], FAMILY.spec.arms)
    assert (vote.thinking, vote.draws, vote.prompt) == ("low", 3, "direct")
    SAMPLER.reset()
    done = carry_out(plan(request_for("think:low+vote3", model=MODEL, limit=6)))
    assert {(one.thinking, one.calls) for one in done.records} == {("low", 3)}
