"""The way of an item into a log and back, and what is copied on it."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import asdict, dataclass

from misstep.core.items import Item, from_dict, to_dict


@dataclass(frozen=True)
class Payload:
    edges: tuple[tuple[str, int], ...]
    word: str | None


ITEM = Item("i", "f", 1, "g", Payload((("a", 1), ("b", 2)), None), "Yes", None, {"length": 2})


def test_an_item_comes_back_through_json_as_through_none() -> None:
    plain = to_dict(ITEM)
    assert plain["payload"] == asdict(ITEM.payload)
    assert from_dict(plain, Payload) == ITEM
    assert from_dict(json.loads(json.dumps(plain)), Payload) == ITEM


def test_a_deep_copy_shares_what_never_changes() -> None:
    plain = to_dict(ITEM)
    copied = deepcopy(plain)
    assert copied == plain
    assert copied["payload"]["edges"] is plain["payload"]["edges"]  # type: ignore[index]  # a mapping
    assert copied["payload"] is not plain["payload"]
