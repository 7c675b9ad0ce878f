"""Problems: all designs once, their truth by tilting, lures, factors, options and bytes."""

from __future__ import annotations

import hashlib
import json
from itertools import islice
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.core.family import select
from misstep.core.items import Item, to_dict
from misstep.families.cups import FAMILY
from misstep.families.cups.drawing import svg
from misstep.families.cups.generate import designs, generate, instances
from misstep.families.cups.geometry import Glass
from misstep.families.cups.rules import glasses
from misstep.families.cups.spec import SPEC, CupsPayload

Problem = Item[CupsPayload]
HERE = Path(__file__).parent
VARIANTS: dict[str, dict[str, str | int | float]] = {
    "default": {},
    "paper": {"protocol": "paper"},
    "ranks": {"ranks": "paper"},
    "wide": {"epsilon": 0.4, "sigma2": 1.0},
    "small": {"pixels": 512},
}


def problems(seed: int = 0, **options: str | float) -> list[Problem]:
    return [item for (item,) in generate(seed, options)]


def design_of(item: Problem) -> tuple[str, ...]:
    return instances(item).asked


def level_by_areas(source: Glass, water: float, target: Glass) -> float:
    """The level by areas alone: the tilt is searched for among 20,000, in the glass's frame."""

    def kept(glass: Glass, tilt: float) -> float:
        """The corner that is cut off is a triangle, less the part of it below the bottom."""
        width, height = float(glass.width), float(glass.height)
        below = max(0.0, width - height / tilt)
        return width * height - (width**2 - below**2) * tilt / 2

    tilts = [0.001 * 1.0005**step for step in range(20_000)]
    wanted = float(source.width) * water
    low, high = 0, len(tilts) - 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if kept(source, tilts[middle]) > wanted else (low, middle)
    return kept(target, tilts[low]) / float(target.width)


def test_each_seed_asks_all_243_designs_once_in_an_order_of_its_own() -> None:
    first, second = problems(0), problems(1)
    assert len({design_of(item) for item in first}) == len(first) == 243
    assert {design_of(item) for item in first} == {design_of(item) for item in second}
    assert [design_of(item) for item in first] != [design_of(item) for item in second]
    assert SPEC.finite_pool


@pytest.mark.parametrize(
    ("scale", "limit", "size"),
    [("quick", None, 40), ("paper", None, 100), ("paper", 243, 243), ("paper", 1_000, 243)],
)
def test_the_scales_are_40_and_100_and_a_limit_takes_all(
    scale: str, limit: int | None, size: int
) -> None:
    chosen = list(select(FAMILY, scale, limit, 0, {}))
    assert len({item.group for item in chosen}) == len(chosen) == size


@pytest.mark.parametrize("ranks", ["drawn", "paper"])
def test_the_truth_is_the_mark_where_equal_areas_pour_at_one_tilt(ranks: str) -> None:
    for item in problems(2, ranks=ranks)[::3]:
        level = level_by_areas(*_with_water(item))
        away = [abs(mark - level) for mark in item.payload.marks]
        assert min(away) < 0.01
        assert "ABCD"[away.index(min(away))] == item.truth


def _with_water(item: Problem) -> tuple[Glass, float, Glass]:
    source, target = glasses(item.payload)
    return source, item.payload.water, target


def test_a_lure_is_the_mark_nearest_to_the_same_level_and_never_right() -> None:
    found = problems(4)
    lured = [item for item in found if item.lure]
    assert 80 < len(lured) < 160
    for item in found:
        near = sorted((abs(mark - item.payload.water), mark) for mark in item.payload.marks)
        letter = "ABCD"[item.payload.marks.index(near[0][1])]
        is_clear = near[1][0] - near[0][0] >= 0.1 - 1e-9
        assert item.lure == (letter if is_clear and letter != item.truth else None)
        assert item.factors["same_level"] == letter


def test_factors_say_what_the_design_and_the_rules_are() -> None:
    payload = CupsPayload(2, 6, 1.5, 3, 5, (0.5, 1.0, 1.25, 4.0), 1024)
    found = next(
        item for item in problems() if tuple(vars(item.payload).values())[:5] == (2, 6, 1.5, 3, 5)
    )
    assert design_of(found) == instances(_with_payload(found, payload)).asked
    named = {name: found.factors[name] for name in ("width", "height", "fill", "regime")}
    assert named == {
        "width": "more",
        "height": "less",
        "fill": "1/4",
        "regime": "bottom/bottom",
    }
    assert "ABCD"[int(str(found.factors["rank"])) - 1] == found.truth
    marks = found.payload.marks
    for rule, level in (("same_level", 1.5), ("same_proportion", 1.25), ("same_volume", 1.0)):
        nearest = min(marks, key=lambda mark: abs(mark - level))
        assert found.factors[rule] == "ABCD"[marks.index(nearest)], rule


def _with_payload(item: Problem, payload: CupsPayload) -> Problem:
    return Item(**{**vars(item), "payload": payload})


def test_every_combination_of_relations_and_fill_comes_nine_times() -> None:
    found = [
        (item.factors["width"], item.factors["height"], item.factors["fill"]) for item in problems()
    ]
    assert {found.count(one) for one in found} == {9}


def test_the_paper_s_protocol_is_its_ranks_under_a_name_of_its_own() -> None:
    assert problems(0, protocol="paper")[0].id == "cups-0~6572ca-000"
    first, second = problems(0, protocol="paper"), problems(0, ranks="paper")
    assert [item.payload for item in first] == [item.payload for item in second]
    assert first[0].id != second[0].id


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": "0.05"}, "-T epsilon: 0.05 is not in 0.1 to 0.5"),
        ({"epsilon": "wide"}, "-T epsilon: 'wide' is no number"),
        ({"epsilon": "nan"}, "-T epsilon: 'nan' is no number"),
        ({"sigma2": "0"}, "-T sigma2: 0.0 is not in 0.1 to 4.0"),
        ({"pixels": "100"}, "-T pixels: 100 is not in 512 to 2048"),
        ({"ranks": "middle"}, "-T ranks: 'middle' is not one of drawn, paper"),
        ({"protocol": "paper", "sigma2": "1"}, "-T sigma2: 1.0 contradicts protocol=paper (0.5)"),
        ({"rank": "1"}, "-T rank: cups has no such option; known: protocol, ranks, epsilon"),
    ],
)
def test_an_option_that_cannot_be_is_named(options: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        generate(0, options)
    assert str(caught.value).startswith(message)


def test_a_number_written_otherwise_is_the_same_option() -> None:
    assert problems(0, epsilon="0.20") == problems(0)


def test_no_two_designs_look_alike_to_who_splits_them() -> None:
    assert len({design_of(item) for item in problems()}) == len(designs())


@pytest.mark.parametrize("name", VARIANTS)
def test_changed_problems_or_drawings_bump_the_version(name: str) -> None:
    total = hashlib.sha256()
    for (item,) in islice(generate(0, VARIANTS[name]), 40):
        total.update(json.dumps(to_dict(item), sort_keys=True).encode())
        total.update(svg(item.payload))
    stored = json.loads((HERE / "digests.json").read_text(encoding="utf-8"))
    assert stored[str(SPEC.version)][name] == total.hexdigest()
