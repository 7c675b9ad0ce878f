"""An item: one problem, no words yet. Here too: the way of an item into a log and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

Scalar = str | int | float | bool | None
P = TypeVar("P")


@dataclasses.dataclass(frozen=True)
class Item(Generic[P]):
    """One problem of a family.

    `group` is the unit that items are clustered in. `payload` is a flat frozen dataclass of
    the family: scalars and (nested) tuples of them. `lure` is the answer that deliberation is
    expected to lead to, where the literature names one.
    """

    id: str
    family: str
    version: int
    group: str
    payload: P
    truth: str
    lure: str | None
    factors: Mapping[str, Scalar]


Group = tuple[Item[P], ...]
Groups = Iterator[Group[P]]


class Shared(tuple[object, ...]):
    """A tuple, all the way down, of which a deep copy makes none: the runner copies what a sample
    holds again and again."""

    __slots__ = ()

    def __deepcopy__(self, _known: object) -> Shared:
        return self


def to_dict(item: Item[P]) -> dict[str, object]:
    """The item as plain JSON values."""
    payload = item.payload
    if not dataclasses.is_dataclass(payload) or isinstance(payload, type):
        raise TypeError(f"the payload of {item.id} is no dataclass: {payload!r}")
    names = (field.name for field in dataclasses.fields(item))
    plain = {name: getattr(item, name) for name in names if name != "payload"}
    # Not copied, as `asdict` would: items of a group, and an item's arms, share what they show.
    own = {
        field.name: Shared(value) if isinstance(value, tuple) else value
        for field in dataclasses.fields(payload)
        for value in [getattr(payload, field.name)]
    }
    return plain | {"factors": dict(item.factors), "payload": own}


def from_dict(plain: Mapping[str, object], payload_type: type[P]) -> Item[P]:
    """The item that `to_dict` wrote, after any way through JSON (lists become tuples again)."""
    payload = plain["payload"]
    factors = plain["factors"]
    if not isinstance(payload, Mapping) or not isinstance(factors, Mapping):
        raise TypeError("payload and factors must be mappings")
    fields = {name: _frozen(value) for name, value in payload.items()}
    lure = plain["lure"]
    return Item(
        id=str(plain["id"]),
        family=str(plain["family"]),
        version=int(str(plain["version"])),
        group=str(plain["group"]),
        payload=payload_type(**fields),
        truth=str(plain["truth"]),
        lure=None if lure is None else str(lure),
        factors=dict(factors),
    )


def _frozen(value: object) -> object:
    if isinstance(value, Shared):
        return value
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(part) for part in value)
    return value
