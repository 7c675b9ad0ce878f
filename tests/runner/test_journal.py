"""The journal by itself: keys tell questions apart, and a kill can't spoil it."""

from __future__ import annotations

import os
import resource
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
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


def test_a_full_disk_leaves_no_part_of_a_line(path: Path) -> None:
    """What follows on a part of a line would be lost with it."""
    other = replace(QUESTION, call=1)
    put(path, QUESTION, "Yes")
    with open_journal(path) as journal:
        with room_for(path.stat().st_size + 1_000), pytest.raises(OSError, match="too large"):
            anyio.run(journal.put, other, "x" * 10_000)
        anyio.run(journal.put, other, "No")
        assert (journal.find(QUESTION), journal.find(other)) == ("Yes", "No")
    assert (find(path, QUESTION), find(path, other)) == ("Yes", "No")


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file of this process grows beyond so many bytes."""
    usual, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (usual, most))


def test_replies_stay_on_disk_and_not_in_memory(path: Path) -> None:
    """Two hundred replies of 100 kB: none is held, whether it was put now or read at the start."""
    questions = [replace(QUESTION, call=call) for call in range(200)]

    async def put_all(journal: Journal) -> None:
        for question in questions:
            await journal.put(question, f"{question.call:07}" * 14_000)

    tracemalloc.start()
    try:
        with open_journal(path) as journal:
            anyio.run(put_all, journal)
        with open_journal(path) as journal:
            held = [
                journal.find(question) == f"{question.call:07}" * 14_000 for question in questions
            ]
        assert all(held)
        assert journal.kept == 200
        assert tracemalloc.get_traced_memory()[1] < 5e6 < path.stat().st_size
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("length", [0, 1, 70_000, 200_000])
def test_a_torn_line_of_any_length_is_cut_off(path: Path, length: int) -> None:
    put(path, QUESTION, "Yes")
    whole = path.read_bytes()
    for before in (b"", whole):
        path.write_bytes(before + b"x" * length)
        with open_journal(path) as journal:
            assert journal.kept == bool(before)
        assert path.read_bytes() == before


def test_replies_of_another_journal_are_found_too(path: Path, tmp_path: Path) -> None:
    """Each counts once; where both have one, the journal's own is taken."""
    known, both, own = (replace(QUESTION, call=call) for call in range(3))
    put(tmp_path / "known.jsonl", known, "known")
    put(tmp_path / "known.jsonl", both, "theirs")
    put(path, both, "ours")
    put(path, own, "own")
    with open_journal(path, tmp_path / "known.jsonl") as journal:
        assert [journal.find(one) for one in (known, both, own)] == ["known", "ours", "own"]
        assert journal.kept == 3
