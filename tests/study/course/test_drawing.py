"""Who meets what: counted over whole studies."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from misstep.core.errors import BadInput
from misstep.study.course.drawing import drawn, item_of, planned, pool_of
from misstep.study.course.file import default_study
from misstep.study.course.nouns import Design, Draw, Study


def study(name: str = "grammar", **changes: object) -> Study:
    found = default_study(name)
    block = replace(found.blocks[0], **changes)  # type: ignore[arg-type]  # fields of a block
    return replace(found, blocks=(block,), digest=f"{found.digest} {sorted(changes.items())}")


def cycle(made: Study) -> int:
    """People until every sheaf was met once."""
    pool = pool_of(made, 0)
    return len(pool.sheaves) * len(pool.sheaves[0]) // made.blocks[0].items


def test_everyone_gets_as_many_items_in_each_arm_and_none_twice() -> None:
    made = study()
    for slot in range(30):
        own = planned(made, slot)
        assert Counter(one.arm for one in own) == {"direct": 10, "deliberate": 10}
        assert len({one.item for one in own}) == 20


def test_within_people_each_item_comes_in_each_arm_as_often() -> None:
    made = study()
    people = cycle(made) * 2
    met = Counter((one.item, one.arm) for slot in range(people) for one in planned(made, slot))
    assert set(met.values()) == {1}
    assert len(met) == 2 * people * 10


def test_over_all_people_the_order_of_arms_goes_with_no_item() -> None:
    made = study("cups", pool=12, items=4, practice=0)
    first = Counter(
        (item.id, place)
        for slot in range(cycle(made) * 4)
        for place, one in enumerate(drawn(made, 0, slot))
        for item in one.trials
    )
    assert set(first.values()) == {2}


def test_neighbours_meet_the_arms_in_another_order() -> None:
    made = study()
    orders = [tuple(one.arm for one in drawn(made, 0, slot)) for slot in range(6)]
    assert orders == [("direct", "deliberate"), ("deliberate", "direct")] * 3


def test_between_people_neighbours_get_the_same_items_in_another_arm() -> None:
    made = study(design=Design.BETWEEN)
    for slot in range(0, 12, 2):
        one, other = planned(made, slot), planned(made, slot + 1)
        assert {trial.item for trial in one} == {trial.item for trial in other}
        assert {trial.arm for trial in one} == {"direct"}
        assert {trial.arm for trial in other} == {"deliberate"}


def test_of_a_group_a_person_learns_once() -> None:
    made = study()
    for slot in range(40):
        groups = [item_of(made, one).group for one in planned(made, slot)]
        changes = sum(one != other for one, other in pairwise(groups))
        assert changes == len(set(groups)) - 1 == 1


def test_truths_are_mixed_evenly_in_every_arm() -> None:
    made = study()
    for slot in range(40):
        for one in drawn(made, 0, slot):
            assert Counter(item.truth for item in one.trials) == {"Yes": 5, "No": 5}


def test_practice_shares_no_group_with_the_trials() -> None:
    made = study(practice=2)
    practised = {item.group for one in drawn(made, 0, 0) for item in one.practice}
    tried = {item.group for sheaf in pool_of(made, 0).sheaves for item in sheaf}
    assert practised
    assert not practised & tried


def test_drawn_at_random_people_differ_and_items_are_met_about_evenly() -> None:
    made = study("cups", draw=Draw.RANDOM, items=2, pool=20, practice=0)
    met = Counter(one.item for slot in range(1000) for one in planned(made, slot))
    assert len(met) == 20
    assert all(60 < times < 140 for times in met.values())
    arms = Counter(one.arm for slot in range(1000) for one in planned(made, slot)[:1])
    assert all(430 < times < 570 for times in arms.values())


def test_the_same_study_gives_everyone_the_same_in_any_process() -> None:
    program = (
        "from misstep.study.course.file import default_study\n"
        "from misstep.study.course.drawing import planned\n"
        "s = default_study('inconsistency')\n"
        "print([planned(s, slot) for slot in (0, 1, 17)])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": hash_seed, "PATH": ""},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1")
    }
    assert len(said) == 1


def test_a_pool_below_one_group_is_named_as_the_study_file_names_it() -> None:
    with pytest.raises(BadInput, match=r"^block\.1\.pool: 1 is below one group"):
        pool_of(study("grammar", pool=1), 0)
    with pytest.raises(BadInput, match=r"^block\.1\.options\.alphabet: 'AA' must be"):
        pool_of(study("grammar", options={"alphabet": "AA"}), 0)


def test_too_small_a_pool_is_refused_in_a_line() -> None:
    with pytest.raises(BadInput, match=r"block\.1\.pool: 4 items of cups are too few for 20"):
        pool_of(study("cups", pool=4), 0)
