"""The door to the runner: `inspect eval misstep/cups`."""

from __future__ import annotations

from inspect_ai import Task, task

from misstep.core.options import OptionValue
from misstep.families.cups import FAMILY
from misstep.runner.task import arm_names, family_task


@task
def cups(
    arms: str | list[str] = "",
    scale: str = "quick",
    limit_items: int | None = None,
    seed: int = 0,
    **options: OptionValue,
) -> Task:
    """Cups: to which mark must a glass be filled to pour at the same tilt?"""
    return family_task(
        FAMILY,
        arms=arm_names(arms),
        scale=scale,
        limit=limit_items,
        seed=seed,
        options=options,
    )
