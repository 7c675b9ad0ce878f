"""Plans: the reference differs from every candidate in the same respects; truths are balanced."""

from __future__ import annotations

from collections import Counter

import pytest

from misstep.families.faces.attributes import allowed, read_rules
from misstep.families.faces.plan import Plan, person_seed, plan, problem_id

EVERY = allowed(read_rules())
PLANS = [plan(0, number, 0, EVERY) for number in range(150)]


@pytest.fixture(params=range(0, 150, 7))
def one(request: pytest.FixtureRequest) -> Plan:
    number: int = request.param
    return PLANS[number]


def test_every_five_problems_have_each_truth_once() -> None:
    for start in range(0, 150, 5):
        assert sorted(one.truth for one in PLANS[start : start + 5]) == [1, 2, 3, 4, 5]


def test_the_candidates_share_pose_expression_and_light(one: Plan) -> None:
    assert len({scene.expression for scene in one.candidates}) == 1
    assert len({(scene.light, scene.turn, scene.neckline) for scene in one.candidates}) == 1
    for axis in (0, 1):
        angles = [scene.pose[axis] for scene in one.candidates]
        assert max(angles) - min(angles) <= 2.4


def test_the_reference_differs_from_each_candidate_in_all_five_respects(one: Plan) -> None:
    for scene in one.candidates:
        assert abs(scene.pose[0] - one.reference.pose[0]) > 5
        assert scene.expression != one.reference.expression
        assert scene.light != one.reference.light
        assert scene.cloth != one.reference.cloth
        assert scene.backdrop != one.reference.backdrop


def test_clothes_and_backgrounds_differ_among_the_candidates(one: Plan) -> None:
    assert len({scene.cloth for scene in one.candidates}) == 5
    assert len({scene.backdrop for scene in one.candidates}) == 5


def test_how_far_the_right_ones_pose_is_from_the_references_is_no_clue() -> None:
    ranks = Counter(
        sorted(one.candidates, key=lambda scene: abs(scene.pose[0] - one.reference.pose[0])).index(
            one.candidates[one.truth - 1]
        )
        for one in PLANS
    )
    # 30 of 150 are expected at each rank, with a standard deviation of 4.9.
    assert all(12 <= ranks[rank] <= 48 for rank in range(5))


def test_no_person_comes_twice_and_none_in_two_seeds() -> None:
    people = [
        person_seed(plan(seed, number, 0, EVERY), place, draw)
        for seed in (0, 1)
        for number in range(20)
        for place in range(6)
        for draw in range(3)
    ]
    assert len(set(people)) == len(people)


def test_seeds_share_no_style() -> None:
    first, second = ({plan(seed, n, 0, EVERY).style for n in range(40)} for seed in (1, 2))
    assert not first & second


def test_a_take_after_a_rejection_keeps_attributes_and_truth_only() -> None:
    first, again = plan(0, 7, 0, EVERY), plan(0, 7, 1, EVERY)
    assert (first.attributes, first.truth) == (again.attributes, again.truth)
    assert first.style != again.style
    assert person_seed(first, 0, 0) != person_seed(again, 0, 0)
    assert problem_id(0, "", 7, 0) == "faces-0-007"
    assert problem_id(0, "", 7, 1) == "faces-0-007.1"


def test_other_options_of_drawing_have_other_ids() -> None:
    assert problem_id(4, "cd355f", 12, 0) == "faces-4~cd355f-012"
