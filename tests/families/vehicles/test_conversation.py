"""The conversation: when it is over, what it keeps, and its score, on replies made up by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from misstep.core.conversation import Heard, Turn
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.families.vehicles import FAMILY
from misstep.families.vehicles.conversation import CONVERSATION
from misstep.families.vehicles.spec import VehiclesPayload
from vehicle_lists import List, lists

Says = Callable[[int, Turn[VehiclesPayload]], Reply]


def other(name: str) -> str:
    return "B" if name == "A" else "A"


def played(item: List, says: Says, wording: str = "direct") -> list[Heard[VehiclesPayload]]:
    def hear(number: int, turn: Turn[VehiclesPayload]) -> Heard[VehiclesPayload]:
        reply = says(number, turn)
        return Heard(turn, reply, FAMILY.score(turn.item, reply) if turn.is_answer else None)

    return CONVERSATION.play(item, wording, hear)


def scored(says: Says, wording: str = "direct") -> tuple[Score, int]:
    item = lists(0)[0]
    heard = played(item, says, wording)
    return CONVERSATION.score(item, heard), len(heard)


def right(number: int, turn: Turn[VehiclesPayload]) -> Reply:
    return Reply(turn.item.truth)


def rule(number: int, turn: Turn[VehiclesPayload]) -> Reply:
    return Reply(turn.item.lure or "")


def test_a_perfect_pass_ends_it() -> None:
    score, turns = scored(right)
    assert (score.outcome, score.value, turns) == (Outcome.CORRECT, 1.0, 10)
    assert (score.details["solved"], score.details["right_1"]) == (True, 10)


def test_the_rule_alone_never_ends_it_and_all_its_errors_follow_the_lure() -> None:
    score, turns = scored(rule)
    assert (score.outcome, score.value, turns) == (Outcome.WRONG, 15.0, 150)
    assert [score.details[f"right_{at}"] for at in range(1, 16)] == [8] * 15
    assert (score.details["errors"], score.details["lure_errors"]) == (30, 30)
    assert (score.details["solved"], score.details["passes"]) == (False, 15)


def test_the_rule_turned_round_errs_against_the_lure() -> None:
    score, _ = scored(lambda number, turn: Reply(other(turn.item.lure or "")))
    assert (score.details["errors"], score.details["lure_errors"]) == (120, 0)


def test_a_perfect_last_pass_is_solved_at_fifteen() -> None:
    score, turns = scored(lambda number, turn: (right if number >= 140 else rule)(number, turn))
    assert (score.outcome, score.value, turns) == (Outcome.CORRECT, 15.0, 150)


def test_ten_right_answers_across_two_passes_are_no_perfect_pass() -> None:
    def says(number: int, turn: Turn[VehiclesPayload]) -> Reply:
        return Reply(other(turn.item.truth)) if number in (4, 15) else Reply(turn.item.truth)

    score, turns = scored(says)
    assert (score.value, turns) == (3.0, 30)


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        (Reply("", "stop"), Outcome.EMPTY),
        (Reply("Both of them.", "stop"), Outcome.UNPARSED),
        (Reply("Let me see", "max_tokens"), Outcome.TRUNCATED),
        (Reply("", "content_filter"), Outcome.REFUSED),
    ],
)
def test_each_answer_is_its_own_and_none_at_all_is_no_wrong_one(
    reply: Reply, outcome: Outcome
) -> None:
    score, turns = scored(lambda number, turn: reply)
    assert (score.outcome, score.value, turns) == (outcome, None, 150)
    assert score.details[outcome.value] == 150
    once, _ = scored(lambda number, turn: reply if number == 3 else Reply(turn.item.truth))
    assert (once.outcome, once.value) == (Outcome.CORRECT, 2.0)
    assert (once.details[outcome.value], once.details["errors"]) == (1, 0)
    assert once.details["right_1"] == 9


def test_a_question_that_no_longer_fits_ends_it() -> None:
    def says(number: int, turn: Turn[VehiclesPayload]) -> Reply:
        return Reply("", "model_length") if number == 24 else rule(number, turn)

    score, turns = scored(says)
    assert (score.outcome, score.value, turns) == (Outcome.TRUNCATED, None, 25)
    assert (score.reason, score.details["passes"]) == ("context_full", 2)


def test_an_answer_cut_by_the_end_of_the_context_does_not_end_it() -> None:
    score, turns = scored(
        lambda number, turn: Reply("Hmm, let me", "model_length") if number == 1 else right(0, turn)
    )
    assert (score.value, turns, score.details["truncated"]) == (2.0, 20, 1)


def test_explanations_come_between_answers_and_are_not_scored() -> None:
    heard = played(lists(0)[0], lambda number, turn: Reply(turn.item.truth), "explain")
    assert [one.turn.is_answer for one in heard] == [True, False] * 9 + [True]
    assert all(one.score is None for one in heard[1::2])
    assert all(one.turn.opening == "Correct." for one in heard[1::2])
    assert all(one.turn.opening == "" for one in heard[::2])


def test_a_conversation_that_lacks_its_end_has_no_value() -> None:
    item = lists(0)[0]
    heard = played(item, rule)[:37]
    score = CONVERSATION.score(item, heard)
    assert (score.outcome, score.value, score.reason) == (Outcome.UNPARSED, None, "ended_early")
    assert (score.details["passes"], "right_4" in score.details) == (3, False)


def test_each_turn_has_its_own_truth_and_lure() -> None:
    item = lists(0)[0]
    heard = played(item, rule)
    for number, one in enumerate(heard):
        vehicle = item.payload.orders[number // 10][number % 10]
        assert one.turn.item.truth == item.payload.classes[vehicle]
        assert one.turn.item.lure == item.payload.pointed(vehicle)
        assert one.turn.item.id == item.id


@pytest.mark.parametrize(
    ("text", "in_answers", "in_text"),
    [
        ("I think it is cold. ANSWER: B", "B", "I think it is cold. ANSWER: B"),
        ("<think>cold</think> B", "B", "B"),
        ("No idea.", "(no answer)", "No idea."),
        ("", "(no answer)", "(no answer)"),
    ],
)
def test_what_the_history_keeps_of_a_reply(text: str, in_answers: str, in_text: str) -> None:
    for history, expected in (("answers", in_answers), ("text", in_text)):
        item = lists(0, 1, history=history)[0]
        reply = Reply(text)
        heard = Heard(Turn(item), reply, FAMILY.score(item, reply))
        assert CONVERSATION.keep(heard) == expected
