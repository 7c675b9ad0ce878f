"""Shards: every group in exactly one, always in the same."""

from __future__ import annotations

from itertools import islice

import pytest

from misstep.core.errors import BadInput
from misstep.core.shards import Shard, ending_of, of_shard, read_shard
from oracle import Payload, generate


def items(groups: int) -> list[str]:
    return [item.id for group in islice(generate(0, {}), groups) for item in group]


def asked(groups: int, shard: Shard) -> list[str]:
    made = (item for group in islice(generate(0, {}), groups) for item in group)
    return [item.id for item in of_shard(made, shard)]


@pytest.mark.parametrize("of", [1, 2, 3, 7])
def test_the_shards_hold_every_item_exactly_once(of: int) -> None:
    found = [one for number in range(1, of + 1) for one in asked(7, Shard(number, of))]
    assert sorted(found) == sorted(items(7))


def test_a_group_stays_whole_and_in_order() -> None:
    assert asked(4, Shard(2, 3)) == items(4)[4:8]


def test_a_run_that_grows_leaves_every_group_in_its_shard() -> None:
    assert asked(9, Shard(2, 3))[: len(asked(4, Shard(2, 3)))] == asked(4, Shard(2, 3))


@pytest.mark.parametrize("of", [1, 2, 5])
@pytest.mark.parametrize("workers", [1, 3])
def test_the_shards_of_a_shard_are_shards_of_the_run(of: int, workers: int) -> None:
    from misstep.runner.shards.orders import shares

    for number in range(1, of + 1):
        own = [one for part in shares(Shard(number, of), workers) for one in asked(17, part)]
        assert sorted(own) == sorted(asked(17, Shard(number, of)))


@pytest.mark.parametrize("words", ["0/4", "5/4", "1/0", "1", "a/b", "1/4/2", "-1/4", "1/20000", ""])
def test_what_is_no_part_of_a_whole_is_refused_by_name(words: str) -> None:
    with pytest.raises(BadInput, match=f"^--shard: '{words}'"):
        read_shard(words)


def test_a_folder_s_name_says_which_shard_it_holds() -> None:
    found = ending_of("grammar-ref-x-1f2e3d4c" + read_shard("3/12").ending)
    assert found is not None
    assert (found.run, found.shard) == ("grammar-ref-x-1f2e3d4c", Shard(3, 12))
    assert ending_of("grammar-ref-x-1f2e3d4c") is None


def test_the_oracle_s_groups_are_of_four() -> None:
    """Else the order above is none of whole groups."""
    assert {item.payload for item in next(generate(0, {}))} == {Payload(n) for n in range(4)}


def test_a_shard_without_a_group_is_refused() -> None:
    with pytest.raises(BadInput, match=r"^--shard: 8/11: the run has 7 groups$"):
        asked(7, Shard(8, 11))
