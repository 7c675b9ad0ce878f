"""Shards on the command line: asked, looked at apart, merged, gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from misstep.cli import cli
from misstep.core.errors import BadInput

RUN = ("run", "grammar", "--model", "ref/bigram-rule", "--limit", "12")


def misstep(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [*map(str, words)], catch_exceptions=False)


def ok(*words: str | Path) -> Result:
    done = misstep(*words)
    assert done.exit_code == 0, done.stderr
    return done


def compared(place: Path) -> object:
    """The comparison as JSON, without the times."""
    return timeless(json.loads(ok("compare", place, "--json").stdout))


def timeless(plain: object) -> object:
    if isinstance(plain, dict):
        return {key: timeless(value) for key, value in plain.items() if "seconds" not in key}
    return [timeless(one) for one in plain] if isinstance(plain, list) else plain


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run in `one`, and its two shards in `shards`."""
    made = tmp_path_factory.mktemp("place")
    ok(*RUN, "--log-dir", made / "one")
    for shard in ("1/2", "2/2"):
        said = ok(*RUN, "--shard", shard, "--log-dir", made / "shards")
        assert f"shard {shard} of the run; misstep merge puts them together" in said.stdout
        assert "too few groups" not in said.stderr
    return made


def test_merged_shards_compare_as_the_run_on_one_machine(place: Path, tmp_path: Path) -> None:
    said = ok("merge", place / "shards", "--out", tmp_path)
    (run,) = tmp_path.iterdir()
    assert said.stdout.strip() == f"2 parts in {run}"
    assert said.stderr == ""
    assert compared(tmp_path) == compared(place / "one")
    assert ok("compare", tmp_path).stderr == ""
    ok("report", tmp_path, "--out", tmp_path / "report.html")
    assert "0 of 24 grades changed" in ok("regrade", tmp_path).stdout


def test_a_folder_of_all_shards_is_one_run(place: Path) -> None:
    said = ok("compare", place / "shards")
    assert "12 items in 6 groups" in said.stdout
    assert said.stderr == ""


@pytest.mark.parametrize("command", ["compare", "report", "records", "check"])
def test_a_missing_shard_is_named_by_whatever_looks_at_the_rest(
    place: Path, tmp_path: Path, command: str
) -> None:
    (second,) = (place / "shards").glob("*-shard-2-of-2")
    out = {"report": "page.html", "records": "records.csv"}.get(command)
    said = misstep(command, second, *(("--out", tmp_path / out) if out else ()))
    assert "! grammar on ref/bigram-rule: shard 1/2 is missing" in said.stderr


def test_what_a_merge_lacks_is_said(place: Path, tmp_path: Path) -> None:
    ok(*RUN, "--shard", "1/3", "--log-dir", tmp_path / "shards")
    ok(*RUN, "--shard", "3/3", "--log-dir", tmp_path / "shards")
    said = ok("merge", tmp_path / "shards", "--out", tmp_path / "logs")
    assert said.stderr == (
        "! shard 2/3 is missing; the run's own command, without --shard, asks what is missing\n"
    )
    ok(*RUN, "--log-dir", tmp_path / "logs")
    assert compared(tmp_path / "logs") == compared(place / "one")


def test_runs_of_two_seeds_are_refused_in_a_line(place: Path, tmp_path: Path) -> None:
    ok(*RUN, "--seed", "1", "--shard", "1/2", "--log-dir", tmp_path)
    (second,) = (place / "shards").glob("*-shard-2-of-2")
    with pytest.raises(BadInput, match=r"no parts of one run: seed is 1 in .* and 0 in ") as caught:
        misstep("merge", tmp_path, second, "--out", tmp_path / "logs")
    assert "\n" not in str(caught.value)


def test_the_command_that_goes_on_names_the_shard_and_the_workers() -> None:
    from misstep.cli.running.merging import worker_words

    assert worker_words(4) == ["--workers", "4"]
    assert worker_words(1) == []
