"""The journal by itself: keys tell questions apart, and a kill can't spoil it."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from misstep.core.errors import BadInput, MisstepError
from misstep.runner.journal import Journal, Question, open_journal

QUESTION = Question("m", "s", "p", "item", "direct", 1, 0, 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def put(path: Path, question: Question, reply: str) -> None:
    with open_journal(path) as journal:
        journal.begin(question)
        anyio.run(journal.put, question, reply)


def find(path: Path, question: Question) -> str | None:
    with open_journal(path) as journal:
        return journal.find(question)


def test_a_reply_is_found_again_by_another_process(path: Path) -> None:
    put(path, QUESTION, "Yes – “ja”\n")
    assert find(path, QUESTION) == "Yes – “ja”\n"
    with open_journal(path) as journal:
        assert journal.in_flight == 0


@pytest.mark.parametrize(
    "field", ["model", "settings", "prompt", "item", "arm", "repetition", "turn", "call"]
)
def test_every_part_of_a_question_tells_it_apart(path: Path, field: str) -> None:
    put(path, QUESTION, "Yes")
    other: str | int = 7 if field in ("repetition", "turn", "call") else "other"
    assert find(path, replace(QUESTION, **{field: other})) is None  # type: ignore[arg-type]  # the field decides the type


def test_a_begun_call_without_a_reply_was_in_flight(path: Path) -> None:
    with open_journal(path) as journal:
        journal.begin(QUESTION)
    with open_journal(path) as journal:
        assert journal.in_flight == 1


@pytest.mark.parametrize("kept", range(1, 40, 3))
def test_a_torn_last_line_is_cut_off_and_the_rest_stays(path: Path, kept: int) -> None:
    put(path, QUESTION, "Yes")
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:kept])
    assert find(path, QUESTION) == "Yes"
    put(path, replace(QUESTION, call=1), "No")
    assert find(path, replace(QUESTION, call=1)) == "No"


@pytest.mark.parametrize(
    "line", ["[]", "{}", '{"key": "k"}', "no json", '{"begun": "x", "reply": "y"}']
)
def test_a_strange_line_is_named_with_file_and_number(path: Path, line: str) -> None:
    path.write_text(f'{{"begun": "a"}}\n{line}\n')
    with pytest.raises(BadInput, match=r"journal\.jsonl: line 2"), open_journal(path):
        pass


def test_a_journal_is_held_by_one_process(path: Path) -> None:
    with (
        open_journal(path),
        pytest.raises(MisstepError, match="another process"),
        open_journal(path),
    ):
        pass
    put(path, QUESTION, "Yes")
    assert find(path, QUESTION) == "Yes"


def test_a_reply_is_put_only_when_it_is_on_disk(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replies that come while the disk is at work share the next trip to it."""
    on_disk: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda _handle: on_disk.append(_slow_lines(path)))
    lines_at_return: list[tuple[int, int]] = []

    async def put_one(journal: Journal, call: int) -> None:
        await journal.put(replace(QUESTION, call=call), "Yes")
        lines_at_return.append((call, max(on_disk)))

    async def put_many() -> None:
        with open_journal(path) as journal:
            async with anyio.create_task_group() as group:
                for call in range(20):
                    group.start_soon(put_one, journal, call)

    anyio.run(put_many)
    assert sorted(call for call, _ in lines_at_return) == list(range(20))
    assert all(seen > place for place, (_, seen) in enumerate(lines_at_return))
    assert len(on_disk) <= 3


def _slow_lines(path: Path) -> int:
    seen = path.read_text().count("\n")
    time.sleep(0.05)
    return seen


def test_a_disk_that_fails_fails_the_call(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with open_journal(path) as journal:
        with pytest.raises(OSError, match="No space left"):
            anyio.run(journal.put, QUESTION, "Yes")
        assert journal.find(QUESTION) is None
