"""Arms about thinking: what goes out, what it forces, and what comes back in the records."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from inspect_ai.model import ModelOutput

import thinkers
from misstep.analyse import compare
from misstep.analyse.claims import check
from misstep.core.errors import BadInput, MisstepError
from misstep.core.records import Record
from misstep.runner.calls.thinking import ROOM
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.preflight import ask_first
from misstep.runner.run import Request, Run, carry_out, plan

Make = Callable[..., Request]


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    thinkers.CALLS.clear()


def run(request: Request) -> Run:
    return carry_out(plan(request))


def by_arm(done: Run) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for record in done.records:
        found.setdefault(record.arm, []).append(record)
    return found


def test_levels_and_budgets_go_out_by_the_runners_settings_call_by_call(request_for: Make) -> None:
    run(request_for("think:none", "think:high", "think:4096", model="honest/x"))
    sent = [(one.reasoning_effort, one.reasoning_tokens) for one in thinkers.CALLS]
    assert sent.count(("none", None)) == sent.count(("high", None)) == 6
    assert sent.count((None, 4096)) == 6


def test_the_token_limit_has_room_for_thinking(request_for: Make) -> None:
    done = run(
        request_for(
            "direct", "think:none", "think:low", "think:500", model="honest/x", max_tokens=70
        )
    )
    caps = {arm: {one.max_tokens for one in own} for arm, own in by_arm(done).items()}
    assert caps == {
        "direct": {70},
        "think:none": {70},
        "think:low": {70 + ROOM["low"]},
        "think:500": {570},
    }
    assert {one.max_tokens for one in thinkers.CALLS} == {70, 70 + ROOM["low"], 570}


def test_a_limit_that_the_provider_has_itself_is_raised_too(request_for: Make) -> None:
    class Limited(thinkers.Honest):
        def max_tokens(self) -> int:
            return 800

    made = plan(request_for("think:none", "think:1000", model="honest/x"))
    made.model.api.max_tokens = Limited.max_tokens.__get__(made.model.api)  # type: ignore[method-assign]  # another provider's own limit
    done = carry_out(made)
    assert {one.max_tokens for one in by_arm(done)["think:none"]} == {800}
    assert {one.max_tokens for one in by_arm(done)["think:1000"]} == {1800}


def test_records_say_what_was_asked_and_what_took_effect(request_for: Make) -> None:
    done = run(request_for("think:none", "think:low", model="forces_temperature/x"))
    least, more = by_arm(done)["think:none"][0], by_arm(done)["think:low"][0]
    assert (least.thinking, least.reasoning_tokens, least.temperature) == ("none", 0, 0.0)
    assert (more.thinking, more.reasoning_tokens, more.temperature) == ("low", 300, 1.0)
    assert (more.asked_temperature, more.calls, more.visible_bytes) == (0.0, 1, 3)
    assert json.loads(more.thinking_sent or "") == {"reasoning_effort": "low"}
    again = read_records(log_files([done.folder]))
    assert set(map(str, again)) == set(map(str, done.records))


def test_the_same_run_again_asks_nothing_and_knows_what_took_effect(request_for: Make) -> None:
    first = run(request_for("think:low", model="forces_temperature/x"))
    thinkers.CALLS.clear()
    second = run(request_for("think:low", model="forces_temperature/x"))
    assert thinkers.CALLS == []
    assert set(map(str, second.records)) == set(map(str, first.records))


def test_votes_compose_with_thinking(request_for: Make) -> None:
    done = run(request_for("think:low+vote3", model="honest/x"))
    assert len(thinkers.CALLS) == 18
    assert {one.reasoning_effort for one in thinkers.CALLS} == {"low"}
    assert {(one.calls, one.reasoning_tokens) for one in done.records} == {(3, 900)}
    assert {(one.asked_temperature, one.temperature) for one in done.records} == {(0.7, 0.7)}


@pytest.mark.parametrize(
    "arms", [("think:none", "think:high"), ("think:high", "think:none"), ("think:100", "direct")]
)
def test_the_first_arm_is_the_baseline_even_if_it_thinks(
    request_for: Make, arms: tuple[str, str]
) -> None:
    done = run(request_for(*arms, model="honest/x"))
    (one,) = compare(done.records, {"parity": request_for().family.spec})
    assert (one.baseline, one.arm) == arms


def test_thinking_that_can_be_read_is_counted_and_kept_out_of_the_text(request_for: Make) -> None:
    done = run(request_for("think:none", "think:low", model="aloud/x"))
    silent, aloud = by_arm(done)["think:none"][0], by_arm(done)["think:low"][0]
    assert (silent.thinking_chars, silent.visible_bytes) == (0, 3)
    assert aloud.visible_bytes == 3
    assert (aloud.thinking_chars or 0) >= 600
    assert aloud.answer == "Yes"


@pytest.mark.parametrize(
    ("arm", "model", "words"),
    [
        pytest.param(
            "think:low", "embedded/smollm2-135m", "can't be told to", marks=pytest.mark.model
        ),
        ("think:low", "ref/yes", "can't be told to think"),
        ("think:4096", "openai/o3", "takes no number of thinking tokens, only think:low or"),
        ("think:none", "openai/o3", "always thinks"),
        ("think:low", "openai/gpt-4o", "can't be told to think"),
        (
            "think:medium",
            "deepseek/deepseek-chat",
            "can't be told so, only think:low or think:high",
        ),
        ("think:none", "ollama/x", "can't be told not to think"),
        ("think:none", "together/x", "can't be told not to think"),
        ("think:100", "vllm/x", "takes no number of thinking tokens"),
        ("think:none", "bedrock/anthropic.claude-opus-4-7-v1:0", "can't be told not to think"),
        ("think:9000", "bedrock/anthropic.claude-opus-4-7-v1:0", "takes no number of thinking"),
        ("think:500", "bedrock/anthropic.claude-3-7-sonnet-20250219-v1:0", "from 1024 tokens up"),
        ("think:low", "bedrock/meta.llama3-1-8b-instruct-v1:0", "can't be told to think"),
    ],
)
def test_what_a_provider_cannot_be_told_is_refused_in_one_line(
    request_for: Make, monkeypatch: pytest.MonkeyPatch, arm: str, model: str, words: str
) -> None:
    pytest.importorskip("openai")
    pytest.importorskip("aiobotocore" if model.startswith("bedrock") else "openai")
    for key in ("OPENAI", "DEEPSEEK", "TOGETHER"):
        monkeypatch.setenv(f"{key}_API_KEY", "none")
    with thinkers.recording_server() as (address, bodies):
        args = (
            {} if model.split("/")[0] in ("embedded", "ref", "bedrock") else {"base_url": address}
        )
        request = request_for("direct", arm, model=model, model_args=args)
        with pytest.raises(BadInput) as refusal:
            plan(request)
    assert str(refusal.value).startswith(f"--arms: {arm}: {model} ")
    assert words in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert (bodies, request.log_dir.exists()) == ([], False)


def test_thinking_none_is_honest_of_a_model_that_never_thinks(request_for: Make) -> None:
    done = run(request_for("think:none", model="ref/yes"))
    assert check(done.records).findings == ()


def test_requests_of_two_thinking_arms_are_equal_but_for_the_thinking(request_for: Make) -> None:
    pytest.importorskip("openai")
    with thinkers.recording_server() as (address, bodies):
        args = {"base_url": address, "api_key": "none"}
        run(request_for("think:none", "think:high", model="openai-api/stub/x", model_args=args))
    least, most = (
        sorted(body for body in bodies if f'"reasoning_effort":"{level}"'.encode() in body)
        for level in ("none", "high")
    )
    assert len(least) == len(most) == 6
    told = b'"reasoning_effort":"none"', b'"reasoning_effort":"high"'
    assert [body.replace(told[1], told[0]) for body in most] == least


def test_a_given_token_limit_is_what_thinking_forces_beside_its_own_field(
    request_for: Make,
) -> None:
    pytest.importorskip("openai")
    with thinkers.recording_server() as (address, bodies):
        args = {"base_url": address, "api_key": "none"}
        request = request_for(
            "think:none", "think:low", model="openai-api/stub/x", model_args=args, max_tokens=50
        )
        done = run(request)
    requests = [json.loads(body) for body in bodies]
    first = [one for one in requests if one["messages"] == requests[0]["messages"]]
    fields = {name for name in first[0] if first[0][name] != first[1].get(name)}
    assert fields == {"reasoning_effort", "max_tokens"}
    assert {one.max_tokens for one in by_arm(done)["think:low"]} == {50 + ROOM["low"]}


def test_first_questions_are_the_runs_own_and_are_not_asked_twice(request_for: Make) -> None:
    pytest.importorskip("openai")
    with thinkers.recording_server() as (address, bodies):
        args = {"base_url": address, "api_key": "none"}
        request = request_for("think:none", "think:low", model="openai-api/stub/x", model_args=args)
        first = ask_first(plan(request))
        assert len(bodies) == 6
        assert [one.arm for one in first.records] == ["think:none"] * 3 + ["think:low"] * 3
        assert list(first.plan.folder.glob("*.eval")) == []
        done = carry_out(first.plan)
    assert len(bodies) == len(set(bodies)) == 12
    assert (done.manifest.asked, done.manifest.asked_again, len(done.records)) == (12, 0, 12)
    assert len(list(done.folder.glob("*.eval"))) == 1
    # Which arm was asked first is a fact of the whole log.
    asked = {str(replace(record, first_arm="think:none")) for record in first.records}
    assert asked <= set(map(str, done.records))


def test_a_server_that_fails_at_the_first_question_is_one_line_and_loses_nothing(
    request_for: Make,
) -> None:
    async def falls_ill(*_args: object, **_settings: object) -> ModelOutput:
        raise RuntimeError("no such model\nin this region")

    carry_out(plan(request_for("think:none", model="honest/x")))
    made = plan(request_for("think:none", "think:low", model="honest/x"))
    well = made.model.api.generate
    made.model.api.generate = falls_ill  # type: ignore[method-assign]  # a server that is gone
    with pytest.raises(MisstepError, match=r"--model: honest/x: .*no such model") as failure:
        ask_first(made)
    assert "\n" not in str(failure.value)
    made.model.api.generate = well  # type: ignore[method-assign]  # the server is back
    thinkers.CALLS.clear()
    done = carry_out(ask_first(made).plan)
    assert len(done.records) == 12
    assert {one.reasoning_effort for one in thinkers.CALLS} == {"low"}
    assert len(thinkers.CALLS) == 6


@pytest.mark.parametrize(
    ("model", "arm", "sent"),
    [
        ("openai-api/stub/x", "think:none", {"reasoning_effort": "none"}),
        ("vllm/x", "think:high", {"reasoning_effort": "high"}),
        ("deepseek/deepseek-chat", "think:none", {"thinking": {"type": "disabled"}}),
        ("deepseek/deepseek-chat", "think:low", {"reasoning_effort": "low"}),
        ("ollama/x", "think:medium", {"reasoning": {"effort": "medium"}}),
        ("together/x", "think:high", {"reasoning_effort": "high"}),
        ("openrouter/a/b", "think:none", {"reasoning": {"effort": "none"}}),
        ("openrouter/a/b", "think:4096", {"reasoning": {"max_tokens": 4096}}),
        ("moonshot/kimi-k2-thinking", "think:low", {"reasoning_effort": "low"}),
        ("ollama/x", "direct", {}),
    ],
)
def test_what_a_provider_of_the_runner_really_sends_stands_in_the_record(
    request_for: Make, model: str, arm: str, sent: dict[str, object]
) -> None:
    pytest.importorskip("openai")
    with thinkers.recording_server() as (address, bodies):
        args = {"base_url": address, "api_key": "none"}
        done = run(request_for(arm, model=model, model_args=args, limit=4, max_tokens=50))
    body = json.loads(bodies[0])
    record = done.records[0]
    assert json.loads(record.thinking_sent or "") == sent
    assert {name: body[name] for name in sent} == sent
    assert record.max_tokens == body["max_tokens"]
    assert record.temperature == body.get("temperature")
