"""The door to the runner: `inspect eval misstep/inconsistency`."""

from __future__ import annotations

from inspect_ai import Task, task

from misstep.core.options import OptionValue
from misstep.families.inconsistency import FAMILY
from misstep.runner.task import arm_names, family_task


@task
def inconsistency(
    arms: str | list[str] = "",
    scale: str = "quick",
    limit_items: int | None = None,
    seed: int = 0,
    **options: OptionValue,
) -> Task:
    """Logical inconsistency: can two statements be true at the same time?"""
    return family_task(
        FAMILY,
        arms=arm_names(arms),
        scale=scale,
        limit=limit_items,
        seed=seed,
        options=options,
    )
