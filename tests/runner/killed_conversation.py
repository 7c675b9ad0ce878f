"""Conversations in a process of its own, to be killed: `… LOG_DIR COUNT_FILE ARM`.

The provider notes every call in COUNT_FILE before it answers, slowly enough to be caught.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi

from misstep.registry import family
from misstep.runner.run import Request, carry_out, plan
from pupil import learned

LOG_DIR, COUNTS, ARM = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]


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
        await asyncio.sleep(0.01)
        return ModelOutput.from_content(self.model_name, learned(input))

    def max_connections(self) -> int:
        return 2


if __name__ == "__main__":
    request = Request(
        family("vehicles"),
        "slow/x",
        arms=(ARM,),
        limit=3,
        options={"mapping": "paper"},
        log_dir=LOG_DIR,
    )
    done = carry_out(plan(request))
    passes = {record.value for record in done.records}
    counts = (len(done.records), done.manifest.asked, done.manifest.asked_again, passes)
    sys.stdout.write(" ".join(map(str, counts)))
