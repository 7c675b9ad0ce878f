"""Every list at paper scale holds what C.1 and the room promise; truth by another road."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.core.family import select
from misstep.core.items import to_dict
from misstep.families.vehicles import FAMILY
from misstep.families.vehicles.descriptors import BANK, IN_TABLE_10, OUR_OWN
from misstep.families.vehicles.generate import generate
from misstep.families.vehicles.spec import MOST_PASSES, SPEC
from vehicle_lists import List, lists

SEEDS = (0, 1, 20_261)
VARIANTS: dict[str, dict[str, str]] = {
    "default": {},
    "paper": {"protocol": "paper"},
    "mapping": {"mapping": "paper"},
    "text": {"history": "text"},
}
HERE = Path(__file__).parent
COLD, WARM = set(BANK["cold"]), set(BANK["warm"])


def class_of_descriptor(item: List, vehicle: int) -> str:
    """From the words of the descriptor alone."""
    is_cold = item.payload.descriptors[vehicle] in COLD
    cold = item.payload.cold
    return cold if is_cold else {"A": "B", "B": "A"}[cold]


def exceptions(item: List) -> list[str]:
    """The classes of the vehicles whose descriptor points to the other one."""
    classes = item.payload.classes
    return [classes[at] for at in range(10) if class_of_descriptor(item, at) != classes[at]]


def covariance(item: List, values: tuple[str, ...]) -> int:
    """100 times the covariance of a feature's first value with Class A, in whole numbers."""
    ones = [value == min(values) for value in values]
    classes = [name == "A" for name in item.payload.classes]
    both = sum(one and other for one, other in zip(ones, classes, strict=True))
    return 10 * both - sum(ones) * sum(classes)


@pytest.mark.parametrize("seed", SEEDS)
def test_240_lists_have_five_vehicles_and_one_exception_of_each_class(seed: int) -> None:
    made = lists(seed)
    assert len(made) == 240
    for item in made:
        assert Counter(item.payload.classes) == {"A": 5, "B": 5}
        assert sorted(exceptions(item)) == ["A", "B"]
        assert item.factors["exceptions"] == 2


@pytest.mark.parametrize("seed", SEEDS)
def test_three_features_are_exactly_uncorrelated_with_the_class_and_vary(seed: int) -> None:
    for item in lists(seed):
        payload = item.payload
        features = (payload.transmissions, payload.seat_covers, payload.doors)
        known = ({"Manual", "Automatic"}, {"Cloth", "Vinyl"}, {"Two", "Four"})
        for values, both in zip(features, known, strict=True):
            assert set(values) == both
            assert sorted(Counter(values).values()) == [4, 6]
            assert covariance(item, values) == 0


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_plates_and_descriptors_are_unique_in_a_list(seed: int, variant: str) -> None:
    for item in lists(seed, **VARIANTS[variant]):
        payload = item.payload
        assert len(set(payload.plates)) == len(set(payload.descriptors)) == 10
        assert all(re.fullmatch(r"[A-Z]\d\d[A-Z]{3}", plate) for plate in payload.plates)
        assert set(payload.descriptors) <= COLD | WARM


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_each_pass_shows_every_vehicle_once_in_an_order_of_its_own(seed: int, variant: str) -> None:
    for item in lists(seed, **VARIANTS[variant]):
        orders = item.payload.orders
        assert len(orders) == MOST_PASSES
        assert {tuple(sorted(order)) for order in orders} == {tuple(range(10))}
        assert all(one != other for one, other in pairwise(orders))
        first = orders[0][0]
        assert item.truth == item.payload.classes[first]
        assert item.lure == class_of_descriptor(item, first)


def test_every_vehicle_comes_at_every_place_about_equally_often() -> None:
    """Chi-square of 100 cells of 360 each; above 160 by chance once in 10,000 tables or so."""
    counts = Counter(
        (place, vehicle)
        for item in lists(0)
        for order in item.payload.orders
        for place, vehicle in enumerate(order)
    )
    assert len(counts) == 100
    assert sum((count - 360) ** 2 / 360 for count in counts.values()) < 160


@pytest.mark.parametrize("seed", SEEDS)
def test_cold_is_class_a_in_one_of_each_two_lists(seed: int) -> None:
    made = lists(seed)
    for one, other in zip(made[::2], made[1::2], strict=True):
        assert {one.payload.cold, other.payload.cold} == {"A", "B"}
    firsts = Counter(one.payload.cold for one in made[::2])
    assert 40 <= firsts["A"] <= 80


