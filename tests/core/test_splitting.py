"""The side of an instance: by what it is, whatever it is called and wherever it stands."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from misstep.core.errors import BadInput
from misstep.core.items import Item
from misstep.core.splitting import Side, sided

Examples = tuple[tuple[str | tuple[str, ...], ...], ...]


@dataclass(frozen=True)
class World:
    problem: str
    before: str = ""
    examples: Examples = ()


@dataclass(frozen=True)
class Word:
    rules: str
    test: str


def item(payload: object, name: str = "x", group: str = "g") -> Item[object]:
    return Item(name, "toy", 1, group, payload, "yes", None, {})


def side(payload: object, share: float = 0.5, name: str = "x") -> Side:
    return next(iter(sided([item(payload, name)], share)))[1]


def problem(number: int) -> str:
    return f"(:init\n  (at p{number})\n  (free)\n)\n(:goal (and (on a b) (at q{number})))"


TRAINED = [problem(k) for k in range(100) if side(World(problem(k))) is Side.TRAIN]
TESTED = [problem(k) for k in range(100) if side(World(problem(k))) is Side.TEST]


def test_the_share_is_about_kept_and_no_id_matters() -> None:
    assert 35 <= len(TESTED) <= 65
    sides = {side(World(text), name=f"id-{k}") for k, text in enumerate(TESTED)}
    assert sides == {Side.TEST}


def test_facts_and_goals_in_another_order_are_the_same_instance() -> None:
    for k in range(100):
        other = f"(:init\n  (free)\n  (at p{k})\n)\n(:goal (and (at q{k}) (on a b)))"
        assert side(World(other)) is side(World(problem(k)))


def test_what_shows_a_tested_instance_is_neither_trained_on_nor_tested() -> None:
    asked, other, hidden = TRAINED[0], TRAINED[1], TESTED[0]
    assert side(World(asked, other, ((other, ("(move a)",), (), "", "0", ""),))) is Side.TRAIN
    assert side(World(asked, hidden)) is Side.LEFT_OUT
    assert side(World(asked, "", ((hidden, (), (), "", "0", ""),))) is Side.LEFT_OUT
    assert side(World(asked, "", ((other, (), (), hidden, "3", "4"),))) is Side.LEFT_OUT
    assert side(World(hidden, other, ((other, (), (), "", "0", ""),))) is Side.TEST


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
        list(sided([item(World(problem(0)))], share))
