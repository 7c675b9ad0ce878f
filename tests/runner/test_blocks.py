"""A big run in blocks is what it would be in one piece; the records kept in a log are its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log, write_eval_log

import misstep
import steady  # noqa: F401 (makes the provider known)
from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome, Score
from misstep.core.records import Record
from misstep.registry import family
from misstep.runner import blocks, manifest
from misstep.runner.logged import joined
from misstep.runner.logged.logs import log_files, read_records
from misstep.runner.logged.regrade import regrade
from misstep.runner.run import Run, Stopped


def asked(folder: Path, **further: object) -> Run:
    settings = {"limit": 12, "repeat": 2, "arms": ["direct", "cot"], **further}
    return misstep.run("grammar", "steady/x", log_dir=folder, preflight="no", **settings)  # type: ignore[arg-type]  # settings by name


def timeless(records: Iterable[Record]) -> list[Record]:
    return [replace(record, seconds=None) for record in records]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return asked(tmp_path_factory.mktemp("whole"))


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Run:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "MOST", 10)
        return asked(tmp_path_factory.mktemp("cut"))


def test_a_run_in_blocks_has_the_records_of_one_piece_in_their_order(whole: Run, cut: Run) -> None:
    assert len(whole.records) == 48
    assert timeless(cut.records) == timeless(whole.records)
    assert not list(cut.folder.glob(".*"))
    assert manifest.read(cut.folder).asked == manifest.read(whole.folder).asked == 48
    (one,), (other,) = log_files([whole.folder]), log_files([cut.folder])
    with zipfile.ZipFile(one) as before, zipfile.ZipFile(other) as now:
        ids = [
            json.loads(log.read("header.json"))["eval"]["dataset"]["sample_ids"]
            for log in (before, now)
        ]
    assert ids[0] == ids[1]


def test_a_run_that_is_stopped_in_a_block_keeps_what_it_has_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Run
) -> None:
    monkeypatch.setattr(blocks, "MOST", 10)
    heard: list[Record] = []

    def hear(record: Record) -> None:
        heard.append(record)
        if len(heard) == 15:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Stopped):
        asked(tmp_path, listener=hear)
    (folder,) = tmp_path.iterdir()
    assert not list(folder.glob(".*"))
    first = manifest.read(folder).asked
    kept = timeless(read_records(log_files([folder])))
    assert 10 <= len(kept) < 48
    assert all(record in timeless(whole.records) for record in kept)
    done = asked(tmp_path)
    assert sorted(timeless(done.records), key=str) == sorted(timeless(whole.records), key=str)
    assert 48 <= first + done.manifest.asked <= 48 + 10


def test_the_records_kept_in_a_log_are_those_of_its_summaries(cut: Run, tmp_path: Path) -> None:
    (log,) = log_files([cut.folder])
    kept = joined.read(log)
    assert kept is not None
    bare = tmp_path / log.name
    without(log, bare)
    assert joined.read(bare) is None
    assert [record for _, record in kept] == read_records([bare]) == list(cut.records)


def without(log: Path, bare: Path, **changed: str) -> None:
    """A copy without the kept records, or with other members in place of its own."""
    with zipfile.ZipFile(log) as source, zipfile.ZipFile(bare, "w") as target:
        for name in source.namelist():
            if name != joined.MEMBER or changed:
                target.writestr(name, changed.get(name, source.read(name)))


@pytest.mark.parametrize("member", ["summaries.json", "header.json"])
def test_kept_records_of_another_state_of_the_log_are_not_used(
    cut: Run, tmp_path: Path, member: str
) -> None:
    (log,) = log_files([cut.folder])
    with zipfile.ZipFile(log) as opened:
        text = opened.read(member).decode()
    other = tmp_path / log.name
    edited = text.replace('"steady/x"', '"steady/y"').replace(
        '"outcome":"wrong"', '"outcome":"refused"'
    )
    assert edited != text
    without(log, other, **{member: edited})
    assert joined.MEMBER in zipfile.ZipFile(other).namelist()
    assert joined.read(other) is None
    assert timeless(read_records([other])) != timeless(cut.records)


def test_a_log_that_the_runner_writes_anew_has_no_kept_records(cut: Run, tmp_path: Path) -> None:
    (log,) = log_files([cut.folder])
    whole = read_eval_log(str(log))
    assert len(whole.samples or []) == 48
    again = tmp_path / log.name
    write_eval_log(whole, str(again))
    assert joined.read(again) is None
    assert read_records([again]) == list(cut.records)


def test_a_log_of_blocks_is_graded_again_and_its_records_are_the_new_ones(
    cut: Run, tmp_path: Path
) -> None:
    (log,) = log_files([cut.folder])
    again = tmp_path / log.name
    shutil.copy(log, again)

    def strict(item: object, reply: object) -> Score:
        return Score(Outcome.REFUSED, None, None, "strict")

    stricter = replace(family("grammar"), score=strict)
    done = regrade(again, lambda _name: stricter, is_dry=False)
    assert (done.samples, len(done.changes)) == (48, 48)
    assert {record.outcome for record in read_records([again])} == {Outcome.REFUSED}


def test_damaged_kept_records_are_told_in_a_line(cut: Run, tmp_path: Path) -> None:
    (log,) = log_files([cut.folder])
    with zipfile.ZipFile(log) as opened:
        lines = opened.read(joined.MEMBER).decode().splitlines()
    other = tmp_path / log.name
    without(log, other, **{joined.MEMBER: lines[0] + '\n["x", 1, {"family": "grammar"}]\n'})
    with pytest.raises(BadInput, match=f"{log.name}: damaged log: "):
        read_records([other])
