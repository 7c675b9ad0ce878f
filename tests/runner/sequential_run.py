"""A run that may stop early, in a process of its own, to be killed: `LOG_DIR COUNT_FILE`.

The provider notes every call in COUNT_FILE before it answers, slowly enough to be caught; it is
right when asked directly and wrong when it should think.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi

from misstep.analyse.sequential.looks import watcher
from misstep.registry import family
from misstep.runner.asking import current_place
from misstep.runner.run import Request, carry_out, plan

LOG_DIR, COUNTS = Path(sys.argv[1]), Path(sys.argv[2])


def note_call() -> None:
    with COUNTS.open("a") as file:
        file.write("call\n")


@modelapi(name="slow")
class SlowAPI(ModelAPI):
    async def generate(
        self,
        input: list[ChatMessage],
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        note_call()
        place = current_place()
        await asyncio.sleep(0.01)
        assert place is not None
        is_right = place.arm == "direct"
        answer = place.item.truth if is_right else {"Yes": "No", "No": "Yes"}[place.item.truth]
        return ModelOutput.from_content(self.model_name, f"My answer is {answer}")

    def max_connections(self) -> int:
        return 2


if __name__ == "__main__":
    room = family("grammar")
    request = Request(room, "slow/x", limit=120, log_dir=LOG_DIR, watcher=watcher(room.spec))
    done = carry_out(plan(request))
    assert done.look is not None
    word = "decided" if done.look.is_decided else "undecided"
    sys.stdout.write(f"{word} at look {done.look.looks}: {done.look.evidence}")
