"""The check of the first answers, as a user of the command meets it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import misstep
import thinkers
from misstep.cli import cli
from misstep.core.errors import BadInput, MisstepError

FIRST = "Are the arms what they claim?"
TITLE = "Were the arms what they claim?"


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    thinkers.CALLS.clear()


def run(words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(
        cli, ["run", "grammar", "--limit", "4", *shlex.split(words)], input=given
    )


def plain(text: str) -> str:
    """With line breaks as spaces."""
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("model", "arms", "said"),
    [
        ("ignores_off", "think:none,think:low", "think:none thinks although it is to answer at"),
        ("ignores_off", "direct,think:low", "direct thinks although it is to answer at once: 3 of"),
        ("beside", "think:none", "think:none thinks although it is to answer at once"),
        ("ignores_budget", "direct,think:1000", "think:1000 ignores its budget: 3,000 thinking"),
        ("ignores_budget", "think:low,think:high", "think:high takes no more thinking than think:"),
        ("forces_temperature", "direct,think:low", "think:low is asked at temperature 0, answered"),
        ("hides", "direct,think:high", "think:high hides its thinking: 2,503 tokens a call for"),
        ("deaf", "direct,think:high", "think:high shows no sign of thinking in 3 answers"),
    ],
)
def test_an_arm_that_is_not_what_it_claims_is_named_before_the_run(
    model: str, arms: str, said: str
) -> None:
    done = run(f"--model {model}/x --arms {arms} --preflight only")
    assert done.exit_code == 0
    assert FIRST in done.stdout
    assert f"! {said}" in plain(done.stdout)
    assert len(thinkers.CALLS) == 3 * len(arms.split(","))


def test_a_limit_that_cuts_off_thinking_is_named_before_the_rest_is_paid_for() -> None:
    stopped = run("--model cut_off/x --max-tokens 20 --strict-arms")
    assert isinstance(stopped.exception, MisstepError)
    assert "! direct is cut off while it thinks: 3 of 3 answers reach the limit of 20" in plain(
        stopped.stdout
    )
    assert len(thinkers.CALLS) == 6


def test_no_arm_is_capped_by_itself() -> None:
    done = run("--model cut_off/x --strict-arms")
    assert done.exit_code == 0, done.output
    assert {config.max_tokens for config in thinkers.CALLS} == {None}


@pytest.mark.parametrize("model", ["honest", "aloud"])
def test_honest_arms_are_named_by_nothing(model: str) -> None:
    done = run(
        f"--model {model}/x --arms direct,think:none,think:low,think:high,think:700 --strict-arms"
    )
    assert done.exit_code == 0, done.output
    assert done.stdout.count("Yes, as far as the answers show.") == 2
    assert len(thinkers.CALLS) == 5 * 4


def test_a_script_goes_on_with_a_warning_and_strict_arms_stops() -> None:
    stopped = run("--model ignores_off/x --arms think:none --strict-arms")
    assert isinstance(stopped.exception, MisstepError)
    assert not isinstance(stopped.exception, BadInput)
    assert str(stopped.exception).startswith("--strict-arms: think:none on ignores_off/x: thinks")
    assert len(thinkers.CALLS) == 3
    done = run("--model ignores_off/x --arms think:none")
    assert done.exit_code == 0
    assert "! going on all the same; --strict-arms would stop here" in done.stdout
    assert len(thinkers.CALLS) == 4


def test_a_person_is_asked_and_may_say_no(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("misstep.cli.running.preflight.is_interactive", lambda: True)
    done = run("--model ignores_off/x --arms think:none", given="n\n")
    assert isinstance(done.exception, MisstepError)
    assert "stopped after the preflight; its replies are kept in logs" in str(done.exception)
    assert len(thinkers.CALLS) == 3
    assert run("--model ignores_off/x --arms think:none", given="y\n").exit_code == 0
    assert len(thinkers.CALLS) == 4


def test_a_model_that_reports_thinking_is_checked_without_an_arm_about_it() -> None:
    done = run("--model ignores_off/x --arms direct,cot --preflight auto")
    assert "! direct thinks although it is to answer at once: 3 of 3 answers, 120" in plain(
        done.stdout
    )
    assert len(thinkers.CALLS) == 8


def test_a_model_that_does_not_think_is_not_spoken_of() -> None:
    done = run("--model honest/x --arms direct,cot")
    assert "the arms what they claim" not in done.stdout
    assert len(thinkers.CALLS) == 8


def test_without_the_preflight_the_finished_run_still_says_it() -> None:
    done = run("--model hides/x --arms direct,think:high --preflight no")
    assert done.stdout.count(TITLE) == 1
    assert "! think:high hides its thinking" in plain(done.stdout)
    compared = CliRunner().invoke(cli, ["compare", "logs"])
    assert "! think:high hides its thinking" in plain(compared.stdout)


def test_json_says_it_under_keys_of_its_own() -> None:
    only = json.loads(run("--model hides/x --arms think:low --preflight only --json").stdout)
    whole = json.loads(run("--model hides/x --arms think:low --json").stdout)
    for found in (only, whole):
        assert [one["kind"] for one in found["claims"]] == ["hidden_thinking"]
        assert found["arms_as_asked"][0]["thinking"] == "low"
    assert (only["arms_as_asked"][0]["n"], whole["arms_as_asked"][0]["n"]) == (3, 4)


def test_from_python_a_finding_is_a_warning_or_with_strict_arms_an_error() -> None:
    with pytest.raises(MisstepError, match="strict_arms: think:none on ignores_off/x"):
        misstep.run("grammar", "ignores_off/x", arms=["think:none"], limit=4, strict_arms=True)
    with pytest.warns(UserWarning, match="think:none on ignores_off/x thinks although"):
        misstep.run("grammar", "ignores_off/x", arms=["think:none"], limit=4)
    with pytest.raises(BadInput, match="preflight: 'only' is none of auto, yes, no"):
        misstep.run("grammar", "ignores_off/x", preflight="only")


def test_an_arms_file_is_part_of_what_a_run_is(tmp_path: Path) -> None:
    file = tmp_path / "arms.toml"
    folders: set[Path] = set()
    for words in ("Yes or No.", "No or Yes."):
        file.write_text(
            f'schema = 1\n[arms.mine]\nsystem = "Be brief."\ninstruction = "{words}"\n'
            "thinking = 300\n"
        )
        done = run(f"--model honest/x --arms-file {file} --max-tokens 90")
        assert done.exit_code == 0, done.output
        (manifest,) = set(tmp_path.glob("logs/*/manifest.json")) - folders
        folders.add(manifest)
        stored = json.loads(manifest.read_text())
        assert stored["arms"] == ["direct", "mine"]
        assert stored["own_arms"]["mine"]["instruction"] == words
    assert len(folders) == 2
    assert {(one.reasoning_tokens, one.max_tokens) for one in thinkers.CALLS} == {
        (None, 90),
        (300, 390),
    }


def test_an_arm_of_ones_own_can_be_graded_again_and_voted_over(tmp_path: Path) -> None:
    file = tmp_path / "arms.toml"
    file.write_text('schema = 1\n[arms.mine]\nafter = "Yes or No?"\n')
    assert run(f"--model honest/x --arms-file {file} --arms mine+vote3").exit_code == 0
    assert len(thinkers.CALLS) == 12
    graded = CliRunner().invoke(cli, ["regrade", "logs"])
    assert graded.exit_code == 0, graded.output
    assert "0 of 4 grades changed" in graded.stdout


def test_a_bad_arms_file_is_one_line_before_anything_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "arms.toml"
    file.write_text('schema = 1\n[arms.mine]\ntemperature = "hot"\n')
    done = run(f"--model honest/x --arms-file {file}")
    assert isinstance(done.exception, BadInput)
    assert str(done.exception).startswith(f"{file}: arm 'mine': temperature: 'hot'")
    assert thinkers.CALLS == []
