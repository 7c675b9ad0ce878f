"""`misstep compare` on the runs of two reference solvers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from misstep.cli import cli
from misstep.core.errors import BadInput


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("two") / "logs"
    solvers = ("--model", "ref/acs", "--model", "ref/bigram-rule")
    called("run", "grammar", *solvers, "--log-dir", str(place))
    return place


def called(*words: str) -> str:
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def compared(logs: Path, *words: str) -> str:
    return called("compare", str(logs), *words)


def test_two_models_are_compared_in_each_arm(logs: Path) -> None:
    plain = json.loads(compared(logs, "--between", "models", "--json"))
    assert [
        (one["who"], one["baseline_who"], one["arm"], one["between"])
        for one in plain["comparisons"]
    ] == [
        ("ref/bigram-rule", "ref/acs", arm, "models") for arm in ("direct", "cot")
    ]  # fmt: skip
    assert plain["effects"] == plain["notes"] == plain["cheapest"] == []


def test_the_baseline_can_be_named(logs: Path) -> None:
    words = ("--between", "models", "--baseline", "ref/bigram-rule")
    text = " ".join(compared(logs, *words).split())
    assert "grammar, arm direct: 24 items in 12 groups" in text
    assert "ref/acs against ref/bigram-rule: " in text


def test_a_margin_prints_what_can_be_said_of_it(logs: Path) -> None:
    text = " ".join(compared(logs, "--non-inferiority", "20").split())
    assert "direct is at most 20 points worse than cot: " in text
    plain = json.loads(compared(logs, "--non-inferiority", "20", "--json"))
    assert {one["non_inferiority"]["margin"] for one in plain["comparisons"]} == {20.0}


def test_what_could_not_be_compared_is_said_beneath(tmp_path: Path) -> None:
    place = tmp_path / "logs"
    solver = ("--model", "ref/acs", "--log-dir", str(place))
    called("run", "grammar", *solver, "--arms", "direct", "--seed", "3")
    called("run", "grammar", *solver, "--arms", "cot", "--seed", "4")
    text = " ".join(compared(place).split())
    assert "ref/acs: direct and cot share no item (24 such as 'grammar-3-" in text
    assert "were they made with different seeds or options?" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--baseline", "ref/acs"), "--baseline: 'ref/acs' is for --between models only"),
        (
            ("--between", "models", "--baseline", "x"),
            "--baseline: 'x' is not among ref/acs, ref/bigram-rule",
        ),
        (("--non-inferiority", "0"), "--non-inferiority: 0 is not above 0"),
        (("--non-inferiority", "nan"), "--non-inferiority: nan is not above 0"),
        (("--non-inferiority", "100"), "--non-inferiority: 100 is not below 100 points"),
        (("--mid-p",), "--mid-p: no comparison here is one of single items"),
    ],
)
def test_options_that_cannot_be_are_refused_by_name(
    logs: Path, words: tuple[str, ...], said: str
) -> None:
    with pytest.raises(BadInput) as caught:
        compared(logs, *words)
    assert str(caught.value).startswith(said)


def test_one_model_cannot_be_compared_between_models(logs: Path) -> None:
    single = next(path for path in sorted(logs.iterdir()) if path.is_dir())
    with pytest.raises(BadInput, match="--between models: the records hold only 'ref/"):
        called("compare", str(single), "--between", "models")
