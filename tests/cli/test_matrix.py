"""`misstep compare --matrix` and `--predictions` as commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import misstep
from misstep.cli import cli
from misstep.core.errors import BadInput


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("matrix") / "logs"
    misstep.run("grammar", "ref/acs", log_dir=place)
    return place


def called(*words: str) -> str:
    done = CliRunner().invoke(cli, ["compare", *words], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_the_matrix_is_printed_and_written(logs: Path, tmp_path: Path) -> None:
    out = tmp_path / "matrix.csv"
    text = called(str(logs), "--matrix", "--out", str(out))
    assert "− direct" in text
    assert f"wrote {out}" in text.replace("\n", "")
    assert out.read_text().startswith("who,family,version,variant,arm,baseline,n,groups,")


def test_the_matrix_as_json_says_what_was_read(logs: Path) -> None:
    called(str(logs), "--matrix")
    plain = json.loads(called(str(logs), "--matrix", "--json"))
    assert (plain["schema"], plain["models"], plain["logs"]) == (1, ["ref/acs"], 1)
    assert plain["logs_read"] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--matrix", "--by", "length"), "--by: 'length' is not for --matrix"),
        (("--matrix", "--between", "models"), "--between: 'models' is not for --matrix"),
        (("--matrix", "--non-inferiority", "3"), "--non-inferiority: 3.0 is not for --matrix"),
        (("--matrix", "--mid-p"), "--mid-p: is not for --matrix"),
        (("--matrix", "--range", "0", "2"), "--range: (0.0, 2.0) is not for --matrix"),
        (("--matrix", "--predictions"), "--predictions: goes with a plain comparison"),
        (("--matrix", "--out", "m.txt"), "--out: 'm.txt' does not end in .csv"),
        (("--out", "m.csv"), "--out: 'm.csv' is for --matrix only"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    logs: Path, words: tuple[str, ...], said: str
) -> None:
    with pytest.raises(BadInput) as caught:
        called(str(logs), *words)
    assert str(caught.value).startswith(said)


def test_models_in_one_arm_only_have_no_matrix(tmp_path: Path) -> None:
    misstep.run("grammar", "ref/acs", arms=["direct"], log_dir=tmp_path / "one")
    with pytest.raises(BadInput, match="was asked the same items in two arms"):
        called(str(tmp_path / "one"), "--matrix")


def test_reference_solvers_fulfil_no_prediction(logs: Path) -> None:
    assert "No comparison here is one that a family predicts." in called(str(logs), "--predictions")
    assert json.loads(called(str(logs), "--json"))["predictions"] is None
