"""Conversations through the runner: what the history holds, every strategy, grades again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessage, ChatMessageAssistant

from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.core.records import Record
from misstep.models import store
from misstep.models.settings import Settings
from misstep.registry import family
from misstep.runner.logged.logs import log_files, read_records, reply_text
from misstep.runner.logged.regrade import regrade
from misstep.runner.paying.costs import Asked, estimate
from misstep.runner.paying.tokens import BY_RULE
from misstep.runner.providers import open_model
from misstep.runner.run import Request, carry_out, plan
from misstep.runner.task import arms_of
from pupil import PUPIL, learned

VEHICLES = family("vehicles")


@pytest.fixture(autouse=True)
def _fresh() -> None:
    PUPIL.reset()


def asked(tmp_path: Path, *arms: str, **settings: Any) -> list[Record]:  # Any: a request's fields
    options = {"mapping": "paper"} | settings.pop("options", {})
    made: dict[str, Any] = {"limit": 1, "log_dir": tmp_path} | settings  # Any: likewise
    made["options"] = options
    return list(carry_out(plan(Request(VEHICLES, "pupil/x", arms=arms, **made))).records)


def kept(messages: Sequence[ChatMessage]) -> list[str]:
    return [one.text for one in messages if isinstance(one, ChatMessageAssistant)]


def test_a_pupil_with_a_perfect_memory_needs_two_passes(tmp_path: Path) -> None:
    (record,) = asked(tmp_path, "direct")
    assert (record.outcome, record.value, record.calls) == (Outcome.CORRECT, 2.0, 20)
    assert (record.details["right_1"], record.details["right_2"]) == (5, 10)
    assert record.details["errors"] == 5
    assert record.answer_logprobs is None


def test_each_turn_holds_all_before_it_and_begins_with_the_feedback(tmp_path: Path) -> None:
    asked(tmp_path, "direct")
    assert [len(messages) for messages in PUPIL.requests] == list(range(1, 41, 2))
    assert PUPIL.requests[0][0].text.startswith("The vehicle description is as follows:\n")
    for before, now in zip(PUPIL.requests, PUPIL.requests[1:], strict=False):
        assert [one.text for one in now[: len(before)]] == [one.text for one in before]
        first = now[-1].text.split("\n\n")[0]
        assert first in ("Correct.", "Incorrect. The right class is B.")


def test_the_history_holds_answers_or_the_whole_text(tmp_path: Path) -> None:
    said = "The lake is cold.\nSo I answer {}."
    PUPIL.says = lambda messages, _: f"<think>hm</think>{said.format('A')}"
    asked(tmp_path / "a", "cot")
    assert set(kept(PUPIL.requests[-1])) == {"A"}
    assert len(kept(PUPIL.requests[-1])) == 149
    PUPIL.requests.clear()
    asked(tmp_path / "b", "cot", options={"history": "text"})
    assert set(kept(PUPIL.requests[-1])) == {said.format("A")}


def test_explanations_are_asked_for_after_each_feedback_and_kept_whole(tmp_path: Path) -> None:
    def says(messages: Sequence[ChatMessage], _: int) -> str:
        explains = "Please explain" in messages[-1].text
        return "Snow is cold, said B." if explains else learned(messages)

    PUPIL.says = says
    (record,) = asked(tmp_path, "explain")
    assert (record.value, record.calls) == (2.0, 39)
    second, third = PUPIL.requests[1][-1].text, PUPIL.requests[2][-1].text
    assert second.split("\n\n")[0] in ("Correct.", "Incorrect. The right class is B.")
    assert second.split("\n\n")[1].startswith("Please explain why this vehicle is a Class")
    assert third.startswith("The vehicle description")
    assert kept(PUPIL.requests[2])[1] == "Snow is cold, said B."


def test_the_majority_of_each_turn_is_its_answer(tmp_path: Path) -> None:
    """Of three replies one is always wrong, and the conversation goes on as if none were."""

    def says(messages: Sequence[ChatMessage], call: int) -> str:
        right = learned(messages)
        return right if call % 3 else {"A": "B", "B": "A"}[right]

    PUPIL.says = says
    (record,) = asked(tmp_path, "cot+vote3")
    assert (record.value, record.calls) == (2.0, 60)
    assert [len(messages) for messages in PUPIL.requests] == [
        length for length in range(1, 41, 2) for _ in range(3)
    ]
    seeds = [config.seed for config in PUPIL.configs]
    assert len(set(seeds)) == 60


def test_a_tree_of_thought_is_grown_at_each_turn(tmp_path: Path) -> None:
    def says(messages: Sequence[ChatMessage], call: int) -> str:
        if "Thought 2:" in messages[-1].text:
            return "2"
        right = learned(messages)
        return right if call % 4 == 2 else {"A": "B", "B": "A"}[right]

    PUPIL.says = says
    (record,) = asked(tmp_path, "tot:2")
    assert (record.value, record.calls) == (2.0, 80)


def test_an_unread_answer_is_told_so_and_its_own_outcome(tmp_path: Path) -> None:
    PUPIL.says = lambda messages, call: "Both." if call == 1 else learned(messages)
    (record,) = asked(tmp_path, "direct")
    told = PUPIL.requests[1][-1].text.split("\n\n")[0]
    assert told.startswith("Your answer was not read. The right class is ")
    assert kept(PUPIL.requests[1]) == ["(no answer)"]
    assert (record.details["unparsed"], record.details["errors"]) == (1, 5 - (told[-2] == "B"))


def test_a_model_that_refuses_throughout_has_refused(tmp_path: Path) -> None:
    PUPIL.says = lambda messages, _: ""
    PUPIL.stop_reason = "content_filter"
    (record,) = asked(tmp_path, "direct")
    assert (record.outcome, record.value) == (Outcome.REFUSED, None)
    assert (record.details["refused"], record.calls) == (150, 150)


def test_a_full_context_ends_the_conversation(tmp_path: Path) -> None:
    def says(messages: Sequence[ChatMessage], call: int) -> str:
        PUPIL.stop_reason = "model_length" if call == 14 else "stop"
        return "" if call == 14 else "A"

    PUPIL.says = says
    (record,) = asked(tmp_path, "direct")
    assert (record.outcome, record.value, record.reason) == (
        Outcome.TRUNCATED, None, "context_full",
    )  # fmt: skip
    assert (record.calls, record.details["passes"]) == (14, 1)


def test_a_second_model_reads_a_turn_and_the_conversation_goes_on_with_it(tmp_path: Path) -> None:
    def says(messages: Sequence[ChatMessage], call: int) -> str:
        if "License plate" not in messages[-1].text.split("\n\n")[-1]:
            return "A"  # the second reader
        return "The first of both, I'd say." if len(messages) == 1 else learned(messages)

    PUPIL.says = says
    (record,) = asked(tmp_path, "direct", reader="pupil/reader")
    assert (record.value, record.details["unparsed"]) == (2.0, 0)
    assert len(PUPIL.requests) == 21
    assert kept(PUPIL.requests[2]) == ["A"]


def test_a_log_keeps_each_answer_with_what_was_right(tmp_path: Path) -> None:
    asked(tmp_path, "direct")
    (file,) = log_files([tmp_path])
    (sample,) = read_eval_log(str(file)).samples or []
    turns = sample.metadata["turns"]
    assert len(turns) == 20
    assert set(turns[0]) == {
        "replies", "kept", "second", "truth", "lure", "outcome", "answer", "reason",
    }  # fmt: skip
    rights = [turn["answer"] == turn["truth"] for turn in turns]
    assert rights == [turn["outcome"] == "correct" for turn in turns]
    assert sum(rights) == 15
    assert len(sample.messages) == 40
    assert reply_text(sample).splitlines()[0] == f"[1] A (right: {turns[0]['truth']})"
    json.dumps(turns)


def strict(item: Item[Any], reply: Reply) -> Score:  # Any: any payload
    """Reads nothing of the first vehicle's plate."""
    found = VEHICLES.score(item, reply)
    return Score(Outcome.UNPARSED, None) if item.payload.answers == () else found


