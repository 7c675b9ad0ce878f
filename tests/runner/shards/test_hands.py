"""Processes that wait for an order: there before they are needed, gone when nobody needs them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from misstep.runner.shards import hands
from misstep.runner.shards.hands import Hand, waiting


@pytest.mark.parametrize("workers", [-1, 0, 1, 257, 10**9])
def test_a_run_without_workers_has_none(workers: int) -> None:
    with waiting(workers) as ready:
        assert ready == []


def test_no_more_than_there_are_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "_cores", lambda: 3)
    with waiting(100) as ready:
        assert len(ready) == 3


def test_those_that_nobody_took_are_gone_at_the_end_and_the_others_are_not() -> None:
    taken: list[Hand] = []
    try:
        with waiting(2) as ready:
            both = list(ready)
            taken.append(ready.pop())
        assert both[0].process.returncode == -9
        assert taken[0].process.poll() is None
    finally:
        for hand in taken:
            hand.dismiss()


def test_one_whose_run_is_gone_ends_by_itself_without_a_word() -> None:
    hand = hands.start()
    hand.pipe.close()
    assert hand.process.wait(60) == 0
    assert hand.last_words() == "it said nothing"
    hand.dismiss()


def test_one_that_fails_leaves_its_last_words() -> None:
    hand = hands.start()
    hand.pipe.send("no order")
    assert hand.process.wait(60) == 1
    assert "AttributeError" in hand.last_words()
    hand.dismiss()


def test_bad_input_leaves_no_process_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "misstep", "run", "grammar", "--workers", "2"]
    done = subprocess.run(
        [*command, "--limit", "-7", "--log-dir", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MARK_OF_THIS_TEST": str(tmp_path)},
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--limit" in done.stderr
    time.sleep(0.1)
    assert not marked(str(tmp_path))


def marked(mark: str) -> list[str]:
    """The processes that have this in their environment."""
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"MARK_OF_THIS_TEST={mark}".encode() in place.read_bytes():
                found.append(place.parent.name)
        except OSError:
            continue
    return found
