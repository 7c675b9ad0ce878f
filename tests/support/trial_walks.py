"""Walks through a person's trial: every screen's answer is checked as the server checks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from misstep.core.items import Item
from misstep.registry import family
from misstep.study.screens import Ask, Json, Screen, fit
from misstep.study.trials.every import trial
from misstep.study.trials.nouns import Given, Judged, Timing, Trial

SOLVERS = {
    "grammar": ("bigram-rule", "length"),
    "faces": ("face-pixels", "first"),
    "vehicles": ("memoriser", "rule"),
    "inconsistency": ("exact", "always-yes"),
    "cups": ("exact", "same-level"),
    "apartments": ("sum", "first-ten"),
}
"""Of each family with one answer screen after another: a solver that is mostly right, and one that
is often wrong."""

ARMS = [(name, arm.name) for name in SOLVERS for arm in trial(name).arms]

Answer = Callable[[Screen, Mapping[str, Json]], Mapping[str, Json]]
"""What is answered to a screen instead of what the solver answers."""


@dataclass(frozen=True)
class Walk:
    """All screens of a trial that is over, and the answers given to them."""

    screens: tuple[Screen, ...]
    given: tuple[Given, ...]
    judged: Judged


def as_solved(screen: Screen, solved: Mapping[str, Json]) -> Mapping[str, Json]:
    return solved


def late(screen: Screen, solved: Mapping[str, Json]) -> Mapping[str, Json]:
    """No answer to any question that has a deadline."""
    has_deadline = isinstance(screen, Ask) and screen.deadline_ms is not None
    return {"value": None} if has_deadline else solved


def always(value: str) -> Answer:
    return lambda screen, solved: {"value": value} if isinstance(screen, Ask) else solved


def walked(
    item: Item[Any],  # Any: families of every payload
    arm: str,
    solver: str,
    answer: Answer = as_solved,
    timing: Timing = Timing(),  # noqa: B008 (frozen)
) -> Walk:
    """Answers that come after 1,000, 1,010, 1,020 … milliseconds."""
    asked: Trial[Any] = trial(item.family)  # Any: likewise
    screens: list[Screen] = []
    given: list[Given] = []
    while (screen := asked.screen(item, arm, timing, given)) is not None:
        solved = asked.solve(item, arm, given, solver)
        kept = fit(screen, answer(screen, solved))
        screens.append(screen)
        given.append(Given(f"trial/0/{len(given)}", kept, 1000.0 + 10 * len(given)))
        assert len(given) <= 400
    return Walk(tuple(screens), tuple(given), asked.judge(item, arm, given))


def items(name: str, groups: int, seed: int = 0) -> Iterator[Item[Any]]:  # Any: likewise
    made = family(name).generate(seed, trial(name).options)
    for _ in range(groups):
        yield from next(made)
