"""Statements checked, rated and made by the commands, with a provider that answers as told."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from inspect_ai.model import ChatMessage, ModelOutput

from misstep.cli import cli
from misstep.cli.materials.apartments import _told
from misstep.core.errors import BadInput, MisstepError
from misstep.core.outcomes import Reply
from misstep.families.apartments.statements import (
    LEVELS,
    SHIPPED,
    rating,
    read_checked,
    read_statements,
    write_statements,
)
from misstep.runner.prompting import Work
from recorder import RECORDER, said

FOUND = read_statements(SHIPPED)
RATINGS = {one.text: one.rating for feature in FOUND.features for one in feature.statements}
TEXTS = {
    level: [feature.statements[at].text for feature in FOUND.features]
    for at, level in enumerate(LEVELS)
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    RECORDER.reset()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def misstep(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), standalone_mode=False)


def rated(messages: list[ChatMessage]) -> ModelOutput:
    """One more than the file has, and no answer for one statement."""
    text = (
        messages[-1].text.splitlines()[0].removeprefix("Here is a statement about an apartment: ")
    )
    if text.startswith("Trams"):
        return said("That depends.")
    return said(str(min(5, (RATINGS[text] or 0) + 1)))


def made(messages: list[ChatMessage]) -> ModelOutput:
    """The shipped statements, in the list that the prompt asks for."""
    words = messages[-1].text
    kinds = {"Generate 80 positive": "positive", "exact opposite": "negative", "is worse": "upper"}
    level = next((level for cue, level in kinds.items() if cue in words), "lower")
    return said("\n".join(f"{at}. {text}" for at, text in enumerate(TEXTS[level], 1)))


def test_a_file_without_a_fault_is_said_to_have_none() -> None:
    done = misstep("apartments-check")
    assert done.output.endswith("80 features with 4 statements each, no fault\n")
    plain = json.loads(misstep("apartments-check", "--json").output)
    assert (plain["features"], plain["faults"]) == (80, [])


def test_every_fault_is_printed_and_counted(here: Path) -> None:
    text = SHIPPED.read_text(encoding="utf-8")
    text = text.replace('rating = 4, text = "Trams', 'rating = 1, text = "Tram 5')
    (here / "mine.toml").write_text(text.replace("the corner.", "the corner"), encoding="utf-8")
    done = misstep("apartments-check", "mine.toml")
    assert isinstance(done.exception, BadInput)
    assert str(done.exception) == "mine.toml: 3 faults"
    assert len(done.output.splitlines()) == 3


def test_a_rating_goes_on_where_it_failed_and_writes_what_it_found(here: Path) -> None:
    words = ("apartments-rate", "--model", "recorder/x", "--most", "2")
    RECORDER.answer, RECORDER.fails_at = rated, 100
    failed = misstep(*words)
    assert isinstance(failed.exception, MisstepError)
    assert re.search(
        r"the line is dead.*; 99 replies are kept in logs/apartments-rate-recorder-x-\w+; "
        "the same command goes on from there",
        str(failed.exception),
    )
    RECORDER.requests.clear()
    RECORDER.fails_at = None
    done = misstep(*words, "--out", "new.toml", "--json")
    assert (done.exception, len(RECORDER.requests)) == (None, 320 - 99)
    check_written(here / "new.toml")
    plain = json.loads(done.output)
    assert plain["unread"] == ["transport: positive"]
    assert plain["agreement"]["number"] == 319
    assert [row["shift"] for row in plain["differing"]] == [1, 1]


def test_a_rating_is_told_by_agreement_and_by_what_differs_most() -> None:
    now = [None, *list(RATINGS.values())[1:]]
    now[2] = 5
    rows = rating.rated(FOUND, now)
    told = _told(
        Work("apartments-rate", "a/b"),
        Path("f.toml"),
        rating.agreement(rows),
        rating.most_different(rows, 9),
        ["transport: positive"],
    )
    assert told == [
        "a/b on f.toml",
        "  no rating from -5 to 5 read for transport: positive",
        "  statements rated by both  319, 318 of them alike",
        "  rank correlation          0.993 (Spearman)",
        "  mean shift                +0.02 (model less file)",
        "  mean distance             0.02",
        "",
        "  file  model  statement",
        "    -1     +5  On Sundays and late at night no bus goes past.",
    ]


def check_written(path: Path) -> None:
    """The model's ratings stand there; the one that could not be read is missing, which is said."""
    new = read_statements(path)
    assert new.rated_by == "recorder/x"
    assert [one.rating for one in new.features[0].statements] == [None, 3, 0, -3]
    with pytest.raises(BadInput, match="feature transport: positive: rating: missing"):
        read_checked(path)


