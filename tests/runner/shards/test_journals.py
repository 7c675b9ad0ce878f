"""What a run takes over of workers whose run was killed, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from misstep.core.errors import MisstepError
from misstep.runner.journal import owned
from misstep.runner.shards.journals import WORKERS, absorb, all_of

JOURNAL = "journal.jsonl"
LINE = '{"key": "[\\"m\\", \\"s\\", \\"p\\", \\"i\\", \\"direct\\", 1, 0, 0]", "reply": "{}"}\n'


def left_behind(folder: Path) -> Path:
    own = folder / WORKERS / "1-of-2" / JOURNAL
    own.parent.mkdir(parents=True)
    own.write_text(LINE)
    return own


@pytest.mark.parametrize("has_written", [True, False])
def test_workers_of_a_run_that_is_under_way_are_left_alone(
    tmp_path: Path, has_written: bool
) -> None:
    """Also while the first of them still starts, and has no journal."""
    own = left_behind(tmp_path)
    if not has_written:
        own.unlink()
    (tmp_path / WORKERS / "paid.jsonl").write_text("[]\n")
    with (
        owned(tmp_path / JOURNAL),
        pytest.raises(MisstepError, match="another process is working on this run"),
    ):
        absorb(tmp_path, JOURNAL)
    assert (tmp_path / WORKERS / "paid.jsonl").read_text() == "[]\n"


def test_replies_of_workers_whose_run_was_killed_are_taken_over(tmp_path: Path) -> None:
    left_behind(tmp_path)
    absorb(tmp_path, JOURNAL)
    assert (tmp_path / JOURNAL).read_text() == LINE
    assert not (tmp_path / WORKERS).exists()


def test_nothing_is_made_where_nothing_was_left(tmp_path: Path) -> None:
    absorb(tmp_path, JOURNAL)
    assert list(tmp_path.iterdir()) == []


def test_all_journals_of_a_folder(tmp_path: Path) -> None:
    assert all_of(tmp_path, JOURNAL) == []
    own = left_behind(tmp_path)
    assert all_of(tmp_path, JOURNAL) == [own]
    (tmp_path / JOURNAL).touch()
    assert all_of(tmp_path, JOURNAL) == [tmp_path / JOURNAL, own]
