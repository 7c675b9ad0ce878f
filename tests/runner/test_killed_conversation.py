"""A conversation that `kill -9` or Ctrl-C ends at any turn goes on there; calls are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from killing import calls, kill_after, start
from misstep.registry import family
from misstep.runner.run import Request, Stopped, carry_out, plan
from pupil import PUPIL, learned
from slow import CONNECTIONS

SCRIPT = Path(__file__).with_name("killed_conversation.py")


@pytest.fixture(autouse=True)
def _fresh() -> None:
    PUPIL.reset()


def test_a_killed_conversation_goes_on_from_its_turn(tmp_path: Path) -> None:
    """Three lists of two passes, so 20 answers each, and three replies to each."""
    calls_in_all, arm, kills = 180, "cot+vote3", (0.2, 0.6)
    for share in kills:
        kill_after(tmp_path, start(SCRIPT, tmp_path, arm), int(calls_in_all * share))
    last = start(SCRIPT, tmp_path, arm)
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
