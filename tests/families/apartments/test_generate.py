"""Each printed property of F.1 at paper scale; truth by another road than the generator's."""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from itertools import islice
from pathlib import Path
from time import process_time

import pytest

from misstep.core.errors import BadInput
from misstep.core.items import Item
from misstep.core.seeds import Chance
from misstep.families.apartments.generate import LETTERS, generate
from misstep.families.apartments.spec import ApartmentsPayload
from misstep.families.apartments.statements import SHIPPED, read_statements, write_statements

Items = list[Item[ApartmentsPayload]]
RANGES = {
    "0.1-0.3": (Fraction(1, 10), Fraction(3, 10)),
    "0.3-0.5": (Fraction(3, 10), Fraction(1, 2)),
    "0.5-1": (Fraction(1, 2), Fraction(1)),
}


@pytest.fixture(scope="module")
def file() -> dict[str, dict[str, dict[str, str | int]]]:
    """The statements as the file has them, read without the suite."""
    plain: dict[str, dict[str, dict[str, str | int]]] = tomllib.loads(
        SHIPPED.read_text(encoding="utf-8")
    )["feature"]
    return plain


def test_there_are_100_sets_for_each_range(paper_scale: Items) -> None:
    assert len(paper_scale) == 300
    assert Counter(item.factors["delta"] for item in paper_scale) == dict.fromkeys(RANGES, 100)
    assert len({item.group for item in paper_scale}) == 300


def test_an_apartment_has_one_statement_of_each_of_80_features(
    paper_scale: Items, file: dict[str, dict[str, dict[str, str | int]]]
) -> None:
    assert len(file) == 80
    for item in paper_scale:
        assert len(item.payload.statements) == 4
        for row in item.payload.statements:
            for text, levels in zip(row, file.values(), strict=True):
                assert text in [level["text"] for level in levels.values()]


def test_the_best_mean_rating_leads_the_second_by_what_the_range_says(
    paper_scale: Items, file: dict[str, dict[str, dict[str, str | int]]]
) -> None:
    rating = {
        level["text"]: int(level["rating"]) for levels in file.values() for level in levels.values()
    }
    for item in paper_scale:
        means = {
            str(number): Fraction(sum(rating[text] for text in row), 80)
            for number, row in enumerate(item.payload.statements, 1)
        }
        assert item.truth == max(means, key=lambda number: means[number])
        second = max(one for number, one in means.items() if number != item.truth)
        low, high = RANGES[str(item.factors["delta"])]
        lead = means[item.truth] - second
        assert low <= lead <= high
        assert lead < high or high == 1
        assert item.factors["lead"] == 80 * lead


def test_the_ratings_of_the_payload_are_those_of_its_statements(
    paper_scale: Items, file: dict[str, dict[str, dict[str, str | int]]]
) -> None:
    rating = {
        level["text"]: level["rating"] for levels in file.values() for level in levels.values()
    }
    for item in paper_scale[:30]:
        for row, ratings in zip(item.payload.statements, item.payload.ratings, strict=True):
            assert [rating[text] for text in row] == list(ratings)


def test_the_best_one_stands_25_times_in_each_place_of_each_range(paper_scale: Items) -> None:
    places = Counter((item.factors["delta"], item.truth) for item in paper_scale)
    assert places == {(delta, truth): 25 for delta in RANGES for truth in "1234"}
    assert all(item.factors["best"] == int(item.truth) for item in paper_scale)


def test_places_stay_as_balanced_as_can_be_wherever_the_sets_end(paper_scale: Items) -> None:
    for number in (5, 17, 30, 50, 101, 299):
        counts = Counter((item.factors["delta"], item.truth) for item in paper_scale[:number])
        for delta in RANGES:
            of_range = [counts[delta, truth] for truth in "1234"]
            assert max(of_range) - min(of_range) <= 1


def test_the_order_of_the_best_ones_places_is_no_pattern(paper_scale: Items) -> None:
    deals = {
        "".join(item.truth for item in paper_scale[first : first + 12 : 3])
        for first in range(0, 300, 12)
    }
    assert len(deals) > 10


def test_the_four_levels_are_drawn_alike(
    paper_scale: Items, file: dict[str, dict[str, dict[str, str | int]]]
) -> None:
    """The three that are not best are no worse than chance has them, but for the choice of sets."""
    level = {one["text"]: name for levels in file.values() for name, one in levels.items()}
    counts = Counter(
        level[text] for item in paper_scale for row in item.payload.statements for text in row
    )
    assert all(abs(count / 96_000 - 0.25) < 0.01 for count in counts.values())