@pytest.mark.parametrize("options", [{"mapping": "paper"}, {"protocol": "paper"}])
def test_the_papers_mapping_makes_cold_class_a(options: dict[str, str]) -> None:
    made = lists(0, **options)
    assert {item.payload.cold for item in made} == {"A"}
    assert {item.factors["mapping"] for item in made} == {"cold=A"}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_papers_protocol_flips_a_fifth_and_draws_features_freely(seed: int) -> None:
    """Of 2,400 vehicles 480 are expected to be flipped, standard deviation 19.6."""
    made = lists(seed, protocol="paper")
    counts = [len(exceptions(item)) for item in made]
    assert 400 < sum(counts) < 560
    # Exactly two in 30.2 % of lists: 72 of 240, standard deviation 7.1.
    assert 45 < counts.count(2) < 101
    assert counts == [item.factors["exceptions"] for item in made]
    assert {Counter(item.payload.classes)["A"] for item in made} == {5}
    values = Counter(value for item in made for value in item.payload.doors)
    assert 1_050 < values["Two"] < 1_350
    assert any(covariance(item, item.payload.doors) != 0 for item in made)


def test_the_options_change_only_what_they_say() -> None:
    default, text, mapped = lists(0), lists(0, history="text"), lists(0, mapping="paper")
    for one, other, third in zip(default, text, mapped, strict=True):
        assert one.payload.plates == other.payload.plates == third.payload.plates
        assert one.payload.orders == third.payload.orders
        assert (one.payload.history, other.payload.history) == ("answers", "text")
    ids = {item.id for made in (default, text, mapped) for item in made}
    assert len(ids) == 720


def test_history_text_contradicts_the_papers_protocol() -> None:
    with pytest.raises(BadInput, match="-T history: text contradicts protocol=paper"):
        generate(0, {"protocol": "paper", "history": "text"})


def test_the_bank_holds_the_papers_descriptors_and_ten_of_our_own_for_each_climate() -> None:
    for climate in ("cold", "warm"):
        assert len(IN_TABLE_10[climate]) == 5
        assert len(OUR_OWN[climate]) >= 8
        assert len(set(BANK[climate])) == len(BANK[climate]) >= 10
    assert not COLD & WARM
    assert all(re.fullmatch(r"[A-Z][A-Za-z ]+", text) for text in COLD | WARM)


def test_all_descriptors_come_about_equally_often() -> None:
    """2,400 vehicles among 30 descriptors: 80 each, standard deviation below 9."""
    counts = Counter(text for item in lists(0) for text in item.payload.descriptors)
    assert set(counts) == COLD | WARM
    assert all(45 < count < 115 for count in counts.values())


def test_no_plate_tells_its_class() -> None:
    """The first letter of 2,400 plates, by class: chi-square with 25 degrees of freedom."""
    counts = Counter(
        (plate[0], name)
        for item in lists(0)
        for plate, name in zip(item.payload.plates, item.payload.classes, strict=True)
    )
    letters = {letter for letter, _ in counts}
    chi_square = sum(
        (counts[letter, "A"] - counts[letter, "B"]) ** 2
        / (counts[letter, "A"] + counts[letter, "B"])
        for letter in letters
    )
    assert len(letters) == 26
    assert chi_square < 60


def test_changed_items_bump_the_version() -> None:
    stored = json.loads((HERE / "digests.json").read_text(encoding="utf-8"))
    found = {name: digest(lists(0, **options)) for name, options in VARIANTS.items()}
    assert found == stored.get(str(SPEC.version)), "changed items bump the version"


def digest(made: tuple[List, ...]) -> str:
    text = json.dumps([to_dict(item) for item in made], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(("limit", "near"), [(1, "take 2,"), (7, "take 6 or 8,")])
def test_a_number_of_lists_that_cannot_be_balanced_is_refused(limit: int, near: str) -> None:
    with pytest.raises(BadInput) as refusal:
        select(FAMILY, "quick", limit, 0, {})
    assert str(refusal.value).startswith(f"--limit: {limit} items of vehicles can't be balanced")
    assert near in str(refusal.value)
    assert len(list(select(FAMILY, "quick", limit, 0, {"mapping": "paper"}))) == limit
