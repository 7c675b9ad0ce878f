"""Structures: the classes under the three relabelings, by explicit sets of edges."""

from __future__ import annotations

from misstep.families.grammar.language import paths
from misstep.families.grammar.structures import (
    FIXED,
    OPTIONAL,
    REBER,
    RELABELINGS,
    Pair,
    classes,
    pairs_of,
)

Structure = frozenset[Pair]


def relabeled(structure: Structure, names: dict[str, str]) -> Structure:
    return frozenset((names.get(a, a), names.get(b, b)) for a, b in structure)


def family_orbit(structure: Structure) -> set[Structure]:
    images = {structure, *(relabeled(structure, names) for names in RELABELINGS)}
    return {image for image in images if ("x1", "x2") in image}


def test_there_are_fifteen_optional_edges_and_five_fixed_ones() -> None:
    nodes = ["x1", "x2", "x3", "x4"]
    assert len(FIXED) == 5
    assert sorted({*OPTIONAL, ("x1", "x2")}) == sorted((a, b) for a in nodes for b in nodes)
    assert len(OPTIONAL) == 15


def test_each_structure_has_exactly_one_representative() -> None:
    chosen = {frozenset(pairs_of(mask)) for mask in classes()}
    seen: set[Structure] = set()
    for mask in range(1 << 15):
        structure = frozenset(pairs_of(mask))
        if structure not in seen:
            orbit = family_orbit(structure)
            assert len(orbit & chosen) == 1
            seen |= orbit
    assert len(seen) == 32_768
    assert len(classes()) == len(chosen) == 15_792


def test_orbits_counted_by_their_sizes_give_the_same_number() -> None:
    sizes = [len(family_orbit(frozenset(pairs_of(mask)))) for mask in range(1 << 15)]
    assert sum(12 // size for size in sizes) == 12 * 15_792


def test_structures_have_five_to_twenty_edges() -> None:
    assert {len(pairs_of(mask)) for mask in classes()} == set(range(5, 21))


def test_four_classes_in_five_make_enough_strings_and_some_have_a_dead_end() -> None:
    """With a letter of its own on each edge; 80.5 % pass, of which one in nine has a node that
    is reached and leads nowhere (only x3 can: x1 leads to x2, and x2 and x4 to the sink)."""
    enough, dead = 0, 0
    for mask in classes():
        pairs = pairs_of(mask)
        edges = tuple((start, end, chr(ord("A") + at)) for at, (start, end) in enumerate(pairs))
        if paths(edges).count >= 37:
            enough += 1
            dead += all(end == "x3" for start, end in pairs if start == "x3")
    assert round(enough / len(classes()), 3) == 0.805
    assert 0.10 < dead / enough < 0.12


def test_the_reber_grammar_is_one_of_the_family() -> None:
    structure = frozenset((start, end) for start, end, _ in REBER)
    assert structure in {frozenset(pairs_of(mask)) for mask in range(1 << 15)}
    assert len(REBER) == 10
    assert {letter for _, _, letter in REBER} == set("PSTVX")
