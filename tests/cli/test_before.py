"""`power`, `cost`, and the budget of `run`, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from misstep.cli import cli
from misstep.cli.running.spending import Calls, spending_words
from misstep.core.errors import BadInput, MisstepError
from spender import MODEL, SPENDING

PRICES = """schema = 1
currency = "USD"
date = 2026-11-30
source = "an example"

[models."spender/x"]
input = 1.0
output = 4.0
reasoning = 6.0
"""


def told(*words: str, keys: str | None = None) -> Result:
    """What the command prints; an error of ours comes out as it would be told."""
    return CliRunner().invoke(cli, words, input=keys, env={"COLUMNS": "80"})


@pytest.fixture
def paid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a price file, and a provider that has charged nothing yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MISSTEP_CACHE", str(tmp_path / "cache"))
    (tmp_path / "prices.toml").write_text(PRICES, encoding="utf-8")
    SPENDING.reset()
    return tmp_path


RUN = ("run", "grammar", "--model", MODEL, "--limit", "12", "--max-tokens", "500",
       "--preflight", "no", "--prices", "prices.toml")  # fmt: skip


def test_power_prints_its_assumptions_and_what_it_takes() -> None:
    done = told("power", "grammar", "--scale", "quick", "--effect", "20")
    assert done.exit_code == 0
    for line in (
        "24 items in 12 groups of 2",
        "discordance .35 (default)",
        "To find 20.0 points:",
        "More items help more:",
        "To show equivalence within 3.0 points, the family's margin",
    ):
        assert line in done.output
    assert max(map(len, done.output.splitlines())) <= 100


def test_power_refuses_a_design_that_cannot_decide_with_exit_1() -> None:
    done = told("power", "grammar", "--groups", "5")
    assert isinstance(done.exception, MisstepError)
    assert done.exception.exit_code == 1
    assert "6 or more groups are needed" in str(done.exception)
    assert "CAN'T DECIDE" in done.output


def test_power_says_the_same_in_json() -> None:
    done = told("power", "grammar", "--groups", "30", "--arms", "direct,cot,tot", "--json")
    plain = json.loads(done.output)
    assert [one["arm"] for one in plain["designs"]] == ["cot", "tot"]
    first = plain["designs"][0]
    assert first["alpha"] == 0.025
    assert first["design"]["groups"] == 30
    assert first["least_groups"] == 7
    assert first["detectable"] > 10


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--arms", "direct"), "--arms: 'direct' alone has nothing to be compared with"),
        (("--arms", "direct,cott"), "unknown arm 'cott'"),
        (("--effect", "0"), "--effect: 0 is not between 0 and 100"),
        (("--effect", "100"), "--effect: 100 is not between"),
        (("--effect", "nan"), "--effect: nan is not between"),
        (("--power", "1"), "--power: 1 is not from 0.05 to 0.999"),
        (("--discordance", "1.5"), "--discordance: 1.5 is not from 0 to 1"),
        (("--icc", ".1", "--between-sd", ".1"), "--icc: says the same as --between-sd"),
        (("--groups", "9", "--limit", "8"), "--groups: --limit says the number"),
        (("--from", "nowhere"), "RUN: nowhere does not exist"),
    ],
)
def test_power_refuses_odd_input_in_a_line(words: tuple[str, ...], said: str) -> None:
    done = told("power", "grammar", *words)
    assert isinstance(done.exception, BadInput)
    assert said in str(done.exception)


def test_cost_says_what_is_free_and_what_is_unknown_and_never_nought(paid: Path) -> None:
    done = told("cost", "grammar", "--model", "ref/acs", "--model", "other/model", "--model", MODEL,
                "--prices", "prices.toml")  # fmt: skip
    assert done.exit_code == 0
    assert "free, on this machine" in done.output
    assert "the price of other/model is unknown" in done.output
    assert "by the price of 2026-11-30, an example" in done.output
    assert "all together: unknown" in done.output
    assert "0 USD" not in done.output.replace("0.", "")


def test_cost_in_json_has_low_and_high_of_each_arm(paid: Path) -> None:
    done = told("cost", "grammar", "--model", MODEL, "--prices", "prices.toml", "--json")
    cost = json.loads(done.output)["cost"]
    assert [arm["arm"] for arm in cost["arms"]] == ["direct", "cot"]
    for part in ("calls", "input", "output", "money"):
        low, high = (sum(arm[part][end] for arm in cost["arms"]) for end in ("low", "high"))
        assert 0 < low <= high
    assert cost["money"] == {"low": pytest.approx(low), "high": pytest.approx(high)}


def test_a_run_within_its_budget_is_not_asked_about(paid: Path) -> None:
    done = told(*RUN, "--budget", "1")
    assert done.exit_code == 0, done.exception
    assert "within the budget of 1 USD" in done.stderr
    assert SPENDING.calls == 24


def test_a_script_may_not_go_above_its_budget_without_yes(paid: Path) -> None:
    done = told(*RUN, "--budget", "0.01")
    assert isinstance(done.exception, BadInput)
    assert "--yes runs it" in str(done.exception)
    assert SPENDING.calls == 0


def test_a_person_is_asked_once(paid: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("misstep.cli.running.spending.is_person", lambda: True)
    refused = told(*RUN, "--budget", "0.004", keys="n\n")
    assert "Go on, and stop before 0.004 USD is passed?" in refused.stderr
    assert "nothing was asked" in str(refused.exception)
    assert SPENDING.calls == 0
    agreed = told(*RUN, "--budget", "0.004", keys="y\n")
    assert "is spent" in str(agreed.exception)
    assert 0 < SPENDING.charged <= 0.004


def test_with_yes_a_run_stops_before_its_budget_is_passed_and_goes_on_with_another(
    paid: Path,
) -> None:
    done = told(*RUN, "--budget", "0.004", "--yes")
    assert isinstance(done.exception, MisstepError)
    assert "before the budget of 0.004 USD is passed" in str(done.exception)
    assert 0 < SPENDING.charged <= 0.004
    calls = SPENDING.calls
    assert told(*RUN, "--budget", "1").exit_code == 0
    assert SPENDING.calls == 24, "nothing is asked twice"
    assert 0 < calls < 24
    assert "costs nothing more" in told(*RUN, "--budget", "0.001").stderr


def test_a_budget_is_of_the_whole_run_however_often_it_is_begun(paid: Path) -> None:
    for _ in range(3):
        done = told(*RUN, "--budget", "0.004", "--yes")
        assert "before the budget of 0.004 USD is passed" in str(done.exception)
        assert "is left" in str(done.exception)
        assert SPENDING.charged <= 0.004
    assert "of it before)" in str(done.exception)
    more = told(*RUN, "--budget", "1")
    assert "beside the 0.00" in more.stderr
    assert more.exit_code == 0


def test_one_budget_is_of_all_families_and_models(paid: Path) -> None:
    prices = Path("prices.toml").read_text(encoding="utf-8")
    Path("two.toml").write_text(prices + prices[prices.index("[models") :].replace("/x", "/y"))
    asked = [
        "run", "grammar", "inconsistency", "--model", MODEL, "--model", "spender/y",
        "--max-tokens", "500", "--prices", "two.toml", "--limit", "2", "--preflight", "no",
    ]  # fmt: skip
    whole = told(*asked, "--budget", "1", "--log-dir", "whole")
    assert whole.exit_code == 0, whole.exception
    charged = SPENDING.charged
    SPENDING.reset()
    part = told(*asked, "--budget", f"{0.7 * charged:.6f}", "--yes")
    assert isinstance(part.exception, MisstepError)
    assert 0 < SPENDING.charged <= 0.7 * charged
    assert "spender/x" in part.stdout, "what was finished before is shown"


def test_a_budget_without_a_price_or_a_limit_is_refused(paid: Path) -> None:
    unpriced = told(*RUN[:-2], "--budget", "1")
    assert "the price of spender/x is unknown" in str(unpriced.exception)
    unlimited = told("run", "grammar", "--model", MODEL, "--prices", "prices.toml", "--budget", "1")
    assert "--max-tokens is needed" in str(unlimited.exception)
    assert SPENDING.calls == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--budget", "0"), "--budget: 0 is no sum above 0"),
        (("--budget", "inf"), "--budget: inf is no sum above 0"),
        (("--yes",), "there is no --budget"),
        (("--prices", "none.toml"), "--prices: none.toml: No such file"),
    ],
)
def test_odd_budgets_are_refused(paid: Path, words: tuple[str, ...], said: str) -> None:
    done = told("run", "grammar", "--model", "ref/acs", *words)
    assert isinstance(done.exception, BadInput)
    assert said in str(done.exception)


def test_a_run_says_before_its_first_call_that_it_can_never_be_significant(paid: Path) -> None:
    done = told("run", "grammar", "--model", MODEL, "--limit", "8", "--preflight", "no")
    assert "! grammar: 4 independent groups can never be significant" in done.stderr
    assert "can never be significant" not in told(*RUN).stderr


def test_the_command_that_goes_on_repeats_prices_and_budget() -> None:
    usual = Calls()
    assert spending_words(Path("p.toml"), 2.5, usual) == ["--prices", "p.toml", "--budget", "2.5"]
    assert spending_words(None, None, usual) == []
    assert spending_words(None, None, Calls(4, True)) == ["--batch", "--connections", "4"]
