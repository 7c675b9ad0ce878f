"""`misstep study simulate` as it is typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from answering import Answering, answering
from misstep.cli import cli
from misstep.core.errors import BadInput, MisstepError
from misstep.study.course.file import read_study
from misstep.study.pages.assets import assets
from misstep.study.robots import browsing
from misstep.study.robots.serving import address_of, start
from study_thread import served_in_thread
from study_way import ASSETS

STUDY = """
schema = 1
title = "Statements"
people = 4
tries = 1
[[block]]
family = "inconsistency"
items = 2
practice = 0
pool = 20
[bonus]
each = 0.5
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


@pytest.fixture
def built() -> None:
    try:
        assets()
    except MisstepError as error:
        pytest.skip(str(error))


def simulated(*words: str) -> Result:
    return CliRunner().invoke(cli, ["study", "simulate", *words])


@pytest.mark.usefixtures("built")
def test_robots_take_part_and_what_they_answered_can_be_exported(
    study: Path, tmp_path: Path
) -> None:
    database, records = str(tmp_path / "trial.db"), tmp_path / "robots.csv"
    half = ("--ability", "always-no=.5", "--refuse", ".25", "--twice", ".3")
    done = simulated(str(study), *half, "--database", database)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[0] == "people    4: 3 complete, 1 no consent"
    assert "confirmed, 0 lost" in done.stdout
    assert "family         arm         ability" in done.stdout
    assert f"misstep study serve {study} --database {database}" in done.stderr
    words = done.stderr.split("the records: misstep ")[1].split()
    exported = CliRunner().invoke(cli, [*words[:-1], str(records)])
    assert exported.exit_code == 0, exported.output
    assert len(records.read_text("utf-8").splitlines()) == 1 + 3 * 2


@pytest.mark.usefixtures("built")
def test_robots_take_part_through_the_pages_of_a_browser(study: Path) -> None:
    """In a process of its own: this one may have another browser under way."""
    pytest.importorskip("playwright", reason="needs misstep[robots]")
    try:
        browsing.check_browser()
    except MisstepError as error:
        pytest.skip(str(error))
    short = STUDY.replace("[bonus]", "timing = {deliberate = 100}\n[bonus]")
    study.write_text(short, encoding="utf-8")
    words = ["study", "simulate", study.name, "--browser", "--people", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "misstep", *words],
        cwd=study.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == [
        "people    1: 1 complete",
        "answers   9 confirmed, 0 lost",
    ]
    assert "bonus     1.00 GBP, earned by 1" in done.stdout
    assert "1 robot at http://127.0.0.1:" in done.stderr
    assert "nothing was kept" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--ability", "exact"), r"^--ability: 'exact' is not SOLVER=SHARE, as in planner=.7$"),
        (("--ability", "tarot=1"), r"^--ability: inconsistency has no 'tarot'; known: exact, "),
        (("--ability", "exact=2"), r"^--ability: exact=2 is no share from 0 to 1$"),
        (("--leave", ".6", "--vanish", ".5"), r": the shares sum to 1.1, over 1$"),
        (("--at", "http://x", "--database", "y"), r"^--database: with --at the answers are kept "),
        (("--family", "cups"), r"^STUDY.toml: name a study's file, or --family"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    words: tuple[str, ...], said: str, study: Path
) -> None:
    with pytest.raises(BadInput, match=said):
        cli.main(["study", "simulate", str(study), *words], standalone_mode=False)


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "127.0.0.1:8000", "http://[x"])
def test_an_address_where_nobody_answers_is_said_at_once(address: str, study: Path) -> None:
    with pytest.raises(MisstepError, match=r"^--at: "):
        cli.main(["study", "simulate", str(study), "--at", address], standalone_mode=False)


@pytest.mark.parametrize("more", [(), ("--browser",)])
@pytest.mark.parametrize(
    ("place", "reply"),
    [("desk", 404), ("desk#token", 404), ("assets/study-1.js", 404), ("?PROLIFIC_PID=1", 200)],
)
def test_an_address_that_is_not_the_pages_is_said_with_what_is_expected(
    place: str,
    reply: int,
    more: tuple[str, ...],
    study: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(browsing, "check_browser", lambda: None)
    with served_in_thread(read_study(study), tmp_path / "s.db", ASSETS) as address:
        at = address + place
        with pytest.raises(BadInput) as caught:
            cli.main(["study", "simulate", str(study), *more, "--at", at], standalone_mode=False)
    assert str(caught.value) == (
        f"--at: {at}: is not the address of a study's page (it replies {reply}); "
        "name the one that misstep study serve prints for participants"
    )


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_server_that_is_away_is_not_told_to_be_no_study(status: int, study: Path) -> None:
    class Away(Answering):
        def do_GET(self) -> None:  # noqa: N802 (the base class's name)
            self.send_response(status)
            self.end_headers()

    with answering(Away) as at, pytest.raises(MisstepError) as caught:
        cli.main(["study", "simulate", str(study), "--at", at], standalone_mode=False)
    assert str(caught.value) == f"--at: {at}: the server replies {status}; try again later"
    assert not isinstance(caught.value, BadInput)


def test_no_check_can_be_failed_where_none_is_made(study: Path) -> None:
    study.write_text(STUDY.replace("tries = 1", "tries = 0"), encoding="utf-8")
    with pytest.raises(
        BadInput, match=r"^--fail: 0\.5: this study asks no questions about its ins"
    ):
        cli.main(["study", "simulate", str(study), "--fail", ".5"], standalone_mode=False)


@pytest.mark.usefixtures("built")
def test_a_server_that_cannot_start_says_why(study: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^--database: .* is no file$"):
        cli.main(
            ["study", "simulate", str(study), "--database", str(tmp_path)], standalone_mode=False
        )
    with start([str(study)], str(tmp_path / "s.db")) as process:
        process.kill()
        with pytest.raises(
            MisstepError, match=r"^the study's server did not start: it ended with -9$"
        ):
            address_of(process)


def test_a_missing_browser_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright", reason="needs misstep[robots]")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MisstepError, match=r"^--browser: none of chromium, .* is installed$"):
        browsing.check_browser()


def test_missing_playwright_is_said_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browsing, "find_spec", lambda _name: None)
    with pytest.raises(MisstepError, match=r"^playwright is missing; install misstep\[robots\]$"):
        browsing.check_browser()
