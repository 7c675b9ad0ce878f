"""A run that may stop early, in a process of its own, to be killed: `… LOG_DIR COUNT_FILE`.

The model is right when asked directly and wrong when it should think.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from inspect_ai.model import ChatMessage

from misstep.analyse.sequential.looks import watcher
from misstep.registry import family
from misstep.runner.calls.asking import current_place
from misstep.runner.run import Request, carry_out, plan
from slow import SLOW


def worse_by_thinking(messages: list[ChatMessage]) -> str:
    place = current_place()
    assert place is not None
    is_right = place.arm == "direct"
    answer = place.item.truth if is_right else {"Yes": "No", "No": "Yes"}[place.item.truth]
    return f"My answer is {answer}"


if __name__ == "__main__":
    SLOW.says, SLOW.counts = worse_by_thinking, Path(sys.argv[2])
    room, log_dir = family("grammar"), Path(sys.argv[1])
    request = Request(room, "slow/x", limit=120, log_dir=log_dir, watcher=watcher(room.spec))
    done = carry_out(plan(request))
    assert done.look is not None
    word = "decided" if done.look.is_decided else "undecided"
    sys.stdout.write(f"{word} at look {done.look.looks}: {done.look.evidence}")