def test_all_320_statements_of_a_set_are_shown_once_in_a_shuffled_order(
    paper_scale: Items,
) -> None:
    for item in paper_scale:
        assert sorted(item.payload.order) == list(range(320))
    # A run of one apartment's statements ends after 4/3 on average; grouped, after 80.
    changes = sum(
        one // 80 != other // 80
        for item in paper_scale
        for one, other in zip(item.payload.order, item.payload.order[1:], strict=False)
    )
    assert 0.74 < changes / (300 * 319) < 0.76


def test_grouped_shows_one_apartment_after_the_other_with_features_in_one_order() -> None:
    payload = next(generate(0, {"order": "grouped"}))[0].payload
    rows = [payload.order[first : first + 80] for first in range(0, 320, 80)]
    assert [{number // 80 for number in row} for row in rows] == [{0}, {1}, {2}, {3}]
    assert len({tuple(number % 80 for number in row) for row in rows}) == 1
    assert rows[0] != tuple(range(80))


def test_options_of_showing_change_no_set(paper_scale: Items) -> None:
    for options in ({"protocol": "paper"}, {"order": "grouped"}, {"ratings": "shown"}):
        for one, (other,) in zip(paper_scale[:6], generate(0, options), strict=False):
            assert one.payload.statements == other.payload.statements
            assert (one.truth, one.factors) == (other.truth, other.factors)
            assert one.id != other.id


def test_a_range_alone_gives_the_sets_that_it_has_among_all(paper_scale: Items) -> None:
    for delta in RANGES:
        alone = [group[0] for group in islice(generate(0, {"ranges": delta}), 100)]
        assert alone == [item for item in paper_scale if item.factors["delta"] == delta]


def test_plain_rejection_takes_as_many_draws_as_with_the_published_ratings() -> None:
    """About 240, 480 and 1,100 draws for 100 sets: the spread of the ratings is the paper's."""
    chance, ratings = Chance(b"draws"), []
    for feature in read_statements(SHIPPED).features:
        ratings.append([one.rating or 0 for one in feature.statements])
    leads = []
    for _ in range(4_000):
        sums = sorted(sum(chance.choice(four) for four in ratings) for _ in range(4))
        leads.append(sums[3] - sums[2])
    for (low, high), wanted in zip(((8, 24), (24, 40), (40, 81)), (240, 480, 1_100), strict=True):
        draws = 100 * len(leads) / sum(low <= lead < high for lead in leads)
        assert 0.8 < draws / wanted < 1.25


def test_a_third_of_the_letters_that_can_be_are_those_two_places_back(paper_scale: Items) -> None:
    same = total = 0
    for item in paper_scale:
        letters = item.payload.letters
        assert len(letters) == 20
        assert set(letters) <= set(LETTERS)
        same += sum(one == other for one, other in zip(letters, letters[2:], strict=False))
        total += 18
    assert 0.33 < same / total < 0.40


def test_300_sets_are_made_in_under_two_seconds() -> None:
    began = process_time()
    list(islice(generate(3, {}), 300))
    assert process_time() - began < 2


def test_ratings_too_close_together_for_a_range_are_said_in_one_line(own_file: Path) -> None:
    found = read_statements(own_file)
    text = own_file.read_text(encoding="utf-8")
    for feature in found.features:
        for one, rating in zip(feature.statements, (1, 1, 0, 0), strict=True):
            text = text.replace(
                f'rating = {one.rating}, text = "{one.text}"',
                f'rating = {rating}, text = "{one.text}"',
            )
    own_file.write_text(f'rated_by = "nobody"\n{text}', encoding="utf-8")
    with pytest.raises(BadInput, match=r"mine\.toml: no set with a lead of 0\.5-1 in 20,000 draws"):
        next(generate(0, {"statements": str(own_file), "ranges": "0.5-1"}))


def test_a_file_of_ones_own_counts_by_its_content(own_file: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved.toml"
    write_statements(moved, read_statements(own_file))
    one = next(generate(0, {"statements": str(own_file)}))[0]
    other = next(generate(0, {"statements": str(moved)}))[0]
    assert one == other
    edited = own_file.read_text(encoding="utf-8").replace(
        '{ rating = 4, text = "Trams', '{ rating = 3, text = "Trams'
    )
    own_file.write_text(edited, encoding="utf-8")
    assert next(generate(0, {"statements": str(own_file)}))[0].id != one.id


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"protocol": "paper", "ratings": "shown"}, "-T ratings: shown contradicts protocol=paper"),
        ({"back": "0"}, "-T back: 0 is not between 1 and 9"),
        ({"letters": "2"}, "-T letters: 2 is not between 3 and 200"),
        ({"ranges": "0.2"}, "-T ranges: '0.2' is not one of all, 0.1-0.3, 0.3-0.5, 0.5-1"),
        ({"statements": "none.toml"}, "none.toml: cannot be read: No such file or directory"),
    ],
)
def test_what_contradicts_or_cannot_be_is_said_at_once(options: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput) as caught:
        generate(0, options)
    assert str(caught.value).startswith(said)
