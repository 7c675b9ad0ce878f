"""Marks: how far apart they are, where the right one stands, and the noise itself."""

from __future__ import annotations

from collections import Counter
from itertools import islice, pairwise
from math import sqrt
from random import Random
from statistics import mean

import pytest

from misstep.core.seeds import stream
from misstep.families.cups.generate import designs, generate
from misstep.families.cups.marks import EDGE, GRAINS, RANKS, Scene, dealt, scene

SEEDS = 3


def truths(options: dict[str, str | float], seed: int = 0) -> list[str]:
    return [item.truth for (item,) in generate(seed, options)]


def shares(options: dict[str, str | float]) -> dict[str, float]:
    """How often each letter is right, over all designs and some seeds."""
    found = Counter(letter for seed in range(SEEDS) for letter in truths(options, seed))
    return {letter: found[letter] / found.total() for letter in "ABCD"}


def literal(level: float, height: float, chance: Random) -> list[float]:
    """E.1 word for word: three normal draws around the level, again until they are allowed."""
    deviation = sqrt(0.5 * (height - level))
    while True:
        marks = sorted([level, *(level + chance.gauss(0, deviation) for _ in range(3))])
        is_inside = marks[0] >= EDGE / GRAINS and marks[-1] <= height - EDGE / GRAINS
        if is_inside and all(high - low >= 0.2 for low, high in pairwise(marks)):
            return marks


@pytest.mark.parametrize("ranks", ["drawn", "paper"])
@pytest.mark.parametrize("epsilon", [0.1, 0.2, 0.5])
def test_marks_are_inside_and_at_least_epsilon_apart(ranks: str, epsilon: float) -> None:
    closest = []
    for (item,) in generate(3, {"ranks": ranks, "epsilon": epsilon}):
        marks = item.payload.marks
        assert list(marks) == sorted(marks)
        assert marks[0] >= EDGE / GRAINS
        assert marks[-1] <= item.payload.target_height - EDGE / GRAINS
        closest.append(min(high - low for low, high in pairwise(marks)))
    assert epsilon - 1e-9 <= min(closest) < epsilon + 0.05


def test_the_edge_tells_nothing_as_no_right_level_comes_near_it() -> None:
    assert min(design.level for design in designs()) * GRAINS > 3 * EDGE
    assert min(design.target.height - design.level for design in designs()) * GRAINS > 3 * EDGE


def test_the_paper_s_marks_are_those_of_its_words() -> None:
    """Ranks, heights and spread of the quick sampler against the literal one."""
    chance, places = Random(2), [place for place in range(243) if place % 3 == 0]
    ours: list[tuple[int, list[float]]] = []
    theirs: list[tuple[int, list[float]]] = []
    for place in places:
        level, height = designs()[place].level, designs()[place].target.height
        hidden = scene(round(level * GRAINS), int(height * GRAINS), 0.2, 0.5)
        for repetition in range(25):
            drawn = hidden.by_noise(stream("test", 1, 0, place, repetition))
            ours.append((drawn.index(hidden.level), [mark / GRAINS for mark in drawn]))
            marks = literal(float(level), float(height), chance)
            theirs.append((marks.index(float(level)), marks))
    for rank in RANKS:
        first, second = (mean(one == rank for one, _ in made) for made in (ours, theirs))
        assert abs(first - second) < 0.04, rank
        first, second = (mean(marks[rank] for _, marks in made) for made in (ours, theirs))
        assert abs(first - second) < 0.12, rank


def test_by_the_paper_s_rule_one_fixed_letter_is_right_in_41_to_47_of_100() -> None:
    samples = [Counter(truths({"ranks": "paper"}, seed)[:100]) for seed in range(5)]
    assert 0.41 <= mean(max(found.values()) for found in samples) / 100 <= 0.47
    for found in samples:
        assert found["B"] + found["C"] > 70


def test_by_default_no_fixed_letter_is_right_more_often_than_chance() -> None:
    for letter, share in shares({}).items():
        assert share == pytest.approx(0.25, abs=0.005), letter
    assert Counter(truths({})[:100]) == dict.fromkeys("ABCD", 25)


def test_the_rank_is_as_likely_for_every_design_that_leaves_it_free() -> None:
    free = Scene(3_000, 6_000, 200, 1_000)
    drawn = [dealt([free] * 4, stream("test", 1, number)) for number in range(400)]
    assert all(sorted(ranks) == list(RANKS) for ranks in drawn)
    for place in range(4):
        counts = Counter(ranks[place] for ranks in drawn)
        assert all(70 < counts[rank] < 130 for rank in RANKS)


def test_a_rank_that_does_not_fit_is_never_dealt() -> None:
    low, free = Scene(400, 4_000, 200, 1_000), Scene(2_000, 4_000, 200, 1_000)
    assert [rank for rank in RANKS if low.holds(rank)] == [0, 1]
    for number in range(100):
        ranks = dealt([free, low, free, low], stream("test", 1, number))
        assert {ranks[1], ranks[3]} == {0, 1}
        assert sorted(ranks) == list(RANKS)
    # Three that hold two ranks only can't all differ: each has one of its own.
    crowded = {dealt([low] * 3, stream("test", 1, number)) for number in range(100)}
    assert len(crowded) == 8


def test_every_design_holds_a_rank_at_the_widest_epsilon() -> None:
    for design in designs():
        height = int(design.target.height * GRAINS)
        hidden = scene(round(design.level * GRAINS), height, 0.5, 0.5)
        assert any(hidden.holds(rank) for rank in RANKS)


def test_given_the_rank_the_others_follow_the_noise() -> None:
    """Against the literal draws that happen to have this rank."""
    chance, hidden = Random(3), scene(3_000, 5_000, 0.2, 0.5)
    theirs = [marks for _ in range(3_000) if (marks := literal(3.0, 5.0, chance)).index(3.0) == 1]
    ours = [hidden.around(1, stream("test", 1, number)) for number in range(1_500)]
    assert len(theirs) > 800
    for place in RANKS:
        first = mean(marks[place] / GRAINS for marks in ours)
        assert first == pytest.approx(mean(marks[place] for marks in theirs), abs=0.07), place


def test_a_larger_variance_moves_the_others_away() -> None:
    def spread(sigma2: float) -> float:
        groups = islice(generate(1, {"sigma2": sigma2}), 60)
        return mean(item.payload.marks[-1] - item.payload.marks[0] for (item,) in groups)

    assert spread(0.1) + 0.3 < spread(0.5) < spread(4.0) - 0.3


def test_a_tiny_variance_with_wide_epsilon_still_comes_to_an_end() -> None:
    options: dict[str, str | float] = {"ranks": "paper", "sigma2": 0.1, "epsilon": 0.5}
    assert len(list(islice(generate(0, options), 30))) == 30
