"""The arms around a task: what differs between two arms' requests, and what may not."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.agent import react
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, accuracy, includes, match, scorer
from inspect_ai.solver import (
    Generate,
    Plan,
    Solver,
    TaskState,
    generate,
    multiple_choice,
    solver,
    system_message,
    use_tools,
)
from inspect_ai.tool import Tool, tool

from misstep.core.arms_file import Definition
from misstep.core.errors import BadInput, MisstepError
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.runner.calls.thinking import ROOM
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.own import around
from misstep.runner.own.planning import Asking, plan
from misstep.runner.own.wrapping import MOST_MESSAGES, OwnTask
from misstep.runner.run import Run, carry_out
from recorder import Recorder, called, results, said
from thinkers import recording_server

Rows = Callable[..., OwnTask]
Ask = Callable[..., Run]
ARMS = ("think:none", "think:low")
NAMED = ("reasoning_effort", "max_tokens")
"""The fields in which two arms may differ."""

PICTURE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@tool
def weather() -> Tool:
    async def execute(city: str) -> str:
        """The weather of a city.

        Args:
            city: Its name.
        """
        return f"rain in {city}"

    return execute


def tool_task(solving: Solver | list[Solver] | None = None) -> Task:
    samples = [
        Sample(id=f"s{n}", input=f"Weather in {city}?", target="rain", metadata={"city": city})
        for n, city in enumerate(("Rome", "Oslo", "Bern"))
    ]
    usual: list[Solver] = [system_message("Be brief."), use_tools(weather()), generate()]
    return Task(samples, solver=solving or usual, scorer=includes())


def by_weather(messages: list[ChatMessage]) -> ModelOutput:
    return called("weather", city="Rome") if results(messages) < 2 else said("It is rain.")


def paired(recorder: Recorder) -> tuple[list[str], list[str]]:
    """The bodies of both arms without the named fields."""
    found: dict[str, list[str]] = {"none": [], "low": []}
    for one in recorder.requests:
        plain = {name: value for name, value in one.items() if name not in NAMED}
        found[one["reasoning_effort"]].append(json.dumps(plain, sort_keys=True))
    return sorted(found["none"]), sorted(found["low"])


def by_arm(done: Run) -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for record in done.records:
        found.setdefault(record.arm, []).append(record)
    return found


def test_every_turn_of_a_tool_loop_is_asked_in_the_arm_and_equal_but_for_thinking(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    recorder.answer = by_weather
    done = run(wrapped(tool_task()), max_tokens=50)
    none, low = paired(recorder)
    assert len(none) == 9
    assert none == low
    assert {one["max_tokens"] for one in recorder.requests if one["reasoning_effort"] == "low"} == {
        50 + ROOM["low"]
    }
    assert {record.calls for record in done.records} == {3}
    assert {record.outcome for record in done.records} == {Outcome.CORRECT}
    assert {record.thinking for record in by_arm(done)["think:low"]} == {"low"}


def test_an_agent_that_calls_the_model_itself_is_asked_in_the_arm(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    def answer(messages: list[ChatMessage]) -> ModelOutput:
        return (
            called("weather", city="Rome")
            if not results(messages)
            else called("submit", answer="rain")
        )

    recorder.answer = answer
    done = run(wrapped(tool_task(react(tools=[weather()]))))  # type: ignore[arg-type]  # an agent is a solver to the runner
    none, low = paired(recorder)
    assert none == low
    assert len(none) == 6
    assert {record.outcome for record in done.records} == {Outcome.CORRECT}


def test_a_plan_and_a_setup_are_asked_in_the_arm_as_well(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    task = tool_task(Plan([system_message("Two."), generate()]))
    task.setup = system_message("One.")
    run(wrapped(task, limit=1))
    none, low = paired(recorder)
    assert none == low
    roles = [[message["content"] for message in one["messages"]] for one in recorder.requests]
    assert all(one[:2] == ["One.", "Two."] for one in roles)


def test_settings_of_the_solvers_own_calls_stay_and_have_room_for_thinking(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    run(wrapped(tool_task(generate(max_tokens=7, temperature=0.3))))
    caps = {one["reasoning_effort"]: one["max_tokens"] for one in recorder.requests}
    assert caps == {"none": 7, "low": 7 + ROOM["low"]}
    assert {one["temperature"] for one in recorder.requests} == {0.3}


def test_the_tasks_own_settings_hold_and_repetitions_have_the_same_seeds_in_both_arms(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    task = tool_task(generate())
    task.config = GenerateConfig(temperature=0.9, top_p=0.5)
    done = run(wrapped(task), repeat=3)
    none, low = paired(recorder)
    assert none == low
    assert {(one["temperature"], one["top_p"]) for one in recorder.requests} == {(0.9, 0.5)}
    assert len({one.get("seed") for one in recorder.requests}) == 1 + 2 * 3
    assert len(done.records) == 18


def test_without_a_word_of_the_task_the_temperature_is_0(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    done = run(wrapped(tool_task(generate())))
    assert {one["temperature"] for one in recorder.requests} == {0.0}
    assert {record.asked_temperature for record in done.records} == {0.0}


def test_wording_arms_speak_at_the_question_in_every_turn(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    recorder.answer = by_weather
    run(wrapped(tool_task()), arms=("direct", "cot"))
    ends = {
        message["content"].split("\n")[-1]
        for one in recorder.requests
        for message in one["messages"]
        if message["role"] == "user"
    }
    assert ends == {
        "Please ONLY answer with your final answer.",
        "Please reason about your answer before answering.",
    }
    users = [sum(m["role"] == "user" for m in one["messages"]) for one in recorder.requests]
    assert set(users) == {1}


def test_an_arm_of_the_users_own_has_its_words_around_the_question(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    own = Definition("mine", system="S", before="B", after="A", instruction="I", max_tokens=9)
    task = tool_task(multiple_choice())
    for sample in task.dataset:
        sample.choices = ["rain", "sun"]
    recorder.answer = lambda _messages: said("ANSWER: A")
    done = run(wrapped(task), arms=(), own_arms=(own,))
    mine = [one for one in recorder.requests if one.get("max_tokens") == 9]
    assert len(mine) == 3
    assert [message["role"] for message in mine[0]["messages"]] == ["system", "user"]
    assert mine[0]["messages"][0]["content"] == "S"
    lines = mine[0]["messages"][1]["content"].split("\n")
    assert (lines[0], lines[-2], lines[-1]) == ("B", "I", "A")
    assert sorted(by_arm(done)) == ["mine", "plain"]


TEMPLATE = "So: {question} -- {instruction} {{now}}"
INSTRUCTION = around.INSTRUCTIONS["cot"]


def test_a_template_has_the_question_in_it_as_it_stands(
    recorder: Recorder, rows: Rows, run: Ask
) -> None:
    own = Definition("mine", base="cot", template=TEMPLATE)
    run(rows("question,answer\n{A}?,x\nB?,y\n"), arms=("mine",), own_arms=(own,))
    asked = sorted(one["messages"][0]["content"] for one in recorder.requests)
    assert asked == [f"So: {question} -- {INSTRUCTION} {{now}}" for question in ("B?", "{A}?")]
    recorder.reset()
    whole = Definition("whole", base="cot", template="{prompt}")
    run(rows("question,answer\nA?,x\nB?,y\n"), arms=("whole", "cot"), own_arms=(whole,))
    asked = sorted(one["messages"][0]["content"] for one in recorder.requests)
    assert asked == [f"A?\n{INSTRUCTION}"] * 2 + [f"B?\n{INSTRUCTION}"] * 2


def test_a_template_around_a_picture_leaves_it_in_its_place(
    recorder: Recorder, rows: Rows, run: Ask
) -> None:
    parts = [
        {"type": "text", "text": "What?"},
        {"type": "image_url", "image_url": {"url": PICTURE}},
    ]
    row = {"messages": [{"role": "user", "content": parts}], "answer": "x"}
    own = Definition("mine", base="cot", template=TEMPLATE)
    run(rows(json.dumps(row), ending=".jsonl"), arms=("mine",), own_arms=(own,))
    said = [part.get("text") for part in recorder.requests[0]["messages"][0]["content"]]
    assert said == ["So: ", "What?", None, f" -- {INSTRUCTION} {{now}}"]


@pytest.mark.parametrize(
    ("template", "base", "said"),
    [
        ("{word}", "cot", r"a task has no field \{word\}; known: \{question\}, \{instruction\}"),
        ("{question} {instruction}", None, r"plain has no \{instruction\}; say base = .direct."),
        ("{instruction}", "cot", "should name the question once"),
        ("{question} {prompt}", "cot", "should name the question once"),
    ],
)
def test_a_template_that_does_not_fit_a_task_is_refused(
    rows: Rows, run: Ask, template: str, base: str | None, said: str
) -> None:
    own = Definition("mine", base=base, template=template)
    with pytest.raises(BadInput, match=f"--arms-file: arm 'mine': template: {said}"):
        run(rows("question,answer\nA?,x\nB?,y\n"), arms=("mine",), own_arms=(own,))


def test_a_file_with_tools_schema_and_picture_goes_out_equal_but_for_thinking(
    rows: Rows, tmp_path: Path
) -> None:
    message = [
        {"role": "system", "content": "Reply in JSON."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is this?"},
                {"type": "image_url", "image_url": {"url": PICTURE}},
            ],
        },
    ]
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    tools = [{"type": "function", "function": {"name": "look", "description": "Look closer."}}]
    line = {"messages": message, "answer": {"a": "x"}, "schema": schema, "tools": tools}
    own = rows(json.dumps(line) + "\n", "json", ".jsonl")
    with recording_server() as (address, bodies):
        asking = Asking(
            "openai-api/here/gpt",
            {"base_url": address, "api_key": "none"},
            arms=ARMS,
            max_tokens=50,
            log_dir=tmp_path / "logs",
        )
        carry_out(plan(own, asking))
    by_effort = {str(json.loads(body)["reasoning_effort"]): body.decode() for body in bodies}
    first, second = (json.loads(by_effort[effort]) for effort in ("none", "low"))
    differing = {name for name in first | second if first.get(name) != second.get(name)}
    assert differing == {"reasoning_effort", "max_tokens"}
    assert first["response_format"]["json_schema"]["schema"]["required"] == ["a"]
    assert first["tools"][0]["function"]["name"] == "look"
    assert first["messages"][1]["content"][1]["image_url"]["url"] == PICTURE
    none, low = by_effort["none"], by_effort["low"]
    assert none.replace('"max_tokens":50,"reasoning_effort":"none"', "") == low.replace(
        f'"max_tokens":{50 + ROOM["low"]},"reasoning_effort":"low"', ""
    )
    assert none != low


def test_a_run_that_broke_off_within_a_tool_loop_asks_nothing_twice(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    recorder.answer = by_weather
    recorder.fails_at = 8
    with pytest.raises(MisstepError, match="the line is dead"):
        run(wrapped(tool_task()))
    recorder.fails_at = None
    answered, refused = 7, len(recorder.requests) - 7
    done = run(wrapped(tool_task()))
    assert len(recorder.requests) == 18 + refused
    assert done.manifest.asked == 18 - answered
    recorder.requests.clear()
    assert set(map(str, run(wrapped(tool_task())).records)) == set(map(str, done.records))
    assert recorder.requests == []


def test_calls_that_say_the_same_are_kept_apart(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    @solver
    def thrice() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            outputs = [await get_model().generate("Same?") for _ in range(3)]
            state.output = outputs[-1]
            state.output.completion = " ".join(one.completion for one in outputs)
            return state

        return solve

    numbers = iter(range(1000))
    recorder.answer = lambda _messages: said(str(next(numbers)))
    first = run(wrapped(tool_task(thrice())))
    again = run(wrapped(tool_task(thrice())))
    assert len(recorder.requests) == 18
    assert [record.calls for record in again.records] == [3] * 6
    assert set(map(str, first.records)) == set(map(str, again.records))


def test_an_endless_tool_loop_is_cut_off_by_name(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    recorder.answer = lambda _messages: called("weather", city="Rome")
    done = run(wrapped(tool_task(), limit=1), arms=("think:none",))
    assert {(one.outcome, one.reason) for one in done.records} == {
        (Outcome.TRUNCATED, "message_limit")
    }
    assert max(len(one["messages"]) for one in recorder.requests) <= MOST_MESSAGES


def test_a_solver_that_asks_for_ever_is_cut_off_by_name(
    recorder: Recorder, wrapped: Rows, run: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its conversation does not grow, so that no limit on messages ends it."""

    @solver
    def endless() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            while True:
                await get_model().generate("Again?")

        return solve

    monkeypatch.setattr(around, "MOST_CALLS", 7)
    done = run(wrapped(tool_task(endless()), limit=1))
    assert {(one.outcome, one.reason, one.calls) for one in done.records} == {
        (Outcome.TRUNCATED, "call_limit", 7)
    }
    assert len(recorder.requests) == 14


