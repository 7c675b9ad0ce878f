"""What a shell completes: the values of arguments and options, found only when they are asked for.

Nothing here may import what is slow: neither the runner nor the numbers stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from click import Context, Parameter

    from misstep.core.family import Family
    from misstep.core.options import Option

    AnyFamily = Family[Any]  # Any: families of every payload


def families(_context: Context, _param: Parameter, begun: str) -> list[str]:
    from misstep.registry import ROOMS

    return _fitting(ROOMS, begun)


def arms(context: Context, _param: Parameter, begun: str) -> list[str]:
    """The last of several with commas between them; those before it are not offered again."""
    from misstep.core.arms import general

    *before, last = begun.split(",")
    rooms = list(_rooms(context))
    names = [arm.name for room in rooms for arm in room.spec.arms]
    names += [arm.name for room in rooms for arm in general(room.spec.arms)]
    done = "".join(f"{name}," for name in before)
    return [done + name for name in _fitting(names, last) if name not in before]


def options(context: Context, _param: Parameter, begun: str) -> list[str]:
    """KEY= where several keys fit, and KEY=VALUE as soon as it is clear which key is meant."""
    found = {option.name: option for room in _rooms(context) for option in room.spec.options}
    name, equals, _ = begun.partition("=")
    keys = [key for key in found if key == name or (not equals and key.startswith(begun))]
    if len(keys) != 1:
        return [f"{key}=" for key in keys]
    values = [value for room in _rooms(context) for value in _values(room, found[keys[0]])]
    return _fitting([f"{keys[0]}={value}" for value in values] or [f"{keys[0]}="], begun)


def models(context: Context, _param: Parameter, begun: str) -> list[str]:
    """Embedded ones and reference solvers; the runner's providers have too many models to name."""
    from misstep.models.catalogue import CATALOGUE

    solvers = [f"ref/{name}" for room in _rooms(context) for name in room.solvers]
    return _fitting([*(f"embedded/{name}" for name in CATALOGUE), *solvers], begun)


def embedded(_context: Context, _param: Parameter, begun: str) -> list[str]:
    from misstep.models.catalogue import CATALOGUE

    return _fitting(CATALOGUE, begun)


def factors(context: Context, _param: Parameter, begun: str) -> list[str]:
    return _fitting((name for room in _rooms(context) for name in room.spec.factors), begun)


def _fitting(values: Iterable[str], begun: str) -> list[str]:
    return [value for value in dict.fromkeys(values) if value.startswith(begun)]


def _rooms(context: Context) -> Iterator[AnyFamily]:
    """The families that the line names so far; all, where it names none."""
    from misstep.registry import ROOMS, family

    named = context.params.get("families") or context.params.get("family") or ()
    # An option that still lacks its value leaves the line's other words unread, in `args`.
    words = {*((named,) if isinstance(named, str) else named), *context.args}
    return (family(name) for name in [name for name in ROOMS if name in words] or ROOMS)


def _values(room: AnyFamily, option: Option) -> Iterator[str]:
    """Whatever of it is known; an option of that name may be another's."""
    if option not in room.spec.options:
        return
    yield from ("true", "false") if isinstance(option.default, bool) else option.choices
    for listing in room.listings:
        if listing.option == option.name:
            names = [one.name for one in listing.entries]
            names += _own_domains() if option.name == "domain" else []
            yield from names
            yield from (name + ending.name for name in names for ending in listing.endings)


def _own_domains() -> list[str]:
    """Those that the user has; none where their place can't be read, which the command will say."""
    from misstep.planning import PlanningError
    from misstep.planning.finding import known_names

    try:
        return list(known_names())
    except (PlanningError, OSError):
        return []
