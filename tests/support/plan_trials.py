"""Two-phase trials for tests: items of any domain, walked by a solver or by answers of one's own;
and the browser's code for plans, bundled for node or for a page."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from misstep.core.family import select
from misstep.core.items import Item
from misstep.families.planbench import FAMILY
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.study.screens import Json, Plan, Screen, fit
from misstep.study.trials.nouns import Given, Judged, Timing
from misstep.study.trials.planbench import TRIAL

PlanItem = Item[PlanbenchPayload]
Answering = Callable[[Screen, Sequence[Given]], Mapping[str, Json] | None]
USUAL = Timing()
PAGES = Path(__file__).parents[2] / "src" / "misstep" / "study" / "pages"


@dataclass(frozen=True)
class Walk:
    screens: tuple[Screen, ...]
    given: tuple[Given, ...]
    judged: Judged


@cache
def items(count: int, domain: str = "blocksworld", **options: str | int) -> tuple[PlanItem, ...]:
    told = {"domain": domain, "cache": "none", **options}
    return tuple(select(FAMILY, "paper", count, 0, told))


def by_solver(screen: Screen, given: Sequence[Given]) -> None:
    """No answer of one's own: the solver's stands."""


def walked(
    item: PlanItem,
    solver: str = "planner",
    own: Answering = by_solver,
    arm: str = "two-phase",
    timing: Timing = USUAL,
) -> Walk:
    """The whole trial; `own` gives the answers that are not the solver's."""
    given: list[Given] = []
    screens: list[Screen] = []
    while (screen := TRIAL.screen(item, arm, timing, given)) is not None:
        answer = own(screen, given)
        if answer is None:
            answer = TRIAL.solve(item, arm, given, solver)
        screens.append(screen)
        rt_ms = 1000.0 + len(given)
        given.append(Given(f"trial/0/{len(given)}", fit(screen, answer), rt_ms))
    return Walk(tuple(screens), tuple(given), TRIAL.judge(item, arm, given))


def picked(walk: Walk) -> tuple[str, ...]:
    """The plan that counts."""
    steps = walk.given[-1].answer["steps"]
    assert isinstance(steps, list)
    return tuple(map(str, steps))


def plan_screen(item: PlanItem, arm: str = "two-phase") -> Plan:
    """The screen on which the plan that counts is picked."""
    last = walked(item, arm=arm).screens[-1]
    assert isinstance(last, Plan)
    return last


def bundled(entry: Path, target: Path, *options: str) -> Path:
    """The browser's code for node, or for a page; skips where nobody has fetched the builder."""
    builder = PAGES / "node_modules" / ".bin" / "esbuild"
    if not builder.exists() or shutil.which("node") is None:
        pytest.skip(f"needs node, and npm ci in {PAGES.name}/")
    told = ("--bundle", f"--outfile={target}", "--log-level=warning", *options)
    command: list[Path | str] = [builder, entry, *told]
    subprocess.run(command, check=True, timeout=60)
    return target
