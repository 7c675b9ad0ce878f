"""Prompt tokens that the embedded model evaluates, beside the fewest possible and the naive orders.

The fewest are those of a tree of all prompts. The naive order asks item by item, every arm in turn,
of a server that keeps the last prompt; a naive conversation sends every turn's history anew.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile
from operator import eq
from pathlib import Path

import anyio
from figures import Better, Figure
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessageUser

import misstep
from misstep.models import store
from misstep.models.embedded import Embedded

Prompts = list[tuple[int, ...]]
_EVALUATED = "prompt_tokens_evaluated"


def embedded_rows(model: str, grammars: int) -> list[Figure]:
    """That many grammars, direct and then chain of thought, one token an answer, cold start."""
    with tempfile.TemporaryDirectory() as folder:
        done = misstep.run(
            "grammar",
            f"embedded/{model}",
            scale="paper",
            limit=44 * grammars,
            max_tokens=1,
            log_dir=folder,
        )
        (log,) = done.folder.glob("*.eval")
        evaluated = _evaluated(log)
    prompts = anyio.run(_prompts, model, grammars)
    bound = len(set(_beginnings(prompts)))
    naive = _one_after_the_other(prompts)
    seconds = [record.seconds or 0.0 for record in done.records if record.arm == "direct"]
    what, shown = f"prompt tokens evaluated, {model}", f"{evaluated:,}"
    return [
        Figure(what, shown, f"tree {bound:,}", evaluated / bound, Better.LESS),
        Figure(f"{what} / naive", shown, f"naive {naive:,}", evaluated / naive, Better.LESS),
        Figure("a direct answer, median", f"{statistics.median(seconds):.2f} s", ""),
    ]


def missing_rows(model: str) -> list[Figure]:
    """What is said where the model's weights aren't here."""
    return [Figure(f"prompt tokens evaluated, {model}", "not fetched: misstep models get", "")]


def is_here(model: str) -> bool:
    return store.cached(model) is not None


def conversation_rows(model: str) -> list[Figure]:
    """Two lists of vehicles, up to 150 turns each; minutes, so that only the full form has it."""
    with tempfile.TemporaryDirectory() as folder:
        done = misstep.run(
            "vehicles",
            f"embedded/{model}",
            limit=2,
            arms=["direct"],
            max_tokens=1,
            log_dir=folder,
        )
        lines = (done.folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    told = [json.loads(line["reply"]) for line in map(json.loads, lines) if "reply" in line]
    # A turn for which the model's context is too short evaluates nothing.
    replies = [reply for reply in told if _EVALUATED in (reply["metadata"] or {})]
    evaluated = sum(reply["metadata"][_EVALUATED] for reply in replies)
    kept = sum(reply["usage"].get("input_tokens_cache_read", 0) for reply in replies)
    sent, turns = evaluated + kept, len(replies)
    what = "prompt tokens evaluated a turn, vehicles"
    shown = f"{evaluated / turns:,.0f}", f"history anew {sent / turns:,.0f}"
    return [Figure(what, *shown, evaluated / sent, Better.LESS)]


def _evaluated(log: Path) -> int:
    samples = read_eval_log(str(log)).samples or []
    return sum((sample.output.metadata or {})[_EVALUATED] for sample in samples)


async def _prompts(model: str, grammars: int) -> Prompts:
    """Item by item, every arm of it in turn, in tokens."""
    api = Embedded(model)
    rows = list(misstep.items("grammar", scale="paper", limit=44 * grammars))
    half = len(rows) // 2
    in_turn = [row for pair in zip(rows[:half], rows[half:], strict=True) for row in pair]
    prompts = [
        await api.prompt_tokens([ChatMessageUser(content=str(row["prompt"]))]) for row in in_turn
    ]
    api.close()
    return prompts


def _one_after_the_other(prompts: Prompts) -> int:
    """Tokens evaluated where each prompt shares what it can with the one before it alone."""
    shared = sum(_common(one, other) for one, other in pairwise(prompts))
    return sum(map(len, prompts)) - shared


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(1 for _ in takewhile(bool, map(eq, one, other)))


def _beginnings(prompts: Iterable[tuple[int, ...]]) -> Iterable[tuple[int, ...]]:
    return (prompt[:length] for prompt in prompts for length in range(1, len(prompt) + 1))
