"""Shards merged are the run on one machine, to the byte but for times; what doesn't fit is said."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from misstep.analyse import compare, to_json
from misstep.core.errors import BadInput, MisstepError
from misstep.core.records import Record
from misstep.core.shards import Shard, read_shard
from misstep.runner import manifest
from misstep.runner.journal import open_journal
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.logged.regrade import regrade
from misstep.runner.run import JOURNAL, Request, Run, carry_out, plan
from misstep.runner.shards.merging import Merged, merge
from misstep.runner.shards.parts import notes
from oracle import FAMILY, ORACLE, SPEC, Oracle


def answer(words: str) -> str:
    """By the words alone: rightly or not, and not always."""
    return ("Yes", "No", "Perhaps")[len(words + words[3:5]) % 3]


@pytest.fixture
def oracle() -> Oracle:
    ORACLE.reset()
    ORACLE.answer = answer
    return ORACLE


def request(folder: Path, **settings: Any) -> Request:  # Any: the request's own fields
    usual: dict[str, Any] = {"arms": ("direct", "cot"), "scale": "paper"}  # Any: likewise
    return Request(FAMILY, "oracle/x", log_dir=folder, **(usual | settings))


def run(folder: Path, **settings: Any) -> Run:  # Any: likewise
    return carry_out(plan(request(folder, **settings)))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on one machine in `one`, and its three shards in `shards`."""
    place = tmp_path_factory.mktemp("made")
    ORACLE.reset()
    ORACLE.answer = answer
    run(place / "one")
    for number in (1, 2, 3):
        run(place / "shards", shard=Shard(number, 3))
    return place


@pytest.fixture
def shards(made: Path, tmp_path: Path) -> list[Path]:
    """The three shards, to be changed."""
    return sorted(shutil.copytree(made / "shards", tmp_path / "shards").iterdir())


def change(folder: Path, **fields: Any) -> None:  # Any: a manifest's fields
    manifest.write(folder, replace(manifest.read(folder), **fields))


def timeless(records: Sequence[Record]) -> list[Record]:
    return [replace(record, seconds=None) for record in records]


def member(folder: Path, name: str) -> Any:  # Any: JSON
    (file,) = log_files([folder])
    return json.loads(zipfile.ZipFile(file).read(name))


def check_same(done: Merged, whole: Path) -> None:
    now, then = (read_records(log_files([place])) for place in (done.folder, whole))
    assert timeless(now) == timeless(then)
    compared = [to_json(compare(timeless(one), {"parity": SPEC})) for one in (now, then)]
    assert json.dumps(compared[0]) == json.dumps(compared[1])
    (folder,) = whole.iterdir()
    assert done.folder.name == folder.name
    headers = [member(place, "header.json") for place in (done.folder, folder)]
    assert headers[0]["results"] == headers[1]["results"]
    assert headers[0]["eval"]["dataset"] == headers[1]["eval"]["dataset"]
    for name in ("summaries.json", "reductions.json"):
        assert len(member(done.folder, name)) == len(member(folder, name))


def test_merged_shards_are_the_run_on_one_machine(made: Path, tmp_path: Path) -> None:
    check_same(merge([made / "shards"], tmp_path), made / "one")


def test_so_they_are_with_repetitions_and_votes_and_a_limit(tmp_path: Path, oracle: Oracle) -> None:
    settings = {"arms": ("cot+vote3", "direct"), "repeat": 2, "limit": 12, "temperature": 0.5}
    run(tmp_path / "one", **settings)
    for number in (1, 2):
        run(tmp_path / "shards", shard=Shard(number, 2), **settings)
    check_same(merge([tmp_path / "shards"], tmp_path / "logs"), tmp_path / "one")


def test_parts_may_hold_some_of_the_arms_each(made: Path, tmp_path: Path, oracle: Oracle) -> None:
    for arm in ("direct", "cot"):
        for number in (1, 2):
            run(tmp_path / arm, shard=Shard(number, 2), arms=(arm,))
    places = [tmp_path / "direct", tmp_path / "cot"]
    check_same(merge(places, tmp_path / "logs"), made / "one")

    shutil.rmtree(next((tmp_path / "cot").glob("*-shard-2-of-2")))
    done = merge(places, tmp_path / "fewer")
    assert done.missing == (Shard(2, 2),), "shard 2 is there in one arm only"
    assert manifest.read(done.folder).state == "stopped"


def test_a_merged_run_is_gone_on_with_and_nothing_is_asked_again(
    made: Path, tmp_path: Path, oracle: Oracle
) -> None:
    done = merge([made / "shards"], tmp_path)
    grown = run(tmp_path, limit=48)
    assert grown.folder == done.folder
    assert len(oracle.calls) == 2 * 8
    assert len(grown.records) == 2 * 48


