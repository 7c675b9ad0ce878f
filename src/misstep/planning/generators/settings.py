"""Settings of the generators: whole numbers with bounds, checked by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from misstep.planning.errors import PlanningError
from misstep.planning.generators.chance import Chance
from misstep.planning.model import Domain, Problem

TRIES = 1000
"""Draws of a goal until one is not met already; reached only where settings leave no other."""


class SettingError(PlanningError):
    """A setting that a generator doesn't have or can't use; one line that names it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A whole number; `most` is None where there is no upper bound."""

    default: int
    least: int
    meaning: str
    most: int | None = None


@dataclass(frozen=True)
class Generator:
    """Makes random problems of one domain.

    `solvable` says why each problem has a plan. `make` takes the domain, all settings by name,
    chance and the problem's name.
    """

    name: str
    settings: Mapping[str, Setting]
    solvable: str
    make: Callable[[Domain, Mapping[str, int], Chance, str], Problem]


def complete(generator: Generator, given: Mapping[str, object]) -> dict[str, int]:
    """The given settings with the defaults for the rest. Raises SettingError."""
    for name in given:
        if name not in generator.settings:
            known = ", ".join(generator.settings)
            raise SettingError(f"{generator.name}: no setting {name!r} (there are: {known})")
    return {
        name: _checked(generator.name, name, setting, given.get(name, setting.default))
        for name, setting in generator.settings.items()
    }


def _checked(generator: str, name: str, setting: Setting, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettingError(f"{generator}: {name}: {value!r} is no whole number")
    if value < setting.least:
        raise SettingError(f"{generator}: {name}: {value} is less than {setting.least}")
    if setting.most is not None and value > setting.most:
        raise SettingError(f"{generator}: {name}: {value} is more than {setting.most}")
    return value
