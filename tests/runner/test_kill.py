"""`kill -9` at any moment: the next run asks only what was in flight, and counts it."""

from __future__ import annotations

from pathlib import Path

import pytest

from killing import calls, kill_after, start

SCRIPT = Path(__file__).with_name("killed_run.py")


@pytest.mark.parametrize(
    ("arm", "family", "calls_in_all"),
    [
        ("cot", "grammar", 16),
        ("cot+vote3", "grammar", 48),
        ("tot", "grammar", 160),
        ("tot:2", "planbench", 64),
    ],
)
def test_only_calls_in_flight_at_a_kill_are_asked_again(
    tmp_path: Path, arm: str, family: str, calls_in_all: int
) -> None:
    for share in (0.3, 0.6):
        kill_after(tmp_path, start(SCRIPT, tmp_path, arm, family), int(calls_in_all * share))
    last = start(SCRIPT, tmp_path, arm, family)
    out, err = last.communicate(timeout=120)
    assert last.returncode == 0, err
    records, asked, asked_again = map(int, out.split())
    assert records == 16
    in_flight = 2  # the provider's connections, one call each, at each of the two kills
    assert calls_in_all <= calls(tmp_path) <= calls_in_all + 2 * in_flight
    assert asked < 0.8 * calls_in_all
    assert asked_again <= in_flight


def test_the_logs_hold_the_whole_run_after_kills(tmp_path: Path) -> None:
    kill_after(tmp_path, start(SCRIPT, tmp_path, "cot", "grammar"), 6)
    last = start(SCRIPT, tmp_path, "cot", "grammar")
    out, _ = last.communicate(timeout=120)
    assert out.split()[0] == "16"
    assert len(list((tmp_path / "logs").rglob("*.eval"))) == 1