def test_a_merged_run_is_graded_again(made: Path, tmp_path: Path) -> None:
    done = merge([made / "shards"], tmp_path)
    (file,) = log_files([done.folder])
    found = regrade(file, lambda _name: FAMILY, is_dry=False)
    assert (found.samples, found.changes) == (80, ())
    score = replace(
        FAMILY, score=lambda item, reply: replace(FAMILY.score(item, reply), reason="so")
    )
    assert len(regrade(file, lambda _name: score, is_dry=False).changes) == 80
    assert {record.reason for record in read_records([file])} == {"so"}


def test_a_shard_says_which_it_is_and_goes_on(shards: list[Path], oracle: Oracle) -> None:
    assert [manifest.read(shard).shard for shard in shards] == ["1/3", "2/3", "3/3"]
    before = read_records(log_files([shards[1]]))
    again = run(shards[1].parent, shard=Shard(2, 3))
    assert (again.folder, oracle.calls) == (shards[1], [])
    assert timeless(again.records) == timeless(before)


def test_unmerged_shards_are_one_run_when_all_are_there(made: Path) -> None:
    files = log_files([made / "shards"])
    assert notes(files) == []
    found, whole = read_records(files), read_records(log_files([made / "one"]))
    assert sorted(map(repr, timeless(found))) == sorted(map(repr, timeless(whole)))


def test_missing_and_unfinished_shards_are_named(shards: list[Path]) -> None:
    change(shards[1], state="stopped")
    assert notes(log_files(shards[1:])) == [
        "parity on oracle/x: shard 1/3 is missing; what follows is of the others",
        "parity on oracle/x: unfinished: 2/3; its own command goes on with each shard",
    ]


def test_a_shard_is_left_out_beside_the_run_it_was_merged_into(
    shards: list[Path], oracle: Oracle
) -> None:
    place = shards[0].parent
    done = merge([place], place)
    assert {file.parent for file in log_files([place])} == {done.folder}
    # Gone on with as a whole, it still holds them.
    run(place)
    assert {file.parent for file in log_files([place])} == {done.folder}


def test_a_run_without_one_shard_is_unfinished_and_its_own_command_asks_the_rest(
    made: Path, shards: list[Path], tmp_path: Path, oracle: Oracle
) -> None:
    done = merge([shards[0], shards[2]], tmp_path / "logs")
    assert (done.manifest.state, done.missing) == ("stopped", (Shard(2, 3),))
    assert "merged from 1/3, 3/3" in notes(log_files([done.folder]))[0]
    with pytest.raises(BadInput, match="merged from 1/3, 3/3 alone; merge all shards anew"):
        merge([done.folder, shards[1]], tmp_path / "more")
    found = run(tmp_path / "logs").records
    assert len(oracle.calls) == 2 * 4 * 3
    assert notes(log_files([done.folder])) == []
    whole = read_records(log_files([made / "one"]))
    assert sorted(map(repr, timeless(found))) == sorted(map(repr, timeless(whole)))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"seed": 1}, "seed is 0 in {0} and 1 in {1}"),
        ({"family": "other"}, "family is parity in {0} and other in {1}"),
        ({"family_version": 2}, "family_version is 1 in {0} and 2 in {1}"),
        ({"model": "oracle/y"}, "model is oracle/x in {0} and oracle/y in {1}"),
        ({"model_args": {"n": 1}}, "model_args.n is none in {0} and 1 in {1}"),
        ({"options": {"test": "b"}}, "options.test is none in {0} and b in {1}"),
        ({"scale": "quick"}, "scale is paper in {0} and quick in {1}"),
        ({"limit": 12}, "limit is none in {0} and 12 in {1}"),
        ({"arms": ("cot", "direct")}, "arms is direct,cot in {0} and cot,direct in {1}"),
        ({"temperature": 0.5}, "temperature is 0.0 in {0} and 0.5 in {1}"),
        ({"max_tokens": 9}, "max_tokens is none in {0} and 9 in {1}"),
        ({"repeat": 2}, "repeat is 1 in {0} and 2 in {1}"),
        ({"reader": "oracle/y"}, "reader is none in {0} and oracle/y in {1}"),
        ({"log_images": False}, "log_images is True in {0} and False in {1}"),
        ({"shard": "2/4"}, "shard is 1/3 in {0} and 2/4 in {1}"),
        ({"shard": None}, "shard is none in {1} and 1/3 in {0}"),
    ],
)
def test_what_does_not_fit_is_refused_by_field_and_values(
    shards: list[Path],
    tmp_path: Path,
    fields: dict[str, Any],  # Any: a manifest's fields
    said: str,
) -> None:
    change(shards[1], **fields)
    with pytest.raises(BadInput) as caught:
        merge(shards[:2], tmp_path / "logs")
    assert str(caught.value) == f"RUN: no parts of one run: {said.format(*shards)}"
    assert not (tmp_path / "logs").exists()


