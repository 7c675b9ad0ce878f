"""Attributes: the paper's values, what is left out, and an even deal of the groups."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.families.faces.attributes import VALUES, Attributes, allowed, dealt, read_rules


def test_the_values_are_those_of_appendix_b() -> None:
    sizes = {name: len(values) for name, values in VALUES.items()}
    assert list(sizes.values()) == [4, 2, 3, 3, 5, 2, 3]
    assert set(VALUES["hair_colour"]) == {"brown", "black", "blonde", "red", "gray"}


def test_the_papers_own_example_is_left_out() -> None:
    kept = allowed(read_rules())
    assert not [one for one in kept if (one.race, one.hair_colour) == ("asian", "red")]
    assert len(kept) == 976
    assert len(allowed(())) == 2160 == len(set(allowed(())))


def test_every_value_is_used_in_every_group_that_allows_it() -> None:
    kept = allowed(read_rules())
    for name, values in VALUES.items():
        assert {getattr(one, name) for one in kept} == set(values)


def test_each_deal_of_24_problems_has_every_race_gender_and_age_once() -> None:
    kept = allowed(read_rules())
    cells = [dealt(3, 1, number, kept).cell for number in range(72)]
    every = set(product(VALUES["race"], VALUES["gender"], VALUES["age"]))
    for start in (0, 24, 48):
        assert set(cells[start : start + 24]) == every
    assert cells[:24] != cells[24:48]


def test_the_other_attributes_are_drawn_evenly_among_what_a_group_allows() -> None:
    kept = tuple(one for one in allowed(read_rules()) if one.cell == ("asian", "man", "young"))
    everywhere = allowed(read_rules())
    found = Counter(
        one
        for one in (
            dealt(seed, 1, number, everywhere) for seed in range(200) for number in range(24)
        )
        if one.cell == kept[0].cell
    )
    assert set(found) == set(kept)
    assert max(found.values()) < 60


def test_a_list_of_ones_own_replaces_the_familys(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('[[left_out]]\nwhy = "a test"\nage = ["old"]\nhair_colour = ["red", "black"]\n')
    kept = allowed(read_rules(file))
    assert len(kept) == 2160 - 720 * 2 // 5
    assert Attributes("asian", "man", "young", "blue", "red", "long", "curly") in kept


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("left_out = 3", "something other than"),
        ("[[left_out]]\n[[other]]\n", "something other than"),
        ("[[left_out]]\nhight = ['tall']\n", "'hight' is not one of race"),
        ("[[left_out]]\nage = ['ancient']\n", "age: ['ancient'] is not a list of young"),
        ("[[left_out]]\nage = 'old'\n", "age: 'old' is not a list of young"),
        ("[[left_out]]\nwhy = 'nothing'\n", "entry 1 names no attribute"),
        (
            "[[left_out]]\nrace = ['white']\nage = ['old']\n",
            "leaves no combination for white man old",
        ),
        ("[[left_out]", "own.toml"),
    ],
)
def test_a_wrong_list_is_said_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text)
    with pytest.raises(BadInput) as caught:
        read_rules(file)
    assert said in str(caught.value)
    assert str(caught.value).startswith("-T left_out: ")
    assert "\n" not in str(caught.value)


def test_a_list_that_is_not_there_is_said() -> None:
    with pytest.raises(BadInput, match=r"-T left_out: none\.toml: No such file"):
        read_rules(Path("none.toml"))
