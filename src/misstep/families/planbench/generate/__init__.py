"""Seed → questions of one test with an answer that is right; a module for each kind of test.

A question is a group of its own. Each is drawn from its own number, so that none depends on
another; a number that gives nothing, or what an earlier one gave, is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from misstep.core import spreading
from misstep.core.errors import BadInput
from misstep.core.family import Options
from misstep.core.items import Groups, Item
from misstep.core.seeds import digest, stream
from misstep.families.planbench.generate import away
from misstep.families.planbench.generate.ahead import in_order
from misstep.families.planbench.generate.drawing import Draft, Draw, instance_key
from misstep.families.planbench.generate.execution import plan_execution
from misstep.families.planbench.generate.generalization import plan_generalization
from misstep.families.planbench.generate.goals import (
    goal_full_to_partial,
    goal_partial_to_full,
    goal_shuffling,
)
from misstep.families.planbench.generate.packing import pack
from misstep.families.planbench.generate.plans import optimal_planning, plan_generation
from misstep.families.planbench.generate.published import published_items
from misstep.families.planbench.generate.replanning import replanning
from misstep.families.planbench.generate.reuse import plan_reuse
from misstep.families.planbench.generate.unsolvable import unsolvable
from misstep.families.planbench.generate.verification import plan_verification
from misstep.families.planbench.settings import Settings, read_settings
from misstep.families.planbench.solving import Solvers
from misstep.families.planbench.source import Source, cover, open_source
from misstep.families.planbench.spec import SPEC, PlanbenchPayload
from misstep.planning.planners.processes import usable_cores

ENOUGH = 300
"""Numbers in a row that give nothing new, after which a small world counts as used up."""

FEW = 5
"""The same, where one item is wanted to look at."""

PROVEN = ("optimal-planning",)
"""Tests that ask a planner for most of their questions, where worlds are large."""

KINDS: Mapping[str, Callable[[Draw], Draft | None]] = {
    "plan-generation": plan_generation,
    "optimal-planning": optimal_planning,
    "plan-verification": plan_verification,
    "plan-execution": plan_execution,
    "replanning": replanning,
    "plan-generalization": plan_generalization,
    "plan-reuse": plan_reuse,
    "unsolvable": unsolvable,
    "goal-shuffling": goal_shuffling,
    "goal-full-to-partial": goal_full_to_partial,
    "goal-partial-to-full": goal_partial_to_full,
}


def generate(seed: int, options: Options) -> Groups[PlanbenchPayload]:
    """Groups until the world, or the published file, is used up. Raises BadInput at once for
    options that are wrong."""
    settings = read_settings(options)
    if settings.published is not None:
        return published_items(settings.published)
    source = open_source(settings.domain)
    return _groups(seed, settings, source, ENOUGH)


def first(seed: int, options: Options) -> Item[PlanbenchPayload]:
    """The first item that `generate` gives. Raises BadInput where it isn't found quickly."""
    settings = read_settings(options)
    (item,) = next(_groups(seed, settings, open_source(settings.domain), FEW))
    return item


def _groups(seed: int, settings: Settings, source: Source, enough: int) -> Groups[PlanbenchPayload]:
    hidden = cover(source, digest(SPEC.name, SPEC.version, seed, "disguise", source.name))
    drawn_by = _instances(settings, source)
    seen: set[str] = set()
    misses = 0

    for number, draft in _drafts(Making(seed, settings, source, drawn_by)):
        key = _key(draft) if draft is not None else ""
        if draft is None or key in seen:
            misses += 1
            if misses == enough:
                return _ended(settings, seen)
            continue
        misses = 0
        seen.add(key)
        names = digest(SPEC.name, SPEC.version, seed, "objects", *drawn_by, number)
        yield (pack(draft, settings, source, hidden, f"{seed}", number, names),)
    return None


@dataclass(frozen=True)
class Making:
    """What every draft of a seed is made with; `drawn_by`: see `_instances`."""

    seed: int
    settings: Settings
    source: Source
    drawn_by: tuple[str, ...]

    def draft(self, cache: Path | None, number: int) -> Draft | None:
        """Hangs on nothing but the number; `cache` holds what planners have said before."""
        chance = stream(SPEC.name, SPEC.version, self.seed, "item", *self.drawn_by, number)
        solvers = Solvers(self.source.base, cache)
        return KINDS[self.settings.test](Draw(self.source, solvers, self.settings, chance))


def _drafts(making: Making) -> Iterator[tuple[int, Draft | None]]:
    """By number, without end; on several machines, where these are to share the work."""
    cache = making.settings.cache
    spread = spreading.spread()
    if spread is not None:
        return enumerate(away.made(making.draft, cache, spread))
    workers = usable_cores() if making.settings.test in PROVEN else 1
    return in_order(partial(making.draft, cache), workers)


def _ended(settings: Settings, seen: set[str]) -> None:
    if not seen:
        where = f"domain {settings.domain} of this size"
        raise BadInput(f"-T test: {settings.test} finds no instance in {where}")


def _key(draft: Draft) -> str:
    return f"{instance_key(draft.query)} {draft.query.shown} {draft.query.problem.init}"


def _instances(settings: Settings, source: Source) -> tuple[str, ...]:
    """What instances are drawn by: in either wording, in disguise, and with however many examples,
    the questions are about the same ones."""
    sizes = settings.sizes or source.sizes
    return (settings.test, settings.question, source.folder.name, str(sizes))
