"""Ratings by a model: how replies are read, and the agreement by another road than the suite's."""

from __future__ import annotations

import random

import pytest
from scipy.stats import spearmanr

from misstep.core.outcomes import Reply
from misstep.families.apartments.statements import SHIPPED, problems, read_statements
from misstep.families.apartments.statements.rating import (
    agreement,
    most_different,
    questions,
    rated,
    read_rating,
    spearman,
    with_ratings,
)


@pytest.mark.parametrize(
    ("said", "rating"),
    [
        ("3", 3),
        ("-4", -4),
        ("\u22124", -4),
        ("+5", 5),
        ("**2**", 2),
        ("0", 0),
        ("Rating: -1", -1),
        ("I would rate this a 4.", 4),
        ("3.0", 3),
        ("2.5", None),
        ("7", None),
        ("-50", None),
        ("between 2 or 3", None),
        ("It depends on the tenant.", None),
        ("", None),
    ],
)
def test_a_rating_is_a_whole_number_from_minus_5_to_5(said: str, rating: int | None) -> None:
    assert read_rating(Reply(said, "stop")) == rating


def test_spearman_is_that_of_a_reference_library() -> None:
    dice = random.Random(0)
    for number in (2, 5, 50, 320):
        for _ in range(5):
            one = [dice.randint(-5, 5) for _ in range(number)] + [-5, 5]
            other = [dice.randint(-5, 5) for _ in range(number)] + [5, -4]
            found = spearman(one, other)
            assert found is not None
            assert abs(found - float(spearmanr(one, other).statistic)) < 1e-12


def test_spearman_is_not_defined_where_all_are_level() -> None:
    assert spearman([1, 1, 1], [1, 2, 3]) is None


def test_the_agreement_leaves_out_what_was_not_read() -> None:
    found = read_statements(SHIPPED)
    before = [one.rating for feature in found.features for one in feature.statements]
    now = [None if at == 0 else min(5, (one or 0) + 1) for at, one in enumerate(before)]
    rows = rated(found, now)
    agreed = agreement(rows)
    capped = before.count(5)
    assert agreed is not None
    assert (agreed.number, agreed.same) == (319, capped)
    assert agreed.shift == pytest.approx((319 - capped) / 319)
    assert agreed.correlation is not None
    assert 0.98 < agreed.correlation < 1
    assert agreement(rated(found, [None] * 320)) is None


def test_what_differs_most_comes_first_and_what_agrees_not_at_all() -> None:
    found = read_statements(SHIPPED)
    now = [one.rating for feature in found.features for one in feature.statements]
    now[5], now[9] = -5, 0
    differing = most_different(rated(found, now), 10)
    assert [row.shift for row in differing] == [-7, -2]
    assert differing[0].text == found.features[1].statements[1].text


def test_new_ratings_are_a_file_of_their_own_with_the_raters_name() -> None:
    found = read_statements(SHIPPED)
    made = with_ratings(found, "a/b", [at % 11 - 5 for at in range(320)])
    assert list(problems(made)) == []
    assert made.rated_by == "a/b"
    assert [one.rating for one in made.features[1].statements] == [-1, 0, 1, 2]


def test_each_of_the_320_statements_is_asked_for_by_itself() -> None:
    found = read_statements(SHIPPED)
    asked = questions(found)
    assert len({name for name, _ in asked}) == len(asked) == 320
    for (_, words), text in zip(
        asked, (one.text for each in found.features for one in each.statements), strict=True
    ):
        assert text in words
        assert "for the average tenant, from -5 to 5, with 5 being most desirable" in words
