"""`misstep check` and `compare A B` as a user meets them: what they print, and how they end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from click.testing import CliRunner

import misstep
from foreign_logs import harness_file, harness_line
from misstep.analyse.checks import FailOn, judge, read_fail_on
from misstep.cli import cli
from misstep.core.errors import BadInput
from misstep.report import checking


def command(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "misstep", *map(str, words)],
        env={**os.environ, "COLUMNS": "80"},
        check=False,
        capture_output=True,
        text=True,
    )


def samples(folder: Path, right: int, count: int = 20) -> Path:
    """The first `right` of `count` items are right."""
    lines = [harness_line(number, {"acc": float(number < right)}) for number in range(count)]
    return harness_file(folder, lines)


@pytest.fixture
def worse(tmp_path: Path) -> tuple[Path, Path]:
    return samples(tmp_path / "base", 20), samples(tmp_path / "worse", 8)


@pytest.fixture
def open_question(tmp_path: Path) -> tuple[Path, Path]:
    return samples(tmp_path / "base", 20), samples(tmp_path / "near", 19)


def test_a_verdict_that_is_named_fails_and_another_passes(worse: tuple[Path, Path]) -> None:
    done = command("check", *worse, "--fail-on", "hurts")
    assert done.returncode == 1
    (line,) = done.stdout.splitlines()
    assert line.startswith("FAIL (hurts): sums, arm run: worse against base: hurts, −60.0 points")
    passed = command("check", *worse, "--fail-on", "undecided")
    assert (passed.returncode, passed.stderr) == (0, "")
    assert passed.stdout.startswith("pass: sums")


def test_junit_is_xml_with_a_case_for_each_comparison(
    worse: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "checks.xml"
    done = command("check", *worse, "--junit", out, "--json")
    assert done.returncode == 1
    root = Xml.parse(out).getroot()  # noqa: S314  # our own file
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "1", "1")
    (case,) = root.iter("testcase")
    assert (case.get("classname"), case.get("name")) == ("sums, arm run", "worse against base")
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("type") == "hurts"
    plain = json.loads(done.stdout)
    assert (plain["passed"], plain["fail_on"]) == (False, ["hurts"])
    assert plain["checks"][0]["failed_on"] == ["hurts"]
    assert plain["checks"][0]["effect"] == -60


def test_junit_holds_names_that_xml_has_no_letters_for(
    worse: tuple[Path, Path], tmp_path: Path
) -> None:
    (one,) = misstep.compare(list(worse))
    odd = type(one)(**{**vars(one), "family": 'a<b>&"\x00\x1b\ud800'})
    made = checking.Checked(judge([odd], [FailOn.HURTS]), (FailOn.HURTS,), ())
    checking.write_junit(made, tmp_path / "odd.xml")
    case = next(Xml.parse(tmp_path / "odd.xml").getroot().iter("testcase"))  # noqa: S314  # ours
    assert str(case.get("classname")).startswith('a<b>&"���')


def test_what_is_not_shown_to_be_at_most_the_margin_worse_fails(
    open_question: tuple[Path, Path], worse: tuple[Path, Path]
) -> None:
    files = list(map(str, open_question))
    words = ["check", *files, "--fail-on", "hurts,not-noninferior", "--margin"]
    narrow = CliRunner().invoke(cli, [*words, "5"])
    assert narrow.exit_code == 1
    assert "not shown to be at most 5 points worse" in narrow.output
    wide = CliRunner().invoke(cli, [*words, "40"])
    assert wide.exit_code == 0
    assert ", shown to be at most 40 points worse" in wide.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--fail-on", "harms"), "--fail-on: 'harms' is none of hurts, helps, no-difference"),
        (("--fail-on", "not-noninferior"), "--fail-on: not-noninferior needs --margin M"),
        (("--arm", "cot"), "--arm: 'cot' is compared nowhere; known: run"),
        (("--margin", "-1"), "-1 is not above 0"),
        (("--score", "f1"), "has no score 'f1'; known: acc"),
        (("--range", "1", "1"), "--range: 1 1 is no range of scores"),
        (("--between", "models"), "--between: 'models' is for runs of misstep"),
        (("--junit", "nowhere/at/all.xml"), "can't be written"),
    ],
)
def test_bad_input_is_said_and_nothing_is_printed(
    worse: tuple[Path, Path], words: tuple[str, ...], said: str
) -> None:
    done = CliRunner().invoke(cli, ["check", *map(str, worse), *words])
    assert isinstance(done.exception, BadInput)
    assert said in str(done.exception)
    assert (done.exception.exit_code, done.output) == (2, "")


def test_bad_input_is_one_line_and_ends_with_2(worse: tuple[Path, Path]) -> None:
    done = command("check", *worse, "--fail-on", "harms")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("misstep: --fail-on: 'harms' is none of hurts,")


def test_runs_of_ours_are_checked_by_arm_and_nothing_to_compare_is_no_pass(tmp_path: Path) -> None:
    misstep.run("grammar", "ref/acs", arms=("direct",), log_dir=tmp_path / "one")
    alone = CliRunner().invoke(cli, ["check", str(tmp_path / "one")])
    assert isinstance(alone.exception, BadInput)
    assert "there is nothing to compare" in str(alone.exception)
    misstep.run("grammar", "ref/acs", arms=("direct", "cot"), log_dir=tmp_path / "two")
    words = ["check", str(tmp_path / "two"), "--fail-on", "hurts,helps,undecided", "--arm", "cot"]
    same = CliRunner().invoke(cli, words)
    assert same.exit_code == 1
    assert same.output.startswith("FAIL (undecided): grammar, ref/acs: cot against direct")
    ours_only = CliRunner().invoke(cli, ["check", str(tmp_path / "two"), "--score", "acc"])
    assert "--score: 'acc' is for two logs of another task" in str(ours_only.exception)


def test_words_may_come_with_spaces_and_twice() -> None:
    assert read_fail_on("hurts, undecided,hurts", None) == (FailOn.HURTS, FailOn.UNDECIDED)
    with pytest.raises(BadInput, match="'' is none of"):
        read_fail_on("hurts,", None)


def test_what_could_not_be_compared_fails_where_that_is_asked(
    worse: tuple[Path, Path], tmp_path: Path
) -> None:
    (one,) = misstep.compare(list(worse))
    checks = judge([one], [FailOn.NOT_COMPARED])
    made = checking.Checked(checks, (FailOn.NOT_COMPARED,), ("b: only direct was asked.",))
    assert not made.is_passed
    assert list(checking.lines(made))[1] == "FAIL (not-compared): b: only direct was asked."
    checking.write_junit(made, tmp_path / "f.xml")
    root = Xml.parse(tmp_path / "f.xml").getroot()  # noqa: S314  # our own file
    assert (root.get("tests"), root.get("failures")) == ("2", "1")


def test_compare_says_which_logs_it_took_and_what_it_left_out(tmp_path: Path) -> None:
    first, second = samples(tmp_path / "a", 20), samples(tmp_path / "b", 8, count=18)
    done = command("compare", first, second)
    assert done.returncode == 0, done.stderr
    text = " ".join(done.stdout.split())
    assert "18 items paired by id; only in A: 2, only in B: 0" in text
    assert "HURTS" in text
    plain = json.loads(
        CliRunner().invoke(cli, ["compare", str(first), str(second), "--json"]).output
    )
    assert [side["model"] for side in plain["logs"]["sides"]] == ["a", "b"]
    assert plain["logs"]["paired"] == {
        "by": "id", "shared": 18, "only_first": 2, "only_second": 0,
    }  # fmt: skip
    assert plain["comparisons"][0]["verdict"] == "hurts"
