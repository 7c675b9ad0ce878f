"""Prompt tokens that a server with a prefix cache evaluates of our prompts, as we send them.

The server is one of this machine that models such a cache (tests/support/prefix_server.py): blocks
of 16 tokens as in vLLM and SGLang, or a prompt a slot as in llama.cpp. The fewest tokens are those
of a tree of all prompts, in whole blocks where the cache keeps such; the naive orders are a task
for each arm, and chance.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from figures import Better, Figure
from inspect_ai import task_with
from inspect_ai.dataset import MemoryDataset, Sample

import misstep
from misstep.runner.calls.warming import Warmed
from misstep.runner.run import carry_out, plan

if TYPE_CHECKING:
    from prefix_server import Cache, Counts

SUPPORT = Path(__file__).parents[1] / "tests" / "support"
ITEMS = {"apartments": 24, "planbench": 24, "inconsistency": 48}
CONNECTIONS = 8
TOKENS = 48 * 1024
"""Of the cache: room for the prompts under way, and not for all of a run's."""
Order = Callable[[list[Sample]], list[Sample]]


def prefix_rows() -> list[Figure]:
    """As a server sees them: every count is of one run, on a server of its own."""
    sys.path.insert(0, str(SUPPORT))
    os.environ.setdefault("BENCH_API_KEY", "no-key-of-anybody")
    rows = [figure for family in ITEMS for figure in _paged_rows(family)]
    return [*rows, _slots_row("apartments")]


def _paged_rows(family: str) -> list[Figure]:
    from prefix_server import Paged

    ours = _asked(family, Paged(TOKENS))
    arms = _asked(family, Paged(TOKENS), _arm_by_arm)
    chance = _asked(family, Paged(TOKENS), _shuffled)
    what, shown = f"prompt tokens evaluated, server's cache, {family}", f"{ours.evaluated:,}"
    return [
        _row(what, shown, f"tree {ours.in_blocks:,}", ours.evaluated / ours.in_blocks),
        _row(f"{what} / arms", shown, f"{arms.evaluated:,}", ours.evaluated / arms.evaluated),
        _row(f"{what} / chance", shown, f"{chance.evaluated:,}", ours.evaluated / chance.evaluated),
    ]


def _slots_row(family: str) -> Figure:
    from prefix_server import Slots

    ours = _asked(family, Slots(CONNECTIONS))
    what = f"prompt tokens evaluated, {CONNECTIONS} slots, {family}"
    return _row(what, f"{ours.evaluated:,}", f"tree {ours.tree:,}", ours.evaluated / ours.tree)


def _row(what: str, shown: str, peer: str, ratio: float) -> Figure:
    return Figure(what, shown, peer, ratio, Better.LESS)


def _asked(family: str, cache: Cache, order: Order | None = None) -> Counts:
    from prefix_server import prefix_server

    with (
        prefix_server(cache, CONNECTIONS) as (address, counts),
        tempfile.TemporaryDirectory() as at,
    ):
        made = plan(
            misstep.request(
                family,
                "openai-api/bench/x",
                limit=ITEMS[family],
                scale="paper",
                connections=CONNECTIONS,
                log_dir=at,
                model_args={"base_url": address},
            )
        )
        if order is None:
            carry_out(made)
        else:
            samples = MemoryDataset(order(list(made.task.dataset)))
            with patch.object(Warmed, "of", lambda _self, _model: None):
                carry_out(replace(made, task=task_with(made.task, dataset=samples)))
    return counts


def _arm_by_arm(samples: Sequence[Sample]) -> list[Sample]:
    return sorted(samples, key=lambda one: str((one.metadata or {})["arm"]) != "direct")


def _shuffled(samples: list[Sample]) -> list[Sample]:
    return random.Random(0).sample(samples, len(samples))
