"""Templates are taken apart in exactly the ways in which they could have been filled."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from misstep.planning.wording import Template
from misstep.planning.wording.templates import parse_template

_PARTS = st.lists(
    st.one_of(st.integers(0, 2), st.sampled_from([" ", "a", " a ", "ab"])), min_size=1, max_size=5
)


def _by_brute_force(template: Template, text: str) -> set[tuple[tuple[int, str], ...]]:
    """All pieces of the text tried for all arguments."""
    places = sorted(template.positions)
    pieces = {text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)}
    found = set()
    for chosen in product(sorted(pieces), repeat=len(places)):
        arguments = dict(zip(places, chosen, strict=True))
        if template.fill([arguments.get(place, "") for place in range(3)]) == text:
            found.add(tuple(arguments.items()))
    return found


@given(_PARTS, st.text("ab ", min_size=1, max_size=6))
def test_all_ways_to_cut_a_text_are_found_and_no_other(parts: list[str | int], text: str) -> None:
    template = Template("", tuple(parts))
    cut = [tuple(sorted(pieces.items())) for pieces in template.splits(text)]
    assert set(cut) == _by_brute_force(template, text)


@given(_PARTS, st.lists(st.text("abc ", min_size=1, max_size=4), min_size=3, max_size=3))
def test_what_was_filled_in_is_among_what_comes_out(
    parts: list[str | int], arguments: list[str]
) -> None:
    template = Template("", tuple(parts))
    expected = {place: arguments[place] for place in template.positions}
    assert expected in list(template.splits(template.fill(arguments)))


def test_slots_are_names_or_numbers() -> None:
    by_name = parse_template("stack {top} on {base}", ["top", "base"], "", "")
    by_number = parse_template("stack {1} on {2}", ["top", "base"], "", "")
    assert by_name.parts == by_number.parts == ("stack ", 0, " on ", 1)
    assert by_name.fill(["x", "y"]) == "stack x on y"
