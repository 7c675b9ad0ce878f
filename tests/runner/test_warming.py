"""What a server with a prefix cache evaluates of our prompts, held against the fewest tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest
from inspect_ai import task_with
from inspect_ai.dataset import MemoryDataset

import misstep
from misstep.runner.calls import warming
from misstep.runner.calls.warming import Warmed, Warming
from misstep.runner.run import Plan, Run, carry_out, plan
from prefix_server import Cache, Counts, Paged, Slots, prefix_server

CACHE = 64 * 1024
"""Tokens: less than all prompts of a run, more than those that are under way."""
CLOUD = "openai/gpt-4o"


def ask(family: str, cache: Cache, folder: Path, order: Callable[[Plan], Plan]) -> Counts:
    with prefix_server(cache, slots=4) as (address, counts):
        carry_out(order(planned(family, address, folder)))
    return counts


def planned(family: str, address: str, folder: Path) -> Plan:
    return plan(
        misstep.request(
            family,
            "openai-api/own/x",
            limit=12,
            scale="paper",
            connections=4,
            log_dir=folder,
            model_args={"base_url": address},
        )
    )


def as_it_is(made: Plan) -> Plan:
    return made


def arm_by_arm(made: Plan) -> Plan:
    """As plain tasks are asked: one for each arm."""
    arms = made.manifest.arms
    samples = sorted(made.task.dataset, key=lambda one: arms.index((one.metadata or {})["arm"]))
    return replace(made, task=task_with(made.task, dataset=MemoryDataset(samples)))


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_API_KEY", "no-key-of-anybody")


@pytest.mark.parametrize("family", ["apartments", "planbench", "inconsistency"])
def test_a_server_evaluates_hardly_more_than_each_beginning_once(
    family: str, tmp_path: Path
) -> None:
    counts = ask(family, Paged(CACHE), tmp_path, as_it_is)
    assert len(counts.prompts) >= 24
    assert counts.in_blocks <= counts.evaluated <= 1.1 * counts.in_blocks


def test_slots_that_hold_one_prompt_each_do_as_well(tmp_path: Path) -> None:
    counts = ask("apartments", Slots(4), tmp_path, as_it_is)
    assert counts.evaluated <= 1.1 * counts.tree


def test_arm_by_arm_everything_is_evaluated_again(tmp_path: Path) -> None:
    counts = ask("apartments", Paged(CACHE // 2), tmp_path, arm_by_arm)
    assert counts.evaluated > 1.8 * counts.in_blocks


def test_the_records_hold_what_the_server_found_again(tmp_path: Path) -> None:
    with prefix_server(Paged(CACHE), slots=4) as (address, counts):
        done: Run = carry_out(planned("planbench", address, tmp_path))
    assert sum(record.cached_tokens or 0 for record in done.records) == (
        counts.sent - counts.evaluated
    )
    assert sum(record.input_tokens or 0 for record in done.records) == counts.sent


def test_the_first_goes_alone_and_the_others_together() -> None:
    log: list[str] = []
    gate = Warming(least=10)

    async def call(name: str, *beginnings: str) -> None:
        async with gate.turn(beginnings):
            log.append(f"{name} begins")
            await anyio.sleep(0.01)
            log.append(f"{name} ends")

    async def main() -> None:
        async with anyio.create_task_group() as group:
            for name in "abc":
                group.start_soon(partial(call, name, "x" * 20))
            group.start_soon(partial(call, "other", "y" * 20))
            group.start_soon(partial(call, "short", "x" * 9))

    anyio.run(main)
    at = log.index("a ends")
    assert {"other begins", "short begins"} < set(log[:at]), "nobody waits for what isn't shared"
    assert log.index("b begins") > at
    assert log.index("c begins") < log.index("b ends")


def test_one_that_fails_leaves_it_to_the_next() -> None:
    ended: list[str] = []
    gate = Warming(least=1)

    async def call(name: str) -> None:
        try:
            async with gate.turn(["beginning"]):
                await anyio.lowlevel.checkpoint()
                if name == "first":
                    raise ConnectionError
            ended.append(name)
        except ConnectionError:
            ended.append("failed")

    async def main() -> None:
        async with anyio.create_task_group() as group:
            for name in ("first", "second", "third"):
                group.start_soon(call, name)

    anyio.run(main)
    assert ended == ["failed", "second", "third"]


def test_a_call_without_end_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "_MOST_WAITED", 0.01)
    gate = Warming(least=1)
    ended: list[str] = []

    async def main() -> None:
        async with gate.turn(["beginning"]), gate.turn(["beginning"]):
            ended.append("the second")

    anyio.run(main)
    assert ended == ["the second"]


def test_what_runs_in_this_process_is_never_held_back() -> None:
    warmed = Warmed()
    assert warmed.of("embedded/smollm2-135m") is None
    assert warmed.of(CLOUD) is warmed.of(CLOUD) is not None
