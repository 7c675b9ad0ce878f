"""Arms, options and the choice of items: what the command line's words mean."""

from __future__ import annotations

import pytest

from misstep.core.arms import Strategy, resolve
from misstep.core.errors import BadInput
from misstep.core.family import select
from misstep.core.options import Option, read_options, read_pairs, typed
from oracle import FAMILY, SPEC

OPTIONS = (
    Option("negatives", "language", "how", ("language", "paired")),
    Option("deterministic", False, "whether"),
    Option("size", 4, "how many"),
)


def ids(scale: str, limit: int | None = None, seed: int = 0) -> list[str]:
    return [item.id for item in select(FAMILY, scale, limit, seed, {})]


def test_a_scale_takes_its_groups_and_cuts_them_to_one_of_each_truth() -> None:
    assert len(ids("paper")) == 40
    assert ids("quick") == [f"parity-0-{number}" for number in (0, 1, 4, 5, 8, 9)]


@pytest.mark.parametrize(("limit", "count"), [(4, 4), (7, 4), (8, 8), (39, 36), (100, 100)])
def test_a_limit_takes_whole_groups_and_may_go_beyond_the_scale(limit: int, count: int) -> None:
    assert len(ids("paper", limit)) == count
    assert ids("paper", limit)[:40] == ids("paper")[: min(count, 40)]


def test_more_items_keep_the_ones_before() -> None:
    assert ids("quick", 50)[:6] == ids("quick")


@pytest.mark.parametrize("limit", [3, 1, 0, -1])
def test_a_limit_below_one_group_is_refused(limit: int) -> None:
    with pytest.raises(BadInput, match=f"--limit: {limit} is below one group"):
        ids("paper", limit)


def test_arms_keep_the_order_in_which_they_are_named() -> None:
    assert [arm.name for arm in resolve(["cot", "direct"], SPEC.arms)] == ["cot", "direct"]


def test_any_single_reply_arm_can_be_voted_over() -> None:
    (arm,) = resolve(["cot+vote5"], SPEC.arms)
    assert (arm.strategy, arm.draws, arm.prompt) == (Strategy.VOTE, 5, "cot")


@pytest.mark.parametrize(
    "name",
    ["", "speech", "cot+vote1", "cot+vote0", "cot+vote100", "tot+vote3", "cot+vote", "+vote3"],
)
def test_an_unknown_arm_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(BadInput, match=r"--arms: unknown arm .*known: direct, cot, tot, feedback"):
        resolve([name], SPEC.arms)


def test_options_are_read_by_the_type_of_their_default() -> None:
    given = {"deterministic": "true", "size": "7", "negatives": "paired"}
    assert read_options(OPTIONS, given, "f") == {
        "negatives": "paired", "deterministic": True, "size": 7,
    }  # fmt: skip
    assert list(read_options(OPTIONS, {}, "f").values()) == ["language", False, 4]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"colour": "red"}, "-T colour: f has no such option; known: negatives"),
        ({"negatives": "none"}, "-T negatives: 'none' is not one of language, paired"),
        ({"deterministic": "maybe"}, "-T deterministic: 'maybe' is neither true nor false"),
        ({"size": "3.5"}, "-T size: '3.5' is no whole number"),
    ],
)
def test_a_bad_option_names_itself_and_the_value(given: dict[str, str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        read_options(OPTIONS, given, "f")


@pytest.mark.parametrize("word", ["size", "=3", ""])
def test_a_word_that_is_no_pair_is_refused(word: str) -> None:
    with pytest.raises(BadInput, match=r"-T: .* is not KEY=VALUE"):
        read_pairs("-T", [word])


def test_a_pair_given_twice_is_refused_and_values_may_hold_equals_signs() -> None:
    assert read_pairs("-T", ["a=b=c"]) == {"a": "b=c"}
    with pytest.raises(BadInput, match=r"-T: 'a' is given twice"):
        read_pairs("-T", ["a=1", "a=2"])


def test_arguments_of_a_model_are_numbers_and_truths_where_they_look_so() -> None:
    given = {"a": "4", "b": "0.5", "c": "true", "d": "auto", "e": "4x", "f": ""}
    assert typed(given) == {"a": 4, "b": 0.5, "c": True, "d": "auto", "e": "4x", "f": ""}
