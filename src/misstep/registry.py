"""The one list of families, a line each; a room is opened when it is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from misstep.core.errors import BadInput
from misstep.core.family import Family, Spec
from misstep.core.questions import PREFIX, is_own

ROOMS = (
    "grammar",
    "faces",
    "vehicles",
    "inconsistency",
    "cups",
    "apartments",
    "planbench",
)  # fmt: skip


def family(name: str) -> Family[Any]:  # Any: families of every payload
    """The family of that name; BadInput names the known ones."""
    if name not in ROOMS:
        raise BadInput(f"FAMILY: unknown family {name!r}; known: {', '.join(ROOMS)}")
    room = import_module(f"misstep.families.{name}")
    found: Family[Any] = room.FAMILY  # Any: likewise
    return found


def family_of(name: str) -> Family[Any]:  # Any: likewise
    """The family that records of that name belong to: also a task of the user's own."""
    if not is_own(name):
        return family(name)
    from misstep.runner.own.cases import own_family

    return own_family(name.removeprefix(PREFIX), 1)


def families() -> tuple[Family[Any], ...]:  # Any: likewise
    return tuple(family(name) for name in ROOMS)


def open_doors() -> None:
    """Import every room's `task.py`, which makes its task known to the runner."""
    for name in ROOMS:
        import_module(f"misstep.families.{name}.task")


def specs() -> dict[str, Spec]:
    """The data of every family, by name."""
    return {room.spec.name: room.spec for room in families()}
