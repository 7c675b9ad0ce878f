"""Reference solvers do as well as they are said to, over thousands of sets."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from misstep.core.items import Item
from misstep.families.apartments import spec
from misstep.families.apartments.generate import generate
from misstep.families.apartments.solvers import REFERENCES
from misstep.families.apartments.spec import ApartmentsPayload

Items = list[Item[ApartmentsPayload]]
SETS = 800
"""Of each range; the standard error of an accuracy of a half is .018."""


@pytest.fixture(scope="module")
def many() -> Items:
    return [group[0] for group in islice(generate(5, {}), 3 * SETS)]


@pytest.mark.parametrize("name", REFERENCES)
def test_a_solver_is_as_accurate_in_each_range_as_it_is_said_to_be(name: str, many: Items) -> None:
    reference = REFERENCES[name]
    right = Counter(
        item.factors["delta"] for item in many if reference.solve(item).answer == item.truth
    )
    for delta, known in reference.accuracy.items():
        error = (known * (1 - known) * (1 / SETS + 1 / 4_000)) ** 0.5
        assert abs(right[delta] / SETS - known) <= 3.5 * error


def test_equals_are_settled_by_lot_in_favour_of_no_place(many: Items) -> None:
    tied = [item for item in many if item.factors["tally"] == "tied"]
    answers = [REFERENCES["tally"].solve(item).answer for item in tied]
    assert len(tied) > 50
    assert set(answers) == set("1234")
    right = sum(answer == item.truth for answer, item in zip(answers, tied, strict=True))
    assert 0.3 < right / len(tied) < 0.7


def test_the_factor_tally_says_whether_counting_finds_the_best(many: Items) -> None:
    for item in many[:300]:
        points = [
            sum(one > 0 for one in row) - sum(one < 0 for one in row)
            for row in item.payload.ratings
        ]
        best = [number for number, one in enumerate(points, 1) if one == max(points)]
        told = {False: "wrong", True: "tied" if len(best) > 1 else "right"}
        assert item.factors["tally"] == told[int(item.truth) in best]


def test_the_readme_prints_the_accuracies(paper_scale: Items) -> None:
    readme = (Path(spec.__file__).parent / "README.md").read_text(encoding="utf-8")
    for name, reference in REFERENCES.items():
        found = re.search(rf"\| `ref/{name}` \|(.*)\|", readme)
        assert found is not None
        cells = [cell.strip() for cell in found[1].split("|")][1:]
        known = [f"{one:.3f}".removeprefix("0") for one in reference.accuracy.values()]
        right = Counter(
            item.factors["delta"]
            for item in paper_scale
            if reference.solve(item).answer == item.truth
        )
        assert cells == [*known, *(f"{right[delta]} %" for delta in reference.accuracy)]