def test_a_file_whose_tools_answer_for_ever_is_cut_off_by_name(
    recorder: Recorder, rows: Rows, run: Ask
) -> None:
    line = {
        "question": "What is 2 + 3?",
        "answer": "5",
        "tools": [{"name": "add"}],
        "tool_results": {"add": "5"},
    }
    recorder.answer = lambda _messages: called("add")
    done = run(rows(json.dumps(line), "exact", ".jsonl"), arms=("think:none",))
    assert {(one.outcome, one.reason) for one in done.records} == {
        (Outcome.TRUNCATED, "message_limit")
    }


def test_a_tool_without_a_result_ends_the_turn_and_its_call_is_the_reply(
    recorder: Recorder, rows: Rows, run: Ask
) -> None:
    wanted = {"name": "book", "arguments": {"city": "Rome"}}
    line = {"question": "Book Rome.", "answer": wanted, "tools": [{"name": "book"}]}
    recorder.answer = lambda _messages: called("book", city="Rome")
    done = run(rows(json.dumps(line), "json", ".jsonl"))
    assert {one.outcome for one in done.records} == {Outcome.CORRECT}
    assert len(recorder.requests) == 2


def test_a_model_that_refuses_everything_has_that_outcome(
    recorder: Recorder, rows: Rows, run: Ask
) -> None:
    recorder.answer = lambda _messages: said("I'm sorry, but I can't help with that.")
    done = run(rows("question,answer\nA?,x\nB?,y\n"))
    assert {(one.outcome, one.value) for one in done.records} == {(Outcome.REFUSED, None)}
    recorder.answer = lambda _messages: said("", "content_filter")
    done = run(rows("question,answer\nC?,x\nD?,y\n"))
    assert {one.outcome for one in done.records} == {Outcome.REFUSED}


