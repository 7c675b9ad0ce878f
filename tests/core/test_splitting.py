"""The side of an instance: by what it is, whatever it is called and wherever it stands."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from misstep.core.errors import BadInput
from misstep.core.family import Instances
from misstep.core.items import Item
from misstep.core.splitting import Side, sided


@dataclass(frozen=True)
class World:
    """Its facts, in any order, are the instance."""

    asked: str
    shown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Word:
    rules: str
    test: str


def item(payload: object, name: str = "x", group: str = "g") -> Item[object]:
    return Item(name, "toy", 1, group, payload, "yes", None, {})


def instances(item: Item[object]) -> Instances:
    assert isinstance(item.payload, World)
    facts = [tuple(sorted(text.split())) for text in (item.payload.asked, *item.payload.shown)]
    return Instances(facts[0], tuple(facts[1:]))


def side(payload: World, share: float = 0.5, name: str = "x") -> Side:
    return next(iter(sided([item(payload, name)], share, instances)))[1]


TRAINED = [f"free p{k}" for k in range(100) if side(World(f"free p{k}")) is Side.TRAIN]
TESTED = [f"free p{k}" for k in range(100) if side(World(f"free p{k}")) is Side.TEST]


def test_the_share_is_about_kept_and_no_id_matters() -> None:
    assert 35 <= len(TESTED) <= 65
    sides = {side(World(text), name=f"id-{k}") for k, text in enumerate(TESTED)}
    assert sides == {Side.TEST}


def test_the_same_instance_is_on_the_same_side_and_a_larger_share_tests_what_a_smaller_did() -> (
    None
):
    for k in range(100):
        assert side(World(f"p{k} free")) is side(World(f"free p{k}"))
    assert all(side(World(text), share=0.7) is Side.TEST for text in TESTED)


def test_what_shows_a_tested_instance_is_neither_trained_on_nor_tested() -> None:
    asked, other, hidden = TRAINED[0], TRAINED[1], TESTED[0]
    assert side(World(asked, (other, asked))) is Side.TRAIN
    assert side(World(asked, (hidden,))) is Side.LEFT_OUT
    assert side(World(asked, (other, hidden))) is Side.LEFT_OUT
    assert side(World(hidden, (other,))) is Side.TEST


def test_a_group_goes_by_what_its_items_have_in_common() -> None:
    for rules in map(str, range(30)):
        whole = [item(Word(rules, word), word, "one") for word in ("a", "b", "c")]
        again = [item(Word(rules, word), word, "two") for word in ("d", "e")]
        assert len({found for _, found in sided([*whole, *again], 0.5)}) == 1


def test_groups_with_other_content_fall_on_both_sides() -> None:
    groups = [item(Word(str(k), "a"), str(k), str(k)) for k in range(40)]
    assert {found for _, found in sided(groups, 0.5)} == {Side.TRAIN, Side.TEST}


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_share_outside_0_to_1_is_refused(share: float) -> None:
    with pytest.raises(BadInput, match=r"--test-share: .* is not between 0 and 1"):
        list(sided([item(World("p0"))], share, instances))
