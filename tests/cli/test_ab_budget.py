"""A fixed sum of money for `misstep ab`, as a user of the command meets it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import payer
from misstep.cli import cli
from misstep.core.errors import BadInput, MisstepError

LOGS = Path("logs")


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    payer.PAYING.reset(plain=0.5, thinking=0.75)
    rows = [f"Is number {number} even?,Yes,g{number // 2}" for number in range(100)]
    Path("q.csv").write_text("\n".join(["question,answer,pair", *rows]) + "\n", encoding="utf-8")


def ab(words: str) -> Result:
    model = "--model payer/x --arms think:none,think:low --preflight no"
    return CliRunner().invoke(cli, ["ab", "q.csv", *shlex.split(f"{model} {words}")])


def plain(text: str) -> str:
    """With line breaks as spaces."""
    return " ".join(text.split())


def test_a_script_is_told_the_plan_and_goes_on_with_yes() -> None:
    told = ab("--budget 3 --price 2,10,USD")
    assert isinstance(told.exception, MisstepError)
    assert "--yes carries it out; the pilot's replies are kept in" in str(told.exception)
    said = plain(told.output)
    assert "Pilot: 25 items in each arm" in said
    assert "With 3.00 USD you can detect" in said
    assert "points or establish non-inferiority at" in said
    assert "It will probably stop near" in said or "at an end before a verdict" in said
    assert payer.PAYING.calls == 50
    assert payer.PAYING.charged < 0.2 * 3
    done = ab("--budget 3 --price 2,10,USD --yes")
    assert done.exit_code == 0, done.output
    said = plain(done.output)
    assert "25 items in each arm, which were known already" in said
    assert "HELPS" in said
    assert payer.PAYING.charged <= 3
    assert payer.PAYING.calls < 200, "it stopped at the verdict"


def test_the_plan_is_printed_as_json() -> None:
    told = CliRunner().invoke(
        cli,
        shlex.split(
            "ab q.csv --model payer/x --arms think:none,think:low --preflight no --budget 1 "
            "--price 2,10,USD --json"
        ),
    )
    found = json.loads(told.stdout)["plan"]
    assert found["budget"] == 1.0
    assert found["currency"] == "USD"
    assert found["pilot"]["spent"] == pytest.approx(payer.PAYING.charged)
    assert [one["arm"] for one in found["pilot"]["replies"]] == ["think:none", "think:low"]
    # The worst of a call: all bytes of the question, 8,000 tokens of reply and 4,096 of thinking.
    assert found["dearest_call"] == pytest.approx(0.121, abs=0.0005)


def test_where_the_money_ends_before_a_verdict_it_says_so_and_what_more_would_take() -> None:
    payer.PAYING.reset(plain=0.6, thinking=0.62, median=900.0)
    done = ab("--group pair --budget 1.5 --price 2,10,USD --yes --max-tokens 2000")
    assert done.exit_code == 0, done.output
    said = plain(done.output)
    assert "The money ended before a verdict: 1." in said
    assert "UNDECIDED" in said
    assert "interval and p are anytime-valid" in said
    assert 1.5 - 0.0612 < payer.PAYING.charged <= 1.5


def test_a_budget_that_pays_for_no_pilot_is_refused_with_a_sum_that_would() -> None:
    refused = ab("--budget 0.5 --price 2,10,USD")
    assert isinstance(refused.exception, MisstepError)
    assert "the pilot may take 0.1, 20% of the sum" in str(refused.exception)
    assert "a sum of 1.2 would do, or a lower --max-tokens" in str(refused.exception)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--budget 3", "the price of payer/x is unknown; --price IN,OUT gives it"),
        ("--budget 0 --price 2,10", "--budget: 0 is no sum above 0"),
        ("--yes", "there is no --budget"),
        ("--budget 3 --price 2", "should be IN,OUT"),
        ("--budget 3 --price 2,10 --label-later", "nothing tells when to stop"),
    ],
)
def test_what_does_not_fit_is_refused_before_the_first_call(words: str, said: str) -> None:
    refused = ab(words)
    assert isinstance(refused.exception, BadInput)
    assert said in str(refused.exception)
    assert payer.PAYING.calls == 0


def test_a_person_is_asked_once_and_may_decline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("misstep.cli.own.budgeting.is_person", lambda: True)
    words = "--model payer/x --arms think:none,think:low --preflight no --budget 3 --price 2,10"
    declined = CliRunner().invoke(cli, ["ab", "q.csv", *shlex.split(words)], input="n\n")
    assert declined.output.count("Go on?") == 1
    assert "nothing more was asked; the pilot's replies are kept in" in str(declined.exception)
    assert payer.PAYING.calls == 50
