"""Who the robots are: exact shares, the same for the same seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from misstep.core.errors import BadInput
from misstep.study.course.file import default_study
from misstep.study.robots.crowd import Manner, check_solvers, crowd, has_check
from misstep.study.robots.telling import percentile

PAPER = {"planner": 0.7, "detour": 0.08, "nothing": 0.22}


@pytest.mark.parametrize(("people", "counts"), [(50, (35, 4, 11)), (10, (7, 1, 2)), (1, (1, 0, 0))])
def test_shares_are_met_to_the_nearest_robot(people: int, counts: tuple[int, ...]) -> None:
    for seed in range(5):
        found = Counter(one.solver for one in crowd(people, seed, PAPER, {}))
        assert tuple(found[name] for name in PAPER) == counts


def test_whom_no_share_names_answers_by_the_studys_solver_and_stays() -> None:
    found = crowd(20, 0, {"detour": 0.1}, {Manner.LEAVES: 0.25, Manner.FAILS: 0.0})
    assert Counter(one.solver for one in found) == {"": 18, "detour": 2}
    assert Counter(one.manner for one in found) == {Manner.STAYS: 15, Manner.LEAVES: 5}


def test_the_same_seed_makes_the_same_robots_and_another_seed_others() -> None:
    manners = {Manner.LEAVES: 0.5}
    first = crowd(40, 3, PAPER, manners)
    assert crowd(40, 3, PAPER, manners) == first
    other = crowd(40, 4, PAPER, manners)
    assert [one.solver for one in other] != [one.solver for one in first]
    assert len({one.name for one in (*first, *other)}) == 80


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ({"a": 0.7, "b": 0.5}, "the shares sum to 1.2, over 1"),
        ({"a": -0.1}, "a=-0.1 is no share from 0 to 1"),
        ({"a": float("nan")}, "a=nan is no share from 0 to 1"),
    ],
)
def test_shares_that_make_no_whole_are_refused(shares: dict[str, float], said: str) -> None:
    with pytest.raises(BadInput, match=f"^--ability: {said}"):
        crowd(10, 0, shares, {})


def test_an_ability_that_a_family_has_not_is_refused_with_the_known_ones() -> None:
    check_solvers(default_study("planbench"), ["planner", "detour", "unfinished", "nothing"])
    with pytest.raises(BadInput, match=r"^--ability: cups has no 'detour'; known: exact, "):
        check_solvers(default_study("cups"), ["exact", "detour"])


def test_a_study_without_tries_asks_no_questions_that_could_be_failed() -> None:
    study = default_study("cups")
    assert has_check(study)
    assert not has_check(replace(study, tries=0))


def test_a_percentile_is_the_least_value_that_so_many_do_not_pass() -> None:
    for count in (1, 2, 99, 100, 101, 250):
        values = [float(one) for one in range(count, 0, -1)]
        found = percentile(values, 0.99)
        assert sum(one <= found for one in values) >= 0.99 * count
        assert sum(one < found for one in values) < 0.99 * count
