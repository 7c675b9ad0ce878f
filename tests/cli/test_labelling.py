"""misstep ab --label-later, misstep label and misstep compare: few labels from end to end."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result
from scipy import stats

import wavering
from misstep.analyse.labels.disagreements import disagreements
from misstep.cli import cli
from misstep.core import labels
from misstep.core.errors import BadInput
from misstep.core.labels import Judgement, Label
from misstep.runner.logged.logs import find_records, log_files
from misstep.study.labelling.questions import read_questions
from misstep.study.labelling.session import Choice, Session, open_session

_SUMS = [(place + 1, (place * 7) % 11 + 2) for place in range(30)]
_ASKING = ("--model", "wavering/x", "--scorer", "number", "--preflight", "no")
_CHOICES = {
    (True, True): Choice.BOTH,
    (True, False): Choice.LEFT,
    (False, True): Choice.RIGHT,
    (False, False): Choice.NEITHER,
}
_ARMS = ("think:none", "think:medium")


def _run(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [*map(str, words)])


def _done(*words: str | Path) -> Result:
    result = _run(*words)
    assert result.exception is None, result.exception
    return result


def _rows(path: Path, *, with_answers: bool = False) -> Path:
    head = "question,answer\n" if with_answers else "question\n"
    lines = [
        f"What is {first} + {second}?" + (f",{first + second}" if with_answers else "")
        for first, second in _SUMS
    ]
    path.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def _truth(words: str) -> int:
    first, second = re.findall(r"\d+", words)
    return int(first) + int(second)


def _answers(place: int) -> list[int | None]:
    """What the stub says in each arm, as the scorer `number` reads it."""
    said = [wavering.said(*_SUMS[place], thinks=thinks) for thinks in (False, True)]
    return [int(found[-1]) if (found := re.findall(r"\d+", text)) else None for text in said]


@pytest.fixture(scope="module")
def unlabelled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A run without answers, and what it printed."""
    folder = tmp_path_factory.mktemp("later")
    rows = _rows(folder / "sums.csv")
    result = _done("ab", rows, *_ASKING, "--label-later", "--log-dir", folder / "logs")
    (run,) = (folder / "logs").iterdir()
    return run, result.output


@pytest.fixture
def run(unlabelled: tuple[Path, str]) -> Iterator[Path]:
    """The run without labels."""
    place = unlabelled[0] / labels.NAME
    place.unlink(missing_ok=True)
    yield unlabelled[0]
    place.unlink(missing_ok=True)


Ask = Callable[..., dict[str, Any]]  # Any: JSON values


