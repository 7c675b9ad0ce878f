"""Chance: the same on any machine, apart for every place, and uniform."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import permutations

import pytest
from scipy import stats

from misstep.core.seeds import Chance, digest, stream

SCRIPT = """
from misstep.core.seeds import stream
chance = stream("grammar", 1, 0, "group", 17)
print([chance.below(1000) for _ in range(20)], chance.shuffled("ABCDEFGH"), chance.uniform())
"""


def test_a_stream_is_the_same_in_any_process_and_never_changes() -> None:
    printed = set()
    for hash_seed in ("0", "1", "31337"):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=env, check=True, capture_output=True, text=True
        )
        printed.add(done.stdout)
    (text,) = printed
    assert digest(text).hex()[:16] == "995be962e4ac2a72"


def test_seeds_and_places_share_no_stream() -> None:
    paths: tuple[tuple[str | int, ...], ...] = ((), ("group", 0), ("group", 1), ("group", "1"))
    places = [
        (family, version, seed, *path)
        for family in ("grammar", "cups")
        for version in (1, 2)
        for seed in range(20)
        for path in paths
    ]
    keys = {digest(*place) for place in places}
    assert len(keys) == len(places)


def test_neighbouring_seeds_and_indices_are_not_each_other() -> None:
    one = stream("f", 1, 42, 1)
    other = stream("f", 1, 43, 0)
    assert [one.below(10**9) for _ in range(5)] != [other.below(10**9) for _ in range(5)]


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 26, 37, 1000])
def test_below_is_uniform(bound: int) -> None:
    chance = stream("test", 1, 0, bound)
    counts = Counter(chance.below(bound) for _ in range(2000 + 20 * bound))
    assert set(counts) == set(range(bound))
    if bound > 1:
        assert stats.chisquare(list(counts.values())).pvalue > 1e-4


def test_every_order_is_as_likely() -> None:
    chance = stream("test", 1, 0, "orders")
    counts = Counter(tuple(chance.shuffled("ABCD")) for _ in range(4800))
    assert set(counts) == set(permutations("ABCD"))
    assert stats.chisquare(list(counts.values())).pvalue > 1e-4


def test_a_sample_holds_no_place_twice_and_leaves_its_source_alone() -> None:
    source = list(range(50))
    drawn = stream("test", 1, 0).sample(source, 20)
    assert len(set(drawn)) == 20
    assert source == list(range(50))


def test_uniform_lies_in_zero_to_one_and_fills_it() -> None:
    chance = stream("test", 1, 0, "uniform")
    drawn = [chance.uniform() for _ in range(3000)]
    assert all(0 <= number < 1 for number in drawn)
    assert stats.kstest(drawn, "uniform").pvalue > 1e-4


def test_impossible_draws_are_refused() -> None:
    with pytest.raises(ValueError, match="bound"):
        Chance(b"x").below(0)
    with pytest.raises(ValueError, match="cannot draw 3 of 2"):
        Chance(b"x").sample("ab", 3)
