"""Prompt tokens that the embedded model evaluates, beside the fewest possible: those of a tree."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterable
from pathlib import Path

import anyio
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessageUser

import misstep
from misstep.models.embedded import Embedded

GRAMMARS = 5


def embedded_rows(model: str) -> list[tuple[str, str, str, str]]:
    """Five whole grammars, direct and then chain of thought, one token an answer, cold start."""
    with tempfile.TemporaryDirectory() as folder:
        done = misstep.run(
            "grammar",
            f"embedded/{model}",
            scale="paper",
            limit=44 * GRAMMARS,
            max_tokens=1,
            log_dir=folder,
        )
        (log,) = done.folder.glob("*.eval")
        evaluated = _evaluated(log)
    bound = anyio.run(_tree_tokens, model)
    seconds = [record.seconds or 0.0 for record in done.records if record.arm == "direct"]
    ratio = f"{evaluated / bound:.3f}"
    return [
        (f"prompt tokens evaluated, {model}", f"{evaluated:,}", f"tree {bound:,}", ratio),
        ("a direct answer, median", f"{statistics.median(seconds):.2f} s", "", ""),
    ]


def _evaluated(log: Path) -> int:
    samples = read_eval_log(str(log)).samples or []
    return sum((sample.output.metadata or {})["prompt_tokens_evaluated"] for sample in samples)


async def _tree_tokens(model: str) -> int:
    """The distinct beginnings of all prompts, in tokens: no order of asking can do with fewer."""
    api = Embedded(model)
    rows = misstep.items("grammar", scale="paper", limit=44 * GRAMMARS)
    prompts = [
        await api.prompt_tokens([ChatMessageUser(content=str(row["prompt"]))]) for row in rows
    ]
    api.close()
    return len(set(_beginnings(prompts)))


def _beginnings(prompts: Iterable[tuple[int, ...]]) -> Iterable[tuple[int, ...]]:
    return (prompt[:length] for prompt in prompts for length in range(1, len(prompt) + 1))
