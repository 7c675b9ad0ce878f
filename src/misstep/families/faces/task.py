"""The door to the runner: `inspect eval misstep/faces`."""

from __future__ import annotations

from inspect_ai import Task, task

from misstep.core.options import OptionValue
from misstep.families.faces import FAMILY
from misstep.runner.task import arm_names, family_task


@task
def faces(
    arms: str | list[str] = "",
    scale: str = "quick",
    limit_items: int | None = None,
    seed: int = 0,
    **options: OptionValue,
) -> Task:
    """Face recognition: which of five faces, alike in words, is the one just seen?"""
    return family_task(
        FAMILY,
        arms=arm_names(arms),
        scale=scale,
        limit=limit_items,
        seed=seed,
        options=options,
    )
