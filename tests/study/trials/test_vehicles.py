"""Vehicles with people: pass after pass, worth what the same answers are worth of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import cache
from itertools import pairwise

import pytest

from misstep.core.outcomes import Outcome, Reply, Score
from misstep.families.vehicles import FAMILY
from misstep.runner.calls.conversing import TURNS, hear_again
from misstep.study.screens import Ask, Json, Page, Screen, Write
from misstep.study.trials.nouns import Given, Timing
from misstep.study.trials.vehicles import TRIAL
from trial_walks import Walk, as_solved, late, walked
from vehicle_lists import List, lists


def as_a_model(item: List, arm: str, walk: Walk) -> Score:
    """What a log is worth in which a model gave the same answers and explanations."""
    replies = [
        Reply(str(one.answer.get("text", one.answer.get("value")) or ""))
        for one, screen in zip(walk.given, walk.screens, strict=True)
        if not isinstance(screen, Page)
    ]
    rows = [{"replies": 1, "second": None} for _ in replies]
    metadata = {TURNS: rows, "replies": [asdict(reply) for reply in replies]}
    model = next(one for one in FAMILY.spec.arms if one.name == arm)
    return hear_again(FAMILY, item, model, metadata)


def but_late(at: int) -> Callable[[Screen, Mapping[str, Json]], Mapping[str, Json]]:
    """As solved, but the question of this number is answered too late."""
    asked = iter(range(1_000))

    def answer(screen: Screen, solved: Mapping[str, Json]) -> Mapping[str, Json]:
        is_it = isinstance(screen, Ask) and next(asked) == at
        return {"value": None} if is_it else solved

    return answer


@cache
def by_rule() -> Walk:
    """All fifteen passes."""
    return walked(lists(0, 6)[0], "direct", "rule")


@pytest.mark.parametrize("arm", ["direct", "explain"])
@pytest.mark.parametrize("solver", ["memoriser-50", "rulex-50"])
def test_the_same_answers_are_worth_the_same_as_a_models(arm: str, solver: str) -> None:
    for item in lists(0, 6)[::5]:
        walk = walked(item, arm, solver)
        assert (walk.judged.score.value or 0) > 2
        assert walk.judged.score == as_a_model(item, arm, walk)


def test_a_list_that_is_never_learned_is_worth_the_same_as_a_models() -> None:
    assert by_rule().judged.score == as_a_model(lists(0, 6)[0], "direct", by_rule())


def test_a_list_learned_by_heart_is_over_after_its_first_perfect_pass() -> None:
    walk = walked(lists(0, 6)[0], "direct", "memoriser-30")
    score = walk.judged.score
    passes = score.value
    assert passes is not None
    assert passes > 2
    assert score.outcome is Outcome.CORRECT
    assert len(walk.screens) == 20 * passes
    assert score.details[f"right_{passes:.0f}"] == 10
    assert [len(line.split()) for line in walk.judged.reply.split("\n")] == [10] * int(passes)


def test_the_rule_alone_never_ends_it_and_its_errors_follow_the_lure() -> None:
    walk = by_rule()
    details = walk.judged.score.details
    assert (walk.judged.score.outcome, walk.judged.score.value) == (Outcome.WRONG, 15.0)
    assert [details[f"right_{at}"] for at in range(2, 16)] == [8] * 14
    assert len(walk.screens) == 300


def test_an_answer_that_came_too_late_is_an_empty_one_of_its_pass() -> None:
    item = lists(0, 6)[0]
    walk = walked(item, "direct", "memoriser", but_late(13))
    details = walk.judged.score.details
    assert walk.judged.score == as_a_model(item, "direct", walk)
    assert (details["empty"], details["right_2"], details["right_3"]) == (1, 9, 10)
    assert walk.judged.details["deadline_missed"] == 1
    told = walk.screens[2 * 13 + 1]
    assert isinstance(told, Page)
    payload = item.payload
    right = payload.classes[payload.shown(13)]
    assert told.body[-1].text == f"Your answer was not read. The right class is {right}."


def test_who_never_answers_has_no_value() -> None:
    judged = walked(lists(0, 6)[0], "direct", "memoriser", late).judged
    assert (judged.score.outcome, judged.score.value) == (Outcome.EMPTY, None)
    assert judged.score.reason == "no_answer_at_all"
    assert judged.details["deadline_missed"] == 150


@pytest.mark.parametrize("arm", ["direct", "explain"])
def test_feedback_follows_each_answer_and_says_what_is_right(arm: str) -> None:
    item = lists(0, 6)[0]
    walk = walked(item, arm, "rulex-50")
    pairs = list(zip(walk.screens[::2], walk.screens[1::2], walk.given[::2], strict=True))
    for number, (asked, told, given) in enumerate(pairs):
        right = item.payload.classes[item.payload.shown(number)]
        plate = item.payload.plates[item.payload.shown(number)]
        assert isinstance(asked, Ask)
        assert isinstance(told, Page | Write)
        assert told.body[0] == asked.body[0]
        assert f"License plate: {plate}\n" in asked.body[0].text
        is_right = given.answer["value"] == right
        expected = "Correct." if is_right else f"Incorrect. The right class is {right}."
        assert told.body[1].text == expected
        if isinstance(told, Write):
            assert told.label == f"Please explain why this vehicle is a Class {right} vehicle."
    assert [isinstance(told, Write) for _, told, _ in pairs[:-1]] == [arm == "explain"] * (
        len(pairs) - 1
    )
    assert isinstance(pairs[-1][1], Page)


@pytest.mark.parametrize("arm", ["direct", "explain"])
def test_a_question_is_the_same_whatever_class_is_right(arm: str) -> None:
    """Up to the answer; the feedback on it then differs."""
    item = lists(0, 6)[0]
    swapped = {"A": "B", "B": "A"}
    classes = tuple(swapped[one] for one in item.payload.classes)
    climates = tuple("warm" if one == "cold" else "cold" for one in item.payload.climates)
    payload = replace(item.payload, classes=classes, climates=climates, cold="B")
    other = replace(item, truth=swapped[item.truth], lure=item.truth, payload=payload)
    given: list[Given] = []
    for number in range(20):
        mine, its = (TRIAL.screen(one, arm, Timing(), given) for one in (item, other))
        assert (mine == its) == (number % 2 == 0)
        answer = TRIAL.solve(item, arm, given, "memoriser")
        given.append(Given("k", answer, None))


def test_the_order_is_new_in_each_round_and_all_ten_come_in_each() -> None:
    walk = by_rule()
    plates = [
        screen.body[0].text.split("\n")[0] for screen in walk.screens if isinstance(screen, Ask)
    ]
    rounds = [tuple(plates[start : start + 10]) for start in range(0, 150, 10)]
    assert {frozenset(one) for one in rounds} == {frozenset(rounds[0])}
    assert all(one != after for one, after in pairwise(rounds))


def test_practice_ends_with_a_word_on_the_whole_list() -> None:
    item = lists(0, 6)[0]
    solved = walked(item, "direct", "memoriser", as_solved).judged
    given_up = by_rule().judged
    assert TRIAL.feedback(item, solved)[0].text == "You were right about all 10 vehicles."
    assert TRIAL.feedback(item, given_up)[0].text == (
        "That was the last round; you weren’t right about all 10 in any."
    )


def test_after_the_last_screen_nothing_is_left_to_answer() -> None:
    item = lists(0, 6)[0]
    walk = walked(item, "direct", "memoriser")
    assert TRIAL.screen(item, "direct", Timing(), walk.given) is None
    with pytest.raises(ValueError, match="the trial is over"):
        TRIAL.solve(item, "direct", walk.given, "memoriser")