@pytest.mark.parametrize("arm", ["explain", "tot:2"])
def test_grading_again_changes_nothing_under_the_same_rules(tmp_path: Path, arm: str) -> None:
    asked(tmp_path, arm)
    (file,) = log_files([tmp_path])
    before = read_records([file])
    assert regrade(file, lambda name: VEHICLES, is_dry=False).changes == ()
    assert read_records([file]) == before


def test_grading_again_hears_the_conversation_anew(tmp_path: Path) -> None:
    asked(tmp_path, "direct")
    (file,) = log_files([tmp_path])
    regrade(file, lambda name: replace(VEHICLES, score=strict), is_dry=False)
    (record,) = read_records([file])
    assert (record.details["unparsed"], record.value) == (1, 2.0)

    def never(item: Item[Any], reply: Reply) -> Score:  # Any: any payload
        is_last = len(item.payload.answers) == 19
        return Score(Outcome.UNPARSED, None) if is_last else VEHICLES.score(item, reply)

    graded = regrade(file, lambda name: replace(VEHICLES, score=never), is_dry=False)
    assert len(graded.changes) == 1
    (record,) = read_records([file])
    assert (record.outcome, record.reason, record.value) == (Outcome.UNPARSED, "ended_early", None)


@pytest.mark.parametrize("arm", ["cot", "explain", "tot:2"])
def test_an_estimate_holds_what_a_conversation_then_takes(tmp_path: Path, arm: str) -> None:
    """By words: the estimate's rule is applied to what was really sent and said."""
    reasoned = "It is so for these reasons. " * 20

    def says(messages: Sequence[ChatMessage], call: int) -> str:
        last = messages[-1].text
        if "Thought 2:" in last:
            return "1"
        is_long = "step by step" in last or "Please explain" in last
        return f"{reasoned}\nANSWER: {learned(messages)}" if is_long else learned(messages)

    PUPIL.says = says
    (record,) = asked(tmp_path, arm)
    item = next(iter(VEHICLES.generate(0, {})))[0]
    (cost,) = estimate(Asked(VEHICLES, arms_of(VEHICLES, [arm]), [item], "pupil/x"), None, BY_RULE)
    assert record.calls is not None
    assert cost.calls.low <= record.calls <= cost.calls.high
    sent = [BY_RULE.tokens([one.text for one in messages]) for messages in PUPIL.requests]
    assert cost.input.low <= sum(one.high for one in sent)
    assert sum(one.low for one in sent) <= cost.input.high


@pytest.mark.model
@pytest.mark.parametrize(("told", "context"), [({}, 20_480), ({"n_ctx": 4096}, 4096)])
def test_an_embedded_model_gets_the_room_that_a_conversation_needs(
    told: dict[str, int], context: int
) -> None:
    model = open_model(f"embedded/{store.SMALL}", told, VEHICLES)
    settings = getattr(model.api, "settings", None)

    assert isinstance(settings, Settings)
    assert settings.n_ctx == context
