"""The door to the runner: `inspect eval misstep/vehicles`."""

from __future__ import annotations

from inspect_ai import Task, task

from misstep.core.options import OptionValue
from misstep.families.vehicles import FAMILY
from misstep.runner.task import arm_names, family_task


@task
def vehicles(
    arms: str | list[str] = "",
    scale: str = "quick",
    limit_items: int | None = None,
    seed: int = 0,
    **options: OptionValue,
) -> Task:
    """Vehicles: how many passes until ten vehicles, two of them exceptions, are all right?"""
    return family_task(
        FAMILY,
        arms=arm_names(arms),
        scale=scale,
        limit=limit_items,
        seed=seed,
        options=options,
    )