def test_the_tasks_solver_and_scorer_see_the_tasks_own_metadata(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    seen: list[object] = []

    @solver
    def looks() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            seen.append(dict(state.metadata))
            state.metadata["noted"] = state.metadata["city"]
            return await generate(state)

        return solve

    @scorer(metrics=[accuracy()])
    def noted() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            return Score(value=state.metadata["noted"] == state.metadata["city"])

        return score

    task = tool_task(looks())
    task.scorer = [noted()]
    done = run(wrapped(task))
    assert {"city": "Rome"} in seen
    assert {one.outcome for one in done.records} == {Outcome.CORRECT}
    assert {one.factors["city"] for one in done.records} == {"Rome", "Oslo", "Bern"}
    again = read_records(log_files([done.folder]))
    assert set(map(str, again)) == set(map(str, done.records))


def test_the_judged_model_asked_by_the_tasks_scorer_is_asked_out_of_the_arm(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    @scorer(metrics=[accuracy()])
    def asks() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            output = await get_model().generate("Is it right?")
            return Score(value=output.completion == "yes")

        return score

    recorder.answer = lambda messages: said("yes" if "right" in messages[-1].text else "5")
    task = tool_task(generate())
    task.scorer = [asks()]
    done = run(wrapped(task), arms=("think:low", "think:none"))
    judging = [one for one in recorder.requests if "right" in one["messages"][-1]["content"]]
    assert len(judging) == 6
    assert {one.get("reasoning_effort") for one in judging} == {None}
    assert {record.calls for record in done.records} == {1}
    recorder.requests.clear()
    run(wrapped(task), arms=("think:low", "think:none"))
    assert recorder.requests == []


def test_of_a_familys_own_task_one_arm_can_be_asked(
    recorder: Recorder, run: Ask, wrapped: Rows
) -> None:
    from misstep.runner.own.sources import find_task

    with pytest.raises(BadInput, match=r"arms of their own \(direct, cot\); -T arms=direct"):
        wrapped(find_task("misstep/grammar", {}))
    recorder.answer = lambda _messages: said("Yes")
    own = wrapped(find_task("misstep/grammar", {"arms": "direct", "limit_items": 4}))
    done = run(own)
    assert len(done.records) == 8
    assert {one.family for one in done.records} == {"ab:own"}
    assert len({one.group for one in done.records}) == 2
    assert not {"id", "group", "truth", "arm"} & {
        name for one in done.records for name in one.factors
    }
    none, low = paired(recorder)
    assert none == low


@pytest.fixture(autouse=True)
def _as_before(recorder: Recorder) -> Iterator[None]:
    yield
    recorder.reset()


def test_another_models_switch_and_votes_are_refused_in_one_line(
    rows: Rows, wrapped: Rows, run: Ask, tmp_path: Path
) -> None:
    own = rows("question,answer\nA?,x\nB?,y\n")
    with pytest.raises(BadInput, match="votes go around a question"):
        run(own, arms=("direct", "cot+vote3"))
    for arm in ("tot:3", "self-consistency"):
        with pytest.raises(BadInput, match=f"--arms: {arm}: thoughts and votes go around a ques"):
            run(own, arms=("direct", arm))
    with pytest.raises(BadInput, match="answers the items of a family"):
        plan(own, Asking("ref/rule", log_dir=tmp_path))
    with pytest.raises(BadInput, match="for this model try --arms direct,cot"):
        plan(own, Asking("openai/gpt-4o", {"api_key": "none"}, log_dir=tmp_path))


def test_match_on_the_target_is_the_tasks_own_affair(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    task = Task(
        [Sample(input="2 + 3?", target="5"), Sample(input="2 + 4?", target="6")],
        solver=generate(),
        scorer=match(),
    )
    done = run(wrapped(task))
    right = {one.item: one.outcome for one in done.records}
    assert right == {"1": Outcome.CORRECT, "2": Outcome.WRONG}