def test_what_a_model_makes_is_checked_written_and_can_be_rated_and_run(here: Path) -> None:
    RECORDER.answer = made
    done = misstep("apartments-make", "--model", "recorder/x", "--out", "made.toml")
    assert (done.exception, done.output) == (None, "written: made.toml\n")
    assert len(RECORDER.requests) == 4
    found = read_statements(here / "made.toml")
    assert [one.text for one in found.features[2].statements] == [
        TEXTS[level][2] for level in LEVELS
    ]
    rated_file = rating.with_ratings(found, "a/b", list(RATINGS.values()))
    write_statements(here / "rated.toml", rated_file)
    done = misstep("items", "apartments", "--limit", "1", "-T", "statements=rated.toml")
    assert done.exception is None
    assert '"delta": "0.1-0.3"' in done.output


def test_faults_of_what_a_model_made_are_named_and_the_file_is_kept(here: Path) -> None:
    before = TEXTS["negative"][2]
    RECORDER.answer = lambda messages: said(
        made(messages).completion.replace(before, TEXTS["negative"][0])
    )
    done = misstep("apartments-make", "--model", "recorder/x", "--out", "made.toml")
    assert isinstance(done.exception, MisstepError)
    assert str(done.exception) == "made.toml: 1 fault to mend by hand before use"
    assert "feature 03: negative: text: 'To catch a bus" in done.output
    assert (here / "made.toml").exists()


def test_a_reply_that_is_no_list_ends_the_making_with_one_line(here: Path) -> None:
    RECORDER.answer = lambda _messages: said("1. A flat.\n2. A flat.")
    done = misstep("apartments-make", "--model", "recorder/x", "--out", "made.toml")
    assert isinstance(done.exception, MisstepError)
    assert "--model: recorder/x: positive statements: the reply has 2 numbered lines" in str(
        done.exception
    )
    assert not (here / "made.toml").exists()


def test_a_model_that_rates_nothing_leaves_an_earlier_file_alone(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "rated.toml").write_text("earlier", encoding="utf-8")
    replies = [Reply("I can't say.")] * 320  # asked in earnest they take seconds
    monkeypatch.setattr("misstep.cli.materials.apartments._asked", lambda _work, _prompts: replies)
    done = misstep("apartments-rate", "--model", "recorder/x", "--out", "rated.toml")
    assert isinstance(done.exception, MisstepError)
    assert str(done.exception).startswith(
        "--model: recorder/x: no reply holds a whole number from -5 to 5; all 320 are kept in "
    )
    assert (here / "rated.toml").read_text(encoding="utf-8") == "earlier"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("apartments-rate", "--model", "x"), "--model: 'x' should be PROVIDER/MODEL"),
        (
            ("apartments-rate", "--model", "recorder/x", "--max-tokens", "0"),
            "--max-tokens: 0 is below 1",
        ),
        (
            ("apartments-rate", "--model", "recorder/x", "--out", "no/where.toml"),
            "--out: no/where.toml: its folder is missing",
        ),
        (("apartments-make", "--model", "recorder/x", "--out", "."), "--out: .: is a folder"),
        (
            ("apartments-make", "--model", "recorder/x", "--out", "m.toml", "--temperature", "nan"),
            "--temperature: nan is not between 0 and 10",
        ),
        (("apartments-rate", "--model", ""), "--model: '' should be PROVIDER/MODEL"),
        (("apartments-rate", "--statements", "none.toml"), "none.toml: cannot be read"),
    ],
)
def test_bad_input_is_said_before_anything_is_asked(words: tuple[str, ...], message: str) -> None:
    done = misstep(*words)
    assert isinstance(done.exception, BadInput)
    assert str(done.exception).startswith(message)
    assert RECORDER.requests == []
