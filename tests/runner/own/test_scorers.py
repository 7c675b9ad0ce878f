"""Scorers: what each takes for right, and a name for everything that is no score."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ModelOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer
from inspect_ai.solver import TaskState, generate

from misstep.core.answers import read_exact
from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome, Reply
from misstep.core.questions import Json
from misstep.runner.own.cases import Case
from misstep.runner.own.grading import Choice, contains, exact
from misstep.runner.own.json_replies import JsonFields, find_json, same_json
from misstep.runner.own.judging import model_judge, prompt
from misstep.runner.own.scoring import Scoring, check
from misstep.runner.own.wrapping import OwnTask
from misstep.runner.run import Run
from recorder import Recorder, said

Rows = Callable[..., OwnTask]
Ask = Callable[..., Run]
CORRECT, WRONG = Outcome.CORRECT, Outcome.WRONG


def case(answer: Json, **further: object) -> Case:
    return Case("i", "g", "Question?", answer, **further)  # type: ignore[arg-type]  # fields of `Case`, by name


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("Paris", CORRECT),
        ("paris!", CORRECT),
        ("**Paris**", CORRECT),
        ("The capital is a large city.\n\nAnswer: Paris", CORRECT),
        ("The answer is Paris.", CORRECT),
        ("Let me see.\n\nParis", CORRECT),
        ("<think>London?</think>Paris", CORRECT),
        ("Lyon", WRONG),
        ("Answer: Lyon\nNot Paris", WRONG),
        ("", Outcome.EMPTY),
        ("<think>Paris", Outcome.TRUNCATED),
        ("I'm sorry, I can't help with that.", Outcome.REFUSED),
        ("Well, " + "on and on " * 60, Outcome.UNPARSED),
    ],
)
def test_exact_takes_the_answer_in_any_dress(reply: str, outcome: Outcome) -> None:
    assert exact(case("Paris"), Reply(reply, "stop")).outcome is outcome


def test_exact_takes_any_of_several_answers_and_one_of_many_lines() -> None:
    assert exact(case(["Paris", "Lutetia"]), Reply("Answer: lutetia")).outcome is CORRECT
    assert exact(case("a\nb"), Reply("a\nb\n")).outcome is CORRECT
    assert read_exact("", ["x"], "max_tokens").state.value == "truncated"


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("B", CORRECT),
        ("Answer: (B)", CORRECT),
        ("green", CORRECT),
        ("I would say green.", CORRECT),
        ("Both are nice, but my answer is A.", WRONG),
        ("A or B", Outcome.UNPARSED),
        ("purple", Outcome.UNPARSED),
    ],
)
def test_choice_takes_a_letter_or_the_words(reply: str, outcome: Outcome) -> None:
    for answer in ("B", "green"):
        asked = case(answer, choices=("red", "green"))
        assert Choice([asked])(asked, Reply(reply, "stop")).outcome is outcome


def test_choice_without_choices_takes_the_answers_of_the_file() -> None:
    cases = [case("positive"), case("negative")]
    grade = Choice(cases)
    assert grade(cases[0], Reply("The review is positive.")).outcome is CORRECT
    assert grade(cases[0], Reply("Final answer: negative")).outcome is WRONG
    with pytest.raises(BadInput, match="1 different answers"):
        Choice([case("x"), case("x")])


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("It is in New York, I think.", CORRECT),
        ("It is in new  york.", CORRECT),
        ("In Newport", WRONG),
        ("<think>New York?</think>In Boston", WRONG),
        ("", Outcome.EMPTY),
    ],
)
def test_contains_wants_whole_words_outside_of_the_thinking(reply: str, outcome: Outcome) -> None:
    assert contains(case("New York"), Reply(reply)).outcome is outcome


def test_json_gives_the_share_of_the_fields() -> None:
    wanted: Json = {"name": "Ann", "age": 3, "tags": ["a", "b"], "at": {"city": "Rome"}}
    reply = Reply('Here:\n```json\n{"name": " Ann", "age": 3.0, "tags": ["b"], "at": {}}\n```')
    score = JsonFields()(case(wanted), reply)
    assert (score.outcome, score.value) == (WRONG, 0.5)
    assert score.details == {
        "field.name": True,
        "field.age": True,
        "field.tags": False,
        "field.at": False,
    }
    assert JsonFields(["name", "age"])(case(wanted), reply).outcome is CORRECT
    assert JsonFields(["at.city"])(case(wanted), reply).value == 0.0


@pytest.mark.parametrize(
    ("reply", "outcome", "reason"),
    [
        ("no idea", Outcome.UNPARSED, "no_json"),
        ('{"a": "x"}', Outcome.UNPARSED, "schema"),
        ('{"a": NaN}', Outcome.UNPARSED, "no_json"),
        ("", Outcome.EMPTY, None),
        ('{"a": 1}', CORRECT, None),
    ],
)
def test_json_that_is_none_or_breaks_the_schema_is_named(
    reply: str, outcome: Outcome, reason: str | None
) -> None:
    schema: dict[str, Json] = {"type": "object", "properties": {"a": {"type": "integer"}}}
    score = JsonFields()(case({"a": 1}, schema=schema), Reply(reply))
    assert (score.outcome, score.reason) == (outcome, reason)


def test_json_is_found_among_words_and_compared_as_json_is() -> None:
    assert find_json('I first thought {"a": 1}, but {"a": {"b": 2}} it is.') == {"a": {"b": 2}}
    assert find_json("[1, 2]") == [1, 2]
    assert same_json({"a": 1, "b": [True]}, {"b": [True], "a": 1.0})
    assert not same_json(1, True)
    assert not same_json({"a": None}, {})
    assert same_json(None, None)


def python_file(tmp_path: Path, body: str) -> str:
    path = tmp_path / "score.py"
    path.write_text(f"import math\n\ndef mine(reply, answer, row):\n    {body}\n")
    return f"{path}@mine"


@pytest.mark.parametrize(
    ("body", "outcome", "value", "reason"),
    [
        ("return answer in reply", CORRECT, 1.0, None),
        ("return row['answer'] == 'x'", WRONG, 0.0, None),
        ("return 0.25", WRONG, 0.25, None),
        ("return None", Outcome.UNPARSED, None, "scorer_none"),
        ("return math.nan", Outcome.UNPARSED, None, "scorer_nan"),
        ("return 1 / 0", Outcome.UNPARSED, None, "scorer_raised: ZeroDivisionError"),
        ("raise SystemExit(3)", Outcome.UNPARSED, None, "scorer_raised: SystemExit: 3"),
        ("return __import__('numpy').float32(0.5)", WRONG, 0.5, None),
        ("return __import__('numpy').bool_(True)", CORRECT, 1.0, None),
    ],
)
def test_a_python_file_scores_or_its_fault_is_named(
    recorder: Recorder,
    rows: Rows,
    run: Ask,
    tmp_path: Path,
    body: str,
    outcome: Outcome,
    value: float | None,
    reason: str | None,
) -> None:
    done = run(rows("question,answer\nA?,5\nB?,5\n", python_file(tmp_path, body)))
    assert {(one.outcome, one.value) for one in done.records} == {(outcome, value)}
    assert all((one.reason or "").startswith(reason or "") for one in done.records)
    assert len(done.records) == 4


def test_a_python_file_that_changes_what_it_is_given_changes_nothing_for_the_other_arm(
    recorder: Recorder, rows: Rows, run: Ask, tmp_path: Path
) -> None:
    score = python_file(tmp_path, "return len(answer) == 2 and answer.pop() and row['n'].pop()")
    line = '{"question": "A?", "answer": ["5", "6"], "n": [1, 1]}\n'
    done = run(rows(line, score, ".jsonl"))
    assert [one.outcome for one in done.records] == [CORRECT, CORRECT]


@pytest.mark.parametrize("body", ["return 1.5", "return -0.1", "return math.inf"])
def test_a_value_outside_of_0_to_1_is_bad_input_that_names_the_item(
    recorder: Recorder, rows: Rows, run: Ask, tmp_path: Path, body: str
) -> None:
    with pytest.raises(BadInput, match=r"item '[0-9a-f]{12}': .* is not from 0 to 1"):
        run(rows("question,answer\nA?,5\nB?,5\n", python_file(tmp_path, body)))


def test_a_python_file_that_will_not_do_is_told_before_anything_is_asked(
    rows: Rows, tmp_path: Path
) -> None:
    table = "question,answer\nA?,5\n"
    spec = python_file(tmp_path, "return True")
    with pytest.raises(BadInput, match="no such file"):
        rows(table, f"{tmp_path}/none.py@mine")
    with pytest.raises(BadInput, match="has no function 'mein'; it has mine"):
        rows(table, spec.replace("@mine", "@mein"))
    (tmp_path / "end.py").write_text("raise SystemExit(3)\n")
    with pytest.raises(BadInput, match=r"end\.py: SystemExit: 3"):
        rows(table, f"{tmp_path}/end.py@mine")
    (tmp_path / "two.py").write_text("def two(reply, answer): return 1\n")
    with pytest.raises(BadInput, match="should take"):
        rows(table, f"{tmp_path}/two.py@two")
    (tmp_path / "bad.py").write_text("raise ValueError('no')\n")
    with pytest.raises(BadInput, match="ValueError: no"):
        rows(table, f"{tmp_path}/bad.py@two")


@pytest.mark.parametrize(
    ("scoring", "said_so"),
    [
        (Scoring("exakt"), "did you mean 'exact'"),
        (Scoring("exact", ("a",)), "--fields: only the scorer json"),
        (Scoring("model"), "--judge"),
        (Scoring("exact", judge="m/x"), "--judge"),
    ],
)
def test_options_that_do_not_go_together_are_refused(scoring: Scoring, said_so: str) -> None:
    with pytest.raises(BadInput, match=said_so):
        check(scoring)


@pytest.mark.parametrize(
    ("table", "scoring", "said_so"),
    [
        ("question,answer\nA?,five\n", "number", "'five' is no number"),
        ("question,answer\nA?,x{\n", "json", "is no JSON"),
        ("question,answer,choices\nA?,blue,red|green\n", "choice", "none of the choices"),
    ],
)
def test_an_answer_that_is_none_for_the_scorer_is_told_with_its_line(
    rows: Rows, table: str, scoring: str, said_so: str
) -> None:
    with pytest.raises(BadInput, match=f"line 2: answer: .*{said_so}"):
        rows(table, scoring)


def own_scorer(value: object) -> Scorer:
    @scorer(metrics=[accuracy()])
    def fixed() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score | None:
            if isinstance(value, Exception):
                raise value
            return None if value is None else Score(value=value)  # type: ignore[arg-type]  # values that a scorer should not give

        return score

    return fixed()


@pytest.mark.parametrize(
    ("value", "outcome", "worth", "reason"),
    [
        ("C", CORRECT, 1.0, None),
        ("I", WRONG, 0.0, None),
        ("P", WRONG, 0.5, None),
        ("N", Outcome.UNPARSED, None, "no_answer"),
        (True, CORRECT, 1.0, None),
        (0.75, WRONG, 0.75, None),
        ("0.5", WRONG, 0.5, None),
        (math.nan, Outcome.UNPARSED, None, "scorer_nan"),
        (None, Outcome.UNPARSED, None, "scorer_none"),
        (KeyError("gone"), Outcome.UNPARSED, None, "scorer_raised: KeyError: 'gone'"),
    ],
)
def test_a_tasks_own_scores_come_out_in_our_words(
    recorder: Recorder,
    wrapped: Rows,
    run: Ask,
    value: object,
    outcome: Outcome,
    worth: float | None,
    reason: str | None,
) -> None:
    task = Task([Sample(input="A?", target="5")], solver=generate(), scorer=own_scorer(value))
    done = run(wrapped(task))
    assert {(one.outcome, one.value, one.reason) for one in done.records} == {
        (outcome, worth, reason)
    }


@pytest.mark.parametrize(
    ("value", "score", "said_so"),
    [
        (7.0, None, "7 is not from 0 to 1"),
        ("great", None, "'great' is no score"),
        ({"a": 1, "b": 0}, None, r"several values \(a, b\); --score KEY"),
        ({"a": 1, "b": 0}, "c", "no value 'c'; it gives a, b"),
        (1.0, "a", "gives one value"),
        ([1, 0], None, "a list of 2 values"),
    ],
)
def test_a_score_that_is_none_is_bad_input_that_names_the_scorer(
    recorder: Recorder, wrapped: Rows, run: Ask, value: object, score: str | None, said_so: str
) -> None:
    task = Task([Sample(input="A?", target="5")], solver=generate(), scorer=own_scorer(value))
    with pytest.raises(BadInput, match=f"fixed.*{said_so}|{said_so}"):
        run(wrapped(task, score=score))


def test_one_of_several_values_can_be_chosen(recorder: Recorder, wrapped: Rows, run: Ask) -> None:
    task = Task(
        [Sample(input="A?", target="5")], solver=generate(), scorer=own_scorer({"a": 1, "b": 0})
    )
    assert {one.value for one in run(wrapped(task, score="b")).records} == {0.0}


def test_a_wrong_reply_that_was_cut_off_or_empty_has_that_outcome(
    recorder: Recorder, wrapped: Rows, run: Ask
) -> None:
    task = Task([Sample(input="A?", target="5")], solver=generate(), scorer=own_scorer("I"))
    recorder.answer = lambda _messages: said("Well, first", "max_tokens")
    assert {one.outcome for one in run(wrapped(task)).records} == {Outcome.TRUNCATED}
    task = Task([Sample(input="B?", target="5")], solver=generate(), scorer=own_scorer("I"))
    recorder.answer = lambda _messages: said("")
    assert {one.outcome for one in run(wrapped(task)).records} == {Outcome.EMPTY}


def test_the_judge_sees_question_reference_and_reply_and_nothing_of_the_arm(
    recorder: Recorder, rows: Rows, run: Ask, tmp_path: Path
) -> None:
    from dataclasses import replace

    def answer(messages: list[ChatMessage]) -> ModelOutput:
        if "[Reply]" in messages[-1].text:
            return said("Yes" if "B?" in messages[-1].text else "No")
        return said("<think>low, medium, high</think>It is five.")

    recorder.answer = answer
    own = rows("question,answer\nA?,5\nB?,5\n")
    judging = get_model("recorder/judge", memoize=False)
    own = replace(own, judge=model_judge(judging), judging=judging)
    done = run(own)
    assert sorted((one.outcome.value, one.arm) for one in done.records) == [
        ("correct", "think:low"),
        ("correct", "think:none"),
        ("wrong", "think:low"),
        ("wrong", "think:none"),
    ]
    judged = [one for one in recorder.requests if "[Reply]" in json.dumps(one)]
    texts = [one["messages"][0]["content"] for one in judged]
    assert len(texts) == 4
    assert len(set(texts)) == 2
    assert not any("think" in json.dumps(one) or "reasoning" in json.dumps(one) for one in judged)
    recorder.requests.clear()
    run(own)
    assert recorder.requests == []


def test_a_judge_who_says_neither_yes_nor_no_is_named(
    recorder: Recorder, rows: Rows, run: Ask
) -> None:
    from dataclasses import replace

    recorder.answer = lambda _messages: said("Hm.")
    judging = get_model("recorder/judge", memoize=False)
    own = replace(rows("question,answer\nA?,5\n"), judge=model_judge(judging), judging=judging)
    assert {one.reason for one in run(own).records} == {"judge_unparsed"}


def test_the_judge_without_a_reference_is_not_shown_one() -> None:
    assert "[Right answer]" not in prompt(case(None), Reply("five"))
    assert "[Right answer]\n5\n" in prompt(case("5"), Reply("five"))