@contextmanager
def _labelling(run: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], Ask]]:
    """`misstep label` in a process of its own, and how to speak to its page."""
    command = [sys.executable, "-m", "misstep", "label", str(run), "--no-browser", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        address = next(
            httpx.URL(line.split()[-1]) for line in process.stderr if line.startswith("open http")
        )

        def ask(path: str, body: object = None) -> dict[str, Any]:  # Any: JSON values
            root = f"http://127.0.0.1:{address.port}{path}"
            reply = (
                httpx.get(root, params=address.params, timeout=30)
                if body is None
                else httpx.post(root, params=address.params, json=body, timeout=30)
            )
            found: dict[str, Any] = reply.json()  # Any: likewise
            return found

        yield process, ask
    finally:
        process.kill()
        process.communicate()


def _session(run: Path, labeller: str) -> Session:
    found = find_records(log_files([run]))
    questions = read_questions(found, disagreements([one.record for one in found]))
    return open_session(run / labels.NAME, labeller, questions, 0)


def _label_all(run: Path, labeller: str = "anna") -> None:
    """Label as who knows the sums would, by the words that the page is shown."""
    session = _session(run, labeller)
    while (turn := session.current) is not None:
        truth = str(_truth(turn.question.words))
        rights = (turn.left.answer == truth, turn.right.answer == truth)
        session.judge(turn, _CHOICES[rights])


def test_a_run_without_labels_prints_bounds_and_no_share_of_right_answers(
    unlabelled: tuple[Path, str],
) -> None:
    printed = " ".join(unlabelled[1].split())
    assert "labels are missing: misstep label" in printed
    assert "No verdict yet" in printed
    assert "not scored yet" in printed
    assert not re.search(r"\d+ of \d+ right", printed)
    assert "unanswered" not in printed


def test_the_labels_of_disagreements_give_the_answer_of_the_file_with_its_answers(
    run: Path, tmp_path: Path
) -> None:
    rows = _rows(tmp_path / "known.csv", with_answers=True)
    full = json.loads(_done("ab", rows, *_ASKING, "--json", "--log-dir", tmp_path / "logs").stdout)
    _label_all(run)
    few = json.loads(_done("compare", run, "--json").stdout)
    (whole,), (one,) = full["comparisons"], few["labelled"]
    found = one["found"]
    for key in ("n", "effect", "interval", "p", "verdict"):
        assert found[key] == whole[key]
    assert (one["lost"], one["gained"]) == (whole["lost"], whole["gained"])
    lost = sum(
        none == sum(_SUMS[place]) != think
        for place in range(len(_SUMS))
        for none, think in [_answers(place)]
    )
    assert one["lost"] == lost
    discordant = one["lost"] + one["gained"]
    assert found["p"] == pytest.approx(float(stats.binomtest(lost, discordant).pvalue))


def test_only_disagreements_are_shown_and_nothing_that_the_browser_gets_names_an_arm(
    run: Path,
) -> None:
    differ = sum(len(set(_answers(place))) == 2 for place in range(len(_SUMS)))
    with _labelling(run) as (_, ask):
        seen = [ask("/state")]
        while (question := seen[-1]["question"]) is not None:
            seen.append(ask("/label", {"question": question["id"], "choice": "neither"}))
    assert len(seen) == differ + 1 < len(_SUMS)
    for word in (*_ARMS, "think", "medium", "arm", "baseline", "reason", "tokens"):
        assert word not in json.dumps(seen)


def test_a_kill_in_the_middle_keeps_every_label_that_was_given(run: Path) -> None:
    with _labelling(run) as (process, ask):
        asked = []
        for choice in ("left", "right", "neither"):
            state = ask("/state")
            asked.append(state["question"]["id"])
            ask("/label", {"question": asked[-1], "choice": choice})
        process.kill()
        process.wait()
    assert [label.disagreement for label in labels.read(run / labels.NAME)] == asked
    again = _session(run, "labeller")
    assert list(again.said) == asked
    assert again.current is not None
    assert again.current.question.id not in asked


def test_ctrl_c_ends_the_page_and_says_how_to_go_on(run: Path) -> None:
    with _labelling(run, "--labeller", "anna") as (process, ask):
        state = ask("/state")
        ask("/label", {"question": state["question"]["id"], "choice": "both"})
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 0
    assert f"1 of {state['total']} disagreements labelled by anna; go on with" in said
    assert "Traceback" not in said


def test_two_people_are_kept_apart_and_their_conflicts_are_named(run: Path) -> None:
    _label_all(run, "anna")
    _label_all(run, "ben")
    first = next(one for one in labels.read(run / labels.NAME) if one.labeller == "ben")
    other = Judgement.NEITHER if first.judgement is not Judgement.NEITHER else Judgement.BOTH
    labels.append(run / labels.NAME, Label(first.item, first.disagreement, "ben", other))
    printed = " ".join(_done("compare", run).output.split())
    assert "anna and ben say the same of" in printed
    assert f"they differ on: {first.item}" in printed
    assert "No verdict yet: 1 of" in printed
    alone = json.loads(_done("compare", run, "--labeller", "anna", "--json").stdout)
    assert alone["labelled"][0]["missing"] == 0
    assert alone["agreements"][0]["conflicts"] == [first.item]


def test_conflicts_are_shown_again_to_who_wants_to_settle_them(run: Path) -> None:
    _label_all(run, "anna")
    first = labels.read(run / labels.NAME)[0]
    other = Judgement.NEITHER if first.judgement is not Judgement.NEITHER else Judgement.BOTH
    labels.append(run / labels.NAME, Label(first.item, first.disagreement, "ben", other))
    with _labelling(run, "--labeller", "ben", "--conflicts") as (_, ask):
        state = ask("/state")
        assert (state["done"], state["total"]) == (0, 1)
        assert state["question"]["id"] == first.disagreement
        assert ask("/label", {"question": first.disagreement, "choice": "cannot_say"})["done"] == 1
    settled = json.loads(_done("compare", run, "--json").stdout)
    assert settled["labelled"][0]["missing"] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("compare", "RUN", "--labeller", "eve"), "--labeller: 'eve' gave no label"),
        (("compare", "RUN", "--between", "models"), "--between: not for runs that go by labels"),
        (("compare", "RUN", "--by", "size"), "--by: not for runs that go by labels"),
        (("check", "RUN"), "misstep label labels where the arms disagree"),
        (("report", "RUN", "--out", "OUT"), "misstep label labels where the arms disagree"),
        (("label", "RUN", "--labeller", " "), "--labeller: ' ' is no name"),
    ],
)
def test_what_labels_cannot_tell_is_refused_in_a_line(
    run: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    places = {"RUN": str(run), "OUT": str(tmp_path / "page.html")}
    result = _run(*(places.get(word, word) for word in words))
    assert isinstance(result.exception, BadInput)
    assert said in str(result.exception)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--label-later", "--scorer", "contains"), "--scorer contains scores by itself"),
        (("--label-later", "--scorer", "choice"), "has no choices"),
        (("--label-later", "--fail-on", "hurts"), "--fail-on: hurts"),
        (("--label-later", "--sequential"), "--label-later: nothing tells when to stop"),
        (("--label-later", "--volume", "1000"), "--volume: 1000"),
        (("--port", "8000"), "are for --label-later"),
    ],
)
def test_options_that_do_not_go_with_labels_are_refused_before_a_call(
    tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    rows = _rows(tmp_path / "sums.csv", with_answers="--port" in options)
    result = _run("ab", rows, "--model", "wavering/x", "--log-dir", tmp_path / "logs", *options)
    assert isinstance(result.exception, BadInput)
    assert said in str(result.exception)
    assert not (tmp_path / "logs").exists()


def test_the_pictures_of_a_question_come_from_the_log(tmp_path: Path) -> None:
    picture = (
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgAB"
        "SK+kcQAAAABJRU5ErkJggg=="
    )
    parts = [
        {"type": "image_url", "image_url": {"url": picture}},
        {"type": "text", "text": "What is 12 + 8?"},
    ]
    row = {"messages": [{"role": "user", "content": parts}]}
    rows = tmp_path / "pictures.jsonl"
    rows.write_text(json.dumps(row) + "\n", encoding="utf-8")
    _done("ab", rows, *_ASKING, "--label-later", "--log-dir", tmp_path / "logs")
    (run,) = (tmp_path / "logs").iterdir()
    (turn,) = _session(run, "anna").turns
    assert turn.question.words == "What is 12 + 8?"
    assert turn.question.pictures == (picture,)


def test_a_run_whose_answers_are_known_has_nothing_to_label(tmp_path: Path) -> None:
    rows = _rows(tmp_path / "known.csv", with_answers=True)
    _done("ab", rows, *_ASKING, "--log-dir", tmp_path / "logs")
    result = _run("label", tmp_path / "logs", "--no-browser")
    assert isinstance(result.exception, BadInput)
    assert "no reply waits for a label" in str(result.exception)
