"""A room's door to the runner: the task that `inspect eval misstep/NAME` opens."""

from __future__ import annotations

from collections.abc import Callable

from inspect_ai import Task, task

from misstep.core.options import OptionValue
from misstep.runner.task import AnyFamily, arm_names, family_task


def door(family: AnyFamily) -> Callable[..., Task]:
    """The family's task under its name; `-T` gives arms, scale, limit_items, seed and options."""

    def opened(
        arms: str | list[str] = "",
        scale: str = "quick",
        limit_items: int | None = None,
        seed: int = 0,
        **options: OptionValue,
    ) -> Task:
        return family_task(
            family,
            arms=arm_names(arms),
            scale=scale,
            limit=limit_items,
            seed=seed,
            options=options,
        )

    opened.__doc__ = f"{family.spec.title}: {family.spec.measures}."
    return task(name=family.spec.name)(opened)
