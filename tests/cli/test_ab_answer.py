"""The answer of misstep ab: which arm to take, exit codes, JUnit, JSON, the page, no call twice."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from click.testing import CliRunner, Result
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage

from misstep.cli import cli
from misstep.core.errors import BadInput, MisstepError
from recorder import RECORDER, Recorder, said

ROWS, LOST = 16, 8
TABLE = "id,question,answer,topic\n" + "".join(
    f"q{n:02d},What is {n} + 3?,{n + 3},{'even' if n % 2 == 0 else 'odd'}\n" for n in range(ROWS)
)


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    RECORDER.reset()
    yield RECORDER
    RECORDER.reset()


def misstep(*words: str) -> Result:
    known = ["ab", "sums.csv", "--model", "recorder/x", "--preflight", "no"]
    asked = [*known, "--scorer", "number", "--arms", "direct,cot", *words]
    return CliRunner().invoke(cli, asked, catch_exceptions=True)


def reply(messages: list[ChatMessage], wrong_when_reasoning: int) -> ModelOutput:
    """Right, but for the first few sums of whoever is asked to reason, who also says more."""
    text = messages[-1].text
    number = int(re.findall(r"(\d+) \+ 3", text)[0])
    is_reasoning = "reason about" in text
    is_wrong = is_reasoning and number < wrong_when_reasoning
    output = said(f"Answer: {number + (4 if is_wrong else 3)}")
    tokens = 90 if is_reasoning else 10
    output.usage = ModelUsage(input_tokens=10, output_tokens=tokens, total_tokens=10 + tokens)
    return output


def asked_once(folder: Path, wrong_when_reasoning: int) -> Path:
    """A folder in which the run is there; whoever asks again finds its replies."""
    (folder / "sums.csv").write_text(TABLE)
    RECORDER.reset()
    RECORDER.answer = lambda messages: reply(messages, wrong_when_reasoning)
    with contextlib.chdir(folder):
        done = misstep()
    assert done.exception is None, done.output
    assert len(RECORDER.requests) == 2 * ROWS
    return folder


@pytest.fixture(scope="module")
def hurt_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asked_once(tmp_path_factory.mktemp("hurt"), LOST)


@pytest.fixture(scope="module")
def same_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asked_once(tmp_path_factory.mktemp("same"), 0)


@pytest.fixture
def hurt(recorder: Recorder, hurt_folder: Path) -> Iterator[Recorder]:
    """A provider that is never asked, where thinking hurt."""
    with contextlib.chdir(hurt_folder):
        yield recorder
    assert recorder.requests == []


@pytest.fixture
def same(recorder: Recorder, same_folder: Path) -> Iterator[Recorder]:
    """Likewise, where both arms were right throughout."""
    with contextlib.chdir(same_folder):
        yield recorder
    assert recorder.requests == []


def plain(done: Result) -> Any:  # Any: JSON values
    return json.loads(done.stdout)


def refused(done: Result) -> str:
    assert isinstance(done.exception, BadInput), done.output
    return str(done.exception)


def test_the_last_sentence_says_which_arm_to_take(hurt: Recorder) -> None:
    done = misstep()
    assert done.exception is None, done.output
    text = " ".join(done.stdout.split())
    assert text.endswith(
        "Don't pay for cot here: it is worse than direct by 50.0 points, and direct comes at 1/5 "
        "of the tokens."
    )
    assert "time of an answer, median: direct " in text
    assert "lost 8 items, gained 0 items of 16" in text
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_verdict_that_was_named_is_exit_code_1_with_a_line(hurt: Recorder) -> None:
    done = misstep("--fail-on", "hurts")
    assert isinstance(done.exception, MisstepError)
    assert done.exception.exit_code == 1
    assert str(done.exception).startswith(
        "--fail-on: (hurts): ab:sums, recorder/x: cot against direct: hurts, \N{MINUS SIGN}50.0"
    )
    assert "\n" not in str(done.exception)
    assert misstep("--fail-on", "helps,undecided").exception is None


def test_an_arm_that_is_not_shown_to_be_no_worse_fails_at_its_margin(same: Recorder) -> None:
    assert misstep("--fail-on", "not-noninferior", "--margin", "30").exception is None
    done = misstep("--fail-on", "not-noninferior", "--margin", "2")
    assert "(not-noninferior)" in str(done.exception)
    assert "not shown to be at most 2 points worse" in str(done.exception)


def test_a_second_run_asks_nothing_and_says_the_same(hurt: Recorder) -> None:
    first = plain(misstep("--json"))
    again = plain(misstep("--json", "--fail-on", "hurts"))
    assert hurt.requests == []
    assert again.pop("check")["passed"] is False
    assert again == first


def test_junit_has_a_case_that_failed(hurt: Recorder) -> None:
    misstep("--fail-on", "hurts", "--junit", "checks.xml")
    root = Xml.parse("checks.xml").getroot()  # noqa: S314 (our own file)
    assert (root.get("tests"), root.get("failures")) == ("1", "1")
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.get("type") == "hurts"


def test_json_has_the_answer_beside_the_comparisons(hurt: Recorder) -> None:
    found = plain(misstep("--json", "--volume", "50000"))
    (worth,) = found["worth"]
    assert worth["tokens"] == {"baseline": 20.0, "arm": 100.0}
    assert worth["latency"]["replies"] == 2 * ROWS
    assert (found["margin"], found["volume"]) == (3.0, 50000.0)
    (advice,) = found["advice"]
    assert (advice["why"], advice["arm"]) == ("worse", "direct")
    (exchanged,) = found["exchanged"]
    assert sorted(exchanged["lost"]) == [f"q{n:02d}" for n in range(LOST)]
    levels = exchanged["factors"]["topic"]
    assert {one["level"]: one["lost"] for one in levels} == {"even": 4, "odd": 4}


def test_the_page_shows_lost_items_with_both_replies(hurt: Recorder) -> None:
    done = misstep("--out", "page.html", "--volume", "50000")
    assert done.stdout.splitlines()[-1].startswith("wrote ")
    text = Path("page.html").read_text()
    assert "Which arm to take" in text
    assert "Lost: 8 items" in text
    assert text.count('<div class="pair">') == LOST
    CliRunner().invoke(cli, ["report", "logs", "--out", "later.html"], catch_exceptions=False)
    assert "Lost: 8 items" in Path("later.html").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--margin", "0"), "--margin: 0 is not above 0"),
        (("--margin", "100"), "--margin: 100 is not below 100 points"),
        (("--volume", "-5"), "--volume: -5 is no number of calls above 0"),
        (("--fail-on", "worse"), "--fail-on: 'worse' is none of hurts"),
        (("--junit", "x.xml"), "--junit: x.xml would hold no check"),
        (("--out", "page.pdf"), "--out: 'page.pdf' ends in none of"),
    ],
)
def test_bad_options_are_refused_before_anything_is_asked(
    same: Recorder, words: tuple[str, ...], said: str
) -> None:
    assert refused(misstep(*words)).startswith(said)


def test_a_factor_that_no_item_has_is_refused(same: Recorder) -> None:
    assert "--by: no item has a factor 'length'; known: topic" in refused(misstep("--by", "length"))
