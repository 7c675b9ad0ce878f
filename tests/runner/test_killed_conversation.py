"""A conversation that `kill -9` or Ctrl-C ends at any turn goes on there; calls are counted."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from misstep.registry import family
from misstep.runner.run import Request, Stopped, carry_out, plan
from pupil import PUPIL, learned

SCRIPT = Path(__file__).with_name("killed_conversation.py")
CONNECTIONS = 2


@pytest.fixture(autouse=True)
def _fresh() -> None:
    PUPIL.reset()


def start(tmp_path: Path, arm: str) -> subprocess.Popen[str]:
    words = [sys.executable, str(SCRIPT), str(tmp_path / "logs"), str(tmp_path / "calls"), arm]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def calls(tmp_path: Path) -> int:
    path = tmp_path / "calls"
    return len(path.read_text().splitlines()) if path.exists() else 0


def kill_after(tmp_path: Path, process: subprocess.Popen[str], wanted: int) -> None:
    deadline = time.monotonic() + 60
    while calls(tmp_path) < wanted and time.monotonic() < deadline:
        time.sleep(0.002)
    process.kill()
    process.communicate()


def test_a_killed_conversation_goes_on_from_its_turn(tmp_path: Path) -> None:
    """Three lists of two passes, so 20 answers each, and three replies to each."""
    calls_in_all, arm, kills = 180, "cot+vote3", (0.2, 0.6)
    for share in kills:
        kill_after(tmp_path, start(tmp_path, arm), int(calls_in_all * share))
    last = start(tmp_path, arm)
    out, err = last.communicate(timeout=120)
    assert last.returncode == 0, err
    records, asked, asked_again, passes = out.split(maxsplit=3)
    assert (records, passes) == ("3", "{2.0}")
    assert calls_in_all <= calls(tmp_path) <= calls_in_all + len(kills) * CONNECTIONS
    assert int(asked) < 0.8 * calls_in_all
    assert int(asked_again) <= CONNECTIONS


@pytest.mark.parametrize(
    ("arm", "calls_in_all", "last"),
    [("direct", 20, 1), ("direct", 20, 11), ("direct", 20, 20), ("explain", 39, 12)],
)
def test_after_ctrl_c_at_any_turn_only_that_call_is_asked_again(
    tmp_path: Path, arm: str, calls_in_all: int, last: int
) -> None:
    request = Request(
        family("vehicles"),
        "pupil/x",
        arms=(arm,),
        limit=1,
        options={"mapping": "paper"},
        log_dir=tmp_path,
    )
    PUPIL.says = lambda asked, call: KeyboardInterrupt() if call == last else learned(asked)
    with pytest.raises((Stopped, KeyboardInterrupt)):
        carry_out(plan(request))
    assert len(PUPIL.requests) == last
    PUPIL.reset()
    done = carry_out(plan(request))
    assert len(PUPIL.requests) == calls_in_all - (last - 1)
    assert [record.value for record in done.records] == [2.0]
    # The first message asked now is the one that was lost, with all the turns before it.
    assert len(PUPIL.requests[0]) == 2 * (last - 1) + 1
    PUPIL.reset()
    carry_out(plan(request))
    assert PUPIL.requests == []
