"""The ready-made set: whole, balanced, as its index says, and no leak that so few could show."""

from __future__ import annotations

import io
from itertools import islice, product
from math import comb
from typing import Any

import numpy as np
import pytest
from PIL import Image

from misstep.core.items import Item
from misstep.families.faces import FAMILY, sets
from misstep.families.faces.attributes import VALUES, allowed, dealt, read_rules
from misstep.families.faces.gate import FARTHEST, MARGIN, Gate, apart
from misstep.families.faces.generate import SHIPPED, pictures
from misstep.families.faces.plan import DRAWING, plan
from misstep.families.faces.sets import Problem
from misstep.families.faces.solvers import REFERENCES
from misstep.families.faces.spec import READY, FacesPayload

PROBLEMS = tuple(sets.read_problems(SHIPPED))
EVERY = allowed(read_rules())


@pytest.fixture(scope="module")
def items() -> list[Item[FacesPayload]]:
    return [group[0] for group in islice(FAMILY.generate(0, {}), READY)]


def test_the_first_items_of_seed_0_are_there_without_any_extra(
    items: list[Item[FacesPayload]],
) -> None:
    assert [item.id for item in items] == [one.id for one in PROBLEMS]
    assert [item.id for item in items] == [f"faces-0-{number:03d}" for number in range(READY)]
    assert all(item.payload.folder == "" for item in items)


def test_every_picture_is_the_one_of_the_index_and_no_other_file_is_there() -> None:
    shots = [shot for one in PROBLEMS for shot in one.shots]
    assert len({shot.sha256 for shot in shots}) == len(shots) == READY * 6
    for shot in shots:
        picture = Image.open(io.BytesIO(sets.picture(SHIPPED, shot.file, shot.sha256)))
        assert (picture.format, picture.mode, picture.size) == ("JPEG", "RGB", (512, 512))
    there = {file.name for file in SHIPPED.iterdir()}
    assert there == {shot.file for shot in shots} | {sets.INDEX}


def test_the_set_is_small_enough_to_ship() -> None:
    assert sum(file.stat().st_size for file in SHIPPED.iterdir()) < 5_000_000


def test_truths_are_balanced_and_every_group_of_people_is_there_once() -> None:
    truths = [one.truth for one in PROBLEMS]
    assert sorted(truths.count(str(answer)) for answer in range(1, 6)) == [4, 5, 5, 5, 5]
    cells = [one.attributes.cell for one in PROBLEMS if one.attributes]
    assert sorted(cells) == sorted(product(VALUES["race"], VALUES["gender"], VALUES["age"]))


@pytest.mark.parametrize("one", PROBLEMS, ids=lambda one: one.id)
def test_a_problem_is_what_its_seed_plans_and_the_gate_demands(one: Problem) -> None:
    planned = plan(0, one.number, one.take, EVERY)
    assert one.attributes == dealt(0, DRAWING, one.number, EVERY) == planned.attributes
    assert (one.truth, one.source, one.version) == (str(planned.truth), "embedded", DRAWING)
    yaws = [scene.pose[0] for scene in (planned.reference, *planned.candidates)]
    assert [shot.about["yaw"] for shot in one.shots] == [round(yaw, 2) for yaw in yaws]
    right = planned.truth - 1
    same = one.distances[right]
    others = [far for place, far in enumerate(one.distances) if place != right]
    beside = [far for place, far in enumerate(one.beside) if place != right]
    assert same <= FARTHEST
    assert min(others) >= same + MARGIN - 1e-4
    assert min(beside) > same - 1e-4
    assert one.beside[right] == 0
    geometry = [float(str(shot.about["geometry"])) for shot in one.candidates]
    assert geometry[right] == 0
    assert min(far for place, far in enumerate(geometry) if place != right) > 1


def test_the_gate_sees_in_the_pictures_what_the_index_says(
    items: list[Item[FacesPayload]],
) -> None:
    pytest.importorskip("dlib")
    gate, item = Gate(), items[3]
    seen = [gate.look(_pixels(one.content())) for one in pictures(item)]
    assert [found.faces for found in seen] == [1] * 6
    far = [apart(seen[0].embedding, one.embedding) for one in seen[1:]]
    assert far == pytest.approx(item.payload.distances, abs=0.01)
    assert FAMILY.solvers["embedding"](item).answer == item.truth


def _pixels(content: bytes) -> Any:  # Any: a numpy array, as the gate takes it
    return np.array(Image.open(io.BytesIO(content)).convert("RGB"))


@pytest.mark.parametrize("name", [name for name, one in REFERENCES.items() if one.at_chance])
def test_a_solver_that_sees_no_face_is_right_no_oftener_than_by_luck(
    name: str, items: list[Item[FacesPayload]]
) -> None:
    right = sum(FAMILY.solvers[name](item).answer == item.truth for item in items)
    assert _tail(right, len(items)) > 0.005


def _tail(right: int, of: int) -> float:
    """How probable it is that a guess at one in five is right that often, or more."""
    return sum(comb(of, k) * 0.2**k * 0.8 ** (of - k) for k in range(right, of + 1))


def test_a_leak_would_be_seen(items: list[Item[FacesPayload]]) -> None:
    """The same check fails a solver that is right in half of the problems."""
    assert _tail(len(items) // 2, len(items)) < 0.005
