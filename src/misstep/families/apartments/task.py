"""The door to the runner: `inspect eval misstep/apartments`."""

from __future__ import annotations

from inspect_ai import Task, task

from misstep.core.options import OptionValue
from misstep.families.apartments import FAMILY
from misstep.runner.task import arm_names, family_task


@task
def apartments(
    arms: str | list[str] = "",
    scale: str = "quick",
    limit_items: int | None = None,
    seed: int = 0,
    **options: OptionValue,
) -> Task:
    """Apartments: which of four is best, by eighty statements about each?"""
    return family_task(
        FAMILY,
        arms=arm_names(arms),
        scale=scale,
        limit=limit_items,
        seed=seed,
        options=options,
    )