@pytest.mark.parametrize(
    ("fields", "said"),
    [({"is_sequential": True}, "is_sequential is true"), ({"own": {"a": "b"}}, "of misstep ab")],
)
def test_runs_that_have_no_parts_are_refused(
    shards: list[Path],
    tmp_path: Path,
    fields: dict[str, Any],  # Any: a manifest's fields
    said: str,
) -> None:
    change(shards[1], **fields)
    with pytest.raises(BadInput, match=said):
        merge(shards, tmp_path / "logs")


def test_the_same_shard_of_two_machines_is_kept_once(
    shards: list[Path], tmp_path: Path, oracle: Oracle
) -> None:
    other = run(tmp_path / "b", shard=Shard(2, 3)).folder
    done = merge([*shards, other], tmp_path / "logs")
    assert done.manifest.merged == ("1/3", "2/3", "3/3")
    assert len(read_records(log_files([done.folder]))) == 80
    assert len((done.folder / JOURNAL).read_text().splitlines()) == 80


def test_two_replies_to_one_question_are_a_contradiction(
    shards: list[Path], tmp_path: Path, oracle: Oracle
) -> None:
    oracle.answer = lambda words: "No idea" if "Is 5 " in words else answer(words)
    other = run(tmp_path / "b", shard=Shard(2, 3)).folder
    with pytest.raises(BadInput) as caught:
        merge([*shards, other], tmp_path / "logs")
    assert str(caught.value) == (
        f"RUN: parity-0-5 in direct has one reply in {shards[1]} and another in {other}; "
        "name only one of them"
    )
    assert not list((tmp_path / "logs").glob("*"))


def test_a_merge_that_was_killed_leaves_nothing_that_looks_like_a_run(
    made: Path, tmp_path: Path
) -> None:
    script = (
        "import os, sys; from pathlib import Path\n"
        "from misstep.runner.shards import merging\n"
        "merging.sync = lambda folder: os._exit(9)\n"  # all is written; only the name is missing
        "merging.merge([Path(sys.argv[1])], Path(sys.argv[2]))"
    )
    words = [sys.executable, "-c", script, str(made / "shards"), str(tmp_path)]
    assert subprocess.run(words, check=False).returncode == 9
    with pytest.raises(BadInput, match="holds no log"):
        log_files([tmp_path])
    done = merge([made / "shards"], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [done.folder.name]
    assert len(read_records(log_files([done.folder]))) == 80


def test_a_shard_that_is_being_asked_is_not_merged(shards: list[Path], tmp_path: Path) -> None:
    with (
        open_journal(shards[0] / JOURNAL),
        pytest.raises(MisstepError, match="another process is working on this run"),
    ):
        merge(shards, tmp_path / "logs")


def test_a_run_is_never_written_over(made: Path, tmp_path: Path) -> None:
    done = merge([made / "shards"], tmp_path)
    with pytest.raises(BadInput, match=f"^--out: {done.folder} is there already$"):
        merge([made / "shards"], done.folder)


def test_what_is_no_pair_of_runs_is_refused(made: Path, tmp_path: Path) -> None:
    (one,) = (made / "one").iterdir()
    (log,) = log_files([one])
    for place, said in ((one, "the only run"), (tmp_path, "no run"), (log, "is a file")):
        with pytest.raises(BadInput, match=said):
            merge([place], tmp_path / "logs")


def test_a_shard_beyond_the_last_group_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^--shard: 11/11: the run has 10 groups$"):
        plan(request(tmp_path, shard=read_shard("11/11")))


def test_what_a_kill_has_left_of_a_shard_goes_by_its_journal(
    shards: list[Path], tmp_path: Path, oracle: Oracle
) -> None:
    (log,) = log_files([shards[1]])
    # As a kill leaves it: no header, no table of contents.
    log.write_bytes(log.read_bytes()[:2000])
    change(shards[1], state="running")
    done = merge(shards, tmp_path / "logs")
    assert done.unfinished == (shards[1],)
    assert len(read_records(log_files([done.folder]))) == 80 - 24
    assert len(run(tmp_path / "logs").records) == 80
    assert oracle.calls == []
