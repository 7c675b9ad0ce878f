"""Strings: membership, counts and ranks against a slow enumerator that follows every path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misstep.core.seeds import Chance, stream
from misstep.families.grammar.language import is_deterministic, is_grammatical, paths, strings
from misstep.families.grammar.structures import REBER, Edge, classes, pairs_of


def all_paths(edges: Sequence[Edge], node: str = "s", letters: str = "") -> list[str]:
    """The letters of every path from `node` to the sink, to eight letters in all."""
    found = [letters] if node == "t" else []
    if len(letters) < 8:
        for start, end, letter in edges:
            if start == node:
                found += all_paths(edges, end, letters + letter)
    return found


def random_grammar(chance: Chance, alphabet: str) -> tuple[Edge, ...]:
    pairs = pairs_of(chance.choice(classes()))
    return tuple((start, end, chance.choice(alphabet)) for start, end in pairs)


@cache
def grammars() -> tuple[tuple[Edge, ...], ...]:
    """300 grammars, every second one with so few letters that most are nondeterministic."""
    chance = stream("test", 1, 0, "grammars")
    alphabets = ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ABCD")
    return tuple(random_grammar(chance, alphabets[turn % 2]) for turn in range(300))


def test_strings_and_paths_are_those_of_a_full_enumeration() -> None:
    for edges in grammars():
        found = Counter(all_paths(edges))
        language, walks = strings(edges), paths(edges)
        assert sorted(language.string(rank) for rank in range(language.count)) == sorted(found)
        assert Counter(walks.string(rank) for rank in range(walks.count)) == found


def test_membership_agrees_with_the_enumeration_on_strings_and_their_neighbours() -> None:
    chance = stream("test", 1, 0, "neighbours")
    for edges in grammars():
        language = set(all_paths(edges))
        letters = sorted({letter for _, _, letter in edges})
        for word in chance.sample(sorted(language), min(20, len(language))):
            at = chance.below(len(word))
            changed = word[:at] + chance.choice(letters) + word[at + 1 :]
            assert is_grammatical(edges, word)
            assert is_grammatical(edges, changed) == (changed in language)


def first_match(edges: Sequence[Edge], string: str) -> bool:
    node = "s"
    for letter in string:
        node = next((end for start, end, on in edges if (start, on) == (node, letter)), "")
    return node == "t"


def test_a_walker_that_takes_the_first_match_would_reject_many_grammatical_strings() -> None:
    full_alphabet = [edges for edges in grammars()[::2] if strings(edges).count >= 37]
    rejected = [
        sum(not first_match(edges, word) for word in language) / len(language)
        for edges in full_alphabet
        for language in [set(all_paths(edges))]
    ]
    assert 0.1 < sum(rejected) / len(rejected) < 0.24


def test_the_set_of_nodes_is_followed_where_two_edges_carry_one_letter() -> None:
    edges = (
        ("s", "x1", "A"),
        ("s", "x3", "A"),
        ("x1", "x2", "B"),
        ("x3", "x4", "C"),
        ("x2", "t", "D"),
        ("x4", "t", "D"),
    )
    assert not is_deterministic(edges)
    assert is_grammatical(edges, "ABD")
    assert is_grammatical(edges, "ACD")
    assert not is_grammatical(edges, "AD")


def test_longer_strings_than_eight_are_grammatical_but_not_counted() -> None:
    assert is_grammatical(REBER, "TSSSSSSSSXS")
    assert all(len(strings(REBER).string(rank)) <= 8 for rank in range(43))


def test_the_reber_grammar_makes_43_strings() -> None:
    assert strings(REBER).count == 43
    assert len(set(all_paths(REBER))) == 43
    assert is_deterministic(REBER)


def test_a_rank_beyond_the_count_is_refused() -> None:
    with pytest.raises(ValueError, match=r"0\.\.42, not 43"):
        strings(REBER).string(43)


@given(st.text(alphabet="PSTVX", max_size=8))
def test_a_string_up_to_eight_is_grammatical_exactly_if_it_has_a_rank(word: str) -> None:
    language = {strings(REBER).string(rank) for rank in range(43)}
    assert is_grammatical(REBER, word) == (word in language)


def test_uniform_ranks_give_uniform_strings() -> None:
    language = strings(REBER)
    chance = stream("test", 1, 0, "uniform")
    drawn = Counter(language.string(chance.below(language.count)) for _ in range(43 * 200))
    assert len(drawn) == 43
    chi_squared = sum((count - 200) ** 2 / 200 for count in drawn.values())
    assert chi_squared < 80  # 42 degrees of freedom: the 99.96th percentile
