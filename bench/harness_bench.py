"""What our task costs a sample beyond a plain task of the runner, with an instant provider."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from figures import Better, Figure
from inspect_ai import Task, task
from inspect_ai import eval as eval_task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.scorer import match
from inspect_ai.solver import generate

import misstep


@modelapi(name="instant")
class InstantAPI(ModelAPI):
    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 (the runner's signature)
        tools: Any,  # Any: unused
        tool_choice: Any,  # Any: unused
        config: GenerateConfig,
    ) -> ModelOutput:
        output = ModelOutput.from_content(self.model_name, "Yes")
        output.usage = ModelUsage(input_tokens=100, output_tokens=1, total_tokens=101)
        return output


@task
def plain(samples: int) -> Task:
    """The same questions as a user of the runner would ask them."""
    rows = list(misstep.items("grammar", limit=samples // 2))
    dataset = [Sample(input=str(row["prompt"]), target=str(row["truth"])) for row in rows]
    return Task(dataset=MemoryDataset(dataset), solver=generate(), scorer=match())


def harness_rows(samples: int) -> list[Figure]:
    """Processor time a sample: ours, a plain task with its defaults, and with our log settings."""
    with tempfile.TemporaryDirectory() as folder:
        own = cpu(lambda: own_run(samples, Path(folder) / "own"))
        usual = cpu(lambda: _plain(samples, f"{folder}/usual"))
        lean = cpu(lambda: _plain(samples, f"{folder}/lean", log_realtime=False))
        again = cpu(lambda: own_run(samples, Path(folder) / "own"))
    pairs = (
        ("a sample: ours / plain task", own, usual),
        ("a sample: ours / plain, realtime log off", own, lean),
        ("gone on with, all in the journal / first time", again, own),
    )
    return [_row(name, part / samples, whole / samples) for name, part, whole in pairs]


def _row(name: str, part: float, whole: float) -> Figure:
    shown = f"{1000 * part:.1f} ms", f"{1000 * whole:.1f} ms"
    return Figure(name, *shown, part / whole, Better.LESS)


def cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def own_run(samples: int, folder: Path) -> None:
    misstep.run("grammar", "instant/x", limit=samples // 2, log_dir=folder)


def _plain(samples: int, folder: str, **settings: Any) -> None:  # Any: the runner's settings
    eval_task(plain(samples), model="instant/x", log_dir=folder, display="none", **settings)
