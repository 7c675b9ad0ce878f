"""Rows read straight from a log's archive: the same as the runner's own readers have."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome
from misstep.runner.logged.archive import sample_metadata, summaries
from misstep.runner.logged.logs import SCORE, find_records, log_files, read_items, read_words
from misstep.runner.run import Request, carry_out, plan
from oracle import FAMILY, Oracle

Make = Callable[..., Request]


@pytest.fixture
def log(oracle: Oracle, request_for: Make) -> Path:
    oracle.answer = lambda words: "Well.\nAnswer: Yes" if "1" in words else "I cannot say."
    (file,) = log_files([carry_out(plan(request_for("direct", repeat=2)), None).folder])
    return file


def test_summaries_are_those_of_the_runner(log: Path) -> None:
    rows = summaries(log)
    assert rows is not None
    found = list(rows)
    theirs = {(str(one.id), one.epoch): one for one in read_eval_log_sample_summaries(str(log))}
    assert {one.key for one in found} == theirs.keys()
    for one in found:
        scores = theirs[one.key].scores
        assert scores is not None
        assert one.metadata == theirs[one.key].metadata
        assert one.scores[SCORE]["metadata"] == scores[SCORE].metadata


def test_the_whole_metadata_of_a_sample_are_those_of_the_runner(log: Path) -> None:
    samples = read_eval_log(str(log)).samples or []
    keys = [(str(one.id), one.epoch) for one in samples]
    assert list(sample_metadata(log, keys)) == [one.metadata for one in samples]


def test_an_unclosed_log_has_no_summaries_of_its_own(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "open.eval", "w") as archive:
        archive.writestr("_journal/start.json", "{}")
    assert summaries(tmp_path / "open.eval") is None


def test_a_sample_that_stands_there_twice_counts_as_it_came_last(tmp_path: Path) -> None:
    rows = [
        {"id": "a@direct", "epoch": 1, "metadata": {"try": at}, "scores": None} for at in (1, 2)
    ]
    with zipfile.ZipFile(tmp_path / "twice.eval", "w") as archive:
        archive.writestr("summaries.json", json.dumps(rows))
    found = summaries(tmp_path / "twice.eval")
    assert found is not None
    assert [(one.key, one.metadata["try"], one.scores) for one in found] == [
        (("a@direct", 1), 2, {})
    ]


def test_words_come_with_the_place_where_the_answer_was_read(log: Path) -> None:
    told = list(read_words(find_records([log])))
    assert {one.record.outcome for one, _ in told} >= {Outcome.UNPARSED}
    read = [(one.reply, span) for one, span in told if one.record.outcome.is_answered]
    assert read
    for reply, span in read:
        assert span is not None
        assert reply[slice(*span)] == "Yes"
    assert all(span is None for one, span in told if not one.record.outcome.is_answered)


def test_only_the_words_that_are_asked_for_are_read(log: Path) -> None:
    found = find_records([log])
    ((told, _),) = read_words(found[3:4])
    assert told.record == found[3].record


def test_items_come_once_although_they_were_asked_often(log: Path) -> None:
    found = find_records([log])
    ((key, items),) = read_items(found, lambda _name: FAMILY).items()
    assert key == (FAMILY.spec.name, "")
    assert len(items) == len({one.id for one in items}) == len(found) // 2


def test_a_sample_missing_from_the_archive_is_one_line(log: Path, tmp_path: Path) -> None:
    found = find_records([log])
    broken = tmp_path / log.name
    with zipfile.ZipFile(log) as before, zipfile.ZipFile(broken, "w") as after:
        for name in before.namelist():
            if not name.startswith("samples/"):
                after.writestr(name, before.read(name))
    moved = find_records([broken])
    assert [one.record for one in moved] == [one.record for one in found]
    with pytest.raises(BadInput, match="damaged"):
        list(read_words(moved))
    with pytest.raises(BadInput, match="damaged"):
        read_items(moved, lambda _name: FAMILY)
