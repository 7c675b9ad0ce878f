"""misstep ab as a user meets it: what it prints, keeps and refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from misstep.cli import cli
from misstep.core.errors import BadInput
from misstep.runner.own.around import INSTRUCTIONS
from recorder import RECORDER, Recorder, said

Misstep = Callable[..., Result]
TABLE = "question,answer,topic\n" + "".join(
    f"What is {n} + 3?,{n + 3},{'even' if n % 2 == 0 else 'odd'}\n" for n in range(8)
)


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    RECORDER.reset()
    yield RECORDER
    RECORDER.reset()


@pytest.fixture
def misstep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Misstep:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sums.csv").write_text(TABLE)

    def call(*words: str) -> Result:
        return CliRunner().invoke(cli, list(words), catch_exceptions=True)

    return call


def ab(misstep: Misstep, *words: str, task: str = "sums.csv") -> Result:
    return misstep("ab", task, "--model", "recorder/x", "--preflight", "no", *words)


def refused(done: Result) -> str:
    assert isinstance(done.exception, BadInput), done.output
    message = str(done.exception)
    assert "\n" not in message
    return message


def test_a_file_is_asked_in_both_arms_and_compared(recorder: Recorder, misstep: Misstep) -> None:
    recorder.answer = lambda messages: said("Answer: 5")
    done = ab(misstep, "--scorer", "number", "--json")
    assert done.exception is None, done.output
    (one,) = json.loads(done.stdout)["comparisons"]
    assert (one["family"], one["baseline"], one["arm"]) == ("ab:sums", "think:none", "think:medium")
    assert one["n"] == 8
    assert len(recorder.requests) == 16


def test_the_same_command_again_asks_nothing_and_another_scorer_neither(
    recorder: Recorder, misstep: Misstep
) -> None:
    ab(misstep, "--scorer", "number")
    recorder.requests.clear()
    done = ab(misstep, "--scorer", "contains")
    assert done.exception is None, done.output
    assert recorder.requests == []
    assert len(list(Path("logs").iterdir())) == 1


def test_a_run_can_be_read_by_every_other_command(recorder: Recorder, misstep: Misstep) -> None:
    ab(misstep, "--scorer", "number", "--arms", "direct,cot")
    assert misstep("compare", "logs", "--by", "topic").exception is None
    assert misstep("records", "logs", "--out", "r.csv").output.startswith("16 records")
    assert "factor.topic" in Path("r.csv").read_text().splitlines()[0]
    assert misstep("report", "logs", "--out", "page.html").exception is None
    assert "ab:sums" in Path("page.html").read_text()
    assert "graded again by its own command" in refused(misstep("regrade", "logs"))


def test_wording_arms_say_their_line(recorder: Recorder, misstep: Misstep) -> None:
    ab(misstep, "--arms", "plain,direct,cot", "--limit", "1")
    words = [one["messages"][0]["content"].partition("\n")[2] for one in recorder.requests]
    assert sorted(words) == sorted(["", *INSTRUCTIONS.values()])


def test_an_arms_file_gives_arms_of_ones_own(recorder: Recorder, misstep: Misstep) -> None:
    Path("arms.toml").write_text('schema = 1\n[arms.short]\nafter = "One word."\n')
    done = ab(misstep, "--arms-file", "arms.toml", "--limit", "2", "--json")
    assert done.exception is None, done.output
    (one,) = json.loads(done.stdout)["comparisons"]
    assert (one["baseline"], one["arm"]) == ("plain", "short")


def test_the_preflight_asks_the_first_questions_once(recorder: Recorder, misstep: Misstep) -> None:
    done = misstep("ab", "sums.csv", "--model", "recorder/x")
    assert done.exception is None, done.output
    assert len(recorder.requests) == 16
    assert "Are the arms what they claim?" in done.output


def test_a_task_file_runs_by_its_name_with_arguments(recorder: Recorder, misstep: Misstep) -> None:
    Path("mine.py").write_text(
        "from inspect_ai import Task, task\n"
        "from inspect_ai.dataset import Sample\n"
        "from inspect_ai.scorer import match\n\n"
        "@task\n"
        "def sums(top: int = 3) -> Task:\n"
        "    return Task([Sample(input=f'{n} + 0?', target=str(n)) for n in range(top)],"
        " scorer=match())\n"
    )
    done = ab(misstep, "-T", "top=4", "--json", task="mine.py@sums")
    assert done.exception is None, done.output
    (one,) = json.loads(done.stdout)["comparisons"]
    assert (one["family"], one["n"]) == ("ab:mine-sums", 4)


@pytest.mark.parametrize(
    ("words", "said_so"),
    [
        (("--scorer", "exakt"), "did you mean 'exact'"),
        (("--fields", "a"), "only the scorer json"),
        (("--scorer", "model"), "go together"),
        (("--score", "a"), "a file of rows has none"),
        (("-T", "a=1"), "a file of rows takes no arguments"),
        (("--answer", "topics"), "did you mean 'topic'"),
        (("--limit", "0"), "--limit: 0 is below 1"),
        (("--repeat", "0"), "--repeat: 0"),
        (("--arms", "think:huge"), "unknown arm"),
        (("--arms", ","), "--arms: names nothing"),
        (("--temperature", "-1"), "--temperature"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    recorder: Recorder, misstep: Misstep, words: tuple[str, ...], said_so: str
) -> None:
    assert said_so in refused(ab(misstep, *words))
    assert recorder.requests == []
    assert not Path("logs").exists()


def test_a_model_without_the_switch_is_told_which_arms_to_try(misstep: Misstep) -> None:
    message = refused(misstep("ab", "sums.csv", "--model", "openai/gpt-4o", "-M", "api_key=none"))
    assert "--arms direct,cot" in message


def test_a_judge_that_is_the_model_itself_is_warned_of(
    recorder: Recorder, misstep: Misstep
) -> None:
    recorder.answer = lambda messages: said("Yes")
    done = ab(misstep, "--scorer", "model", "--judge", "recorder/x", "--limit", "2")
    assert done.exception is None, done.output
    assert "judges its own replies" in done.output


def test_one_giant_group_is_said_to_decide_nothing(recorder: Recorder, misstep: Misstep) -> None:
    Path("giant.csv").write_text("question,answer,group\nA?,x,g\nB?,x,g\nC?,x,g\n")
    done = ab(misstep, task="giant.csv")
    assert "1 independent group can never be significant" in done.output


def test_a_scorer_that_breaks_down_is_told_with_its_reason(
    recorder: Recorder, misstep: Misstep
) -> None:
    Path("score.py").write_text("def mine(reply, answer, row):\n    return 1 / 0\n")
    done = ab(misstep, "--scorer", "score.py@mine")
    assert done.exception is None, done.output
    assert (
        "! --scorer: 16 of 16 replies have no score: scorer_raised: ZeroDivisionError: division by "
        "zero" in done.stderr
    )


def test_what_of_a_schema_is_not_sent_is_said_once(recorder: Recorder, misstep: Misstep) -> None:
    row = {"answer": {"a": [1]}, "schema": {"type": "object", "minProperties": 1}}
    lines = [json.dumps({"question": f"{n}?", **row}) for n in range(8)]
    Path("rows.jsonl").write_text("\n".join(lines))
    done = ab(misstep, "--scorer", "json", task="rows.jsonl")
    assert done.stderr.count("schema: minProperties can't be said to the model") == 1


def test_two_files_of_one_name_are_told_apart_in_one_comparison(
    recorder: Recorder, misstep: Misstep
) -> None:
    for place in ("one", "two"):
        Path(place).mkdir()
        Path(f"{place}/q.csv").write_text(
            "id,question,answer\n" + "".join(f"{n},{place} {n}?,5\n" for n in range(8))
        )
        assert ab(misstep, task=f"{place}/q.csv").exception is None
    found = json.loads(misstep("compare", "logs", "--json").stdout)["comparisons"]
    assert [(one["family"], one["n"]) for one in found] == [("ab:q", 8), ("ab:q", 8)]
    assert len({one["variant"] for one in found}) == 2
    assert misstep("report", "logs", "--out", "page.html").exception is None
    alone = json.loads(misstep("compare", str(next(Path("logs").iterdir())), "--json").stdout)
    assert [one["variant"] for one in alone["comparisons"]] == [""]


def test_two_files_may_have_the_same_ids(recorder: Recorder, misstep: Misstep) -> None:
    for name in ("one", "two"):
        Path(f"{name}.csv").write_text(
            "id,question,answer\n" + "".join(f"{n},{name} {n}?,5\n" for n in range(8))
        )
        assert ab(misstep, task=f"{name}.csv").exception is None
    found = json.loads(misstep("compare", "logs", "--json").stdout)["comparisons"]
    assert [one["family"] for one in found] == ["ab:one", "ab:two"]
    assert {one["variant"] for one in found} == {""}


def test_the_arm_asked_for_first_is_the_baseline(recorder: Recorder, misstep: Misstep) -> None:
    done = ab(misstep, "--arms", "cot,direct", "--json")
    (one,) = json.loads(done.stdout)["comparisons"]
    assert (one["baseline"], one["arm"]) == ("cot", "direct")
    assert [arm["arm"] for arm in json.loads(done.stdout)["arms"]] == ["cot", "direct"]


def test_long_texts_are_no_answers_to_choose_among(recorder: Recorder, misstep: Misstep) -> None:
    for length, is_listed in ((3, True), (50, False)):
        rows = "".join(f"{n}?,{'x' * length}{n % 3}\n" for n in range(8))
        Path("long.csv").write_text("question,answer\n" + rows)
        assert ab(misstep, "--out", "page.html", task="long.csv").exception is None
        assert ("Answers and bias" in Path("page.html").read_text()) == is_listed
