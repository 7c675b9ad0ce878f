"""Files that make the items name a variant by what they hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from misstep.core.options import read_options
from misstep.families.apartments.statements import SHIPPED as STATEMENTS
from misstep.families.inconsistency.pairs.files import SHIPPED as PAIRS
from misstep.registry import family


def variant(name: str, **given: str) -> str:
    room = family(name)
    return room.variant(read_options(room.spec.options, given, name))


@pytest.mark.parametrize(
    ("name", "option", "shipped"),
    [("apartments", "statements", STATEMENTS), ("inconsistency", "pairs", PAIRS)],
)
def test_a_file_is_one_variant_wherever_it_is_and_another_once_it_is_changed(
    name: str, option: str, shipped: Path, tmp_path: Path
) -> None:
    first, moved = tmp_path / "first", tmp_path / "elsewhere"
    first.write_bytes(shipped.read_bytes())
    moved.write_bytes(shipped.read_bytes())
    before = variant(name, **{option: str(first)})
    assert before == variant(name, **{option: str(moved)})
    assert str(tmp_path) not in before
    first.write_bytes(shipped.read_bytes() + b"\n")
    assert variant(name, **{option: str(first)}) != before


def test_a_file_that_is_gone_is_named_by_its_path() -> None:
    assert variant("inconsistency", pairs="gone.jsonl") == "pairs=gone.jsonl"
