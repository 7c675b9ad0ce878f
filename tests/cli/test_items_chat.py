"""Chats to fine-tune on: what the lines hold, and that nothing tested is anywhere in training."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

import misstep
from misstep.cli.materials.items import items as command

QUESTION = "Here is the problem to work on."
START, GOAL = "At the start: ", "The goal: "
CLOSED = " Whatever is not stated is not so."


@dataclass(frozen=True)
class Pair:
    id: str
    prompt: str
    answer: str


def written(out: Path, *words: str) -> tuple[list[Pair], list[Pair]]:
    """The pairs of both files."""
    done = CliRunner().invoke(command, [*words, "--out", str(out), "--format", "chat"])
    assert done.exit_code == 0, done.output
    train, test = (pairs(out.with_suffix(f".{name}.jsonl")) for name in ("train", "test"))
    assert f"{len(train)} lines in" in done.output
    return train, test


def pairs(place: Path) -> list[Pair]:
    rows = [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        assert [message["role"] for message in row["messages"]] == ["user", "assistant"]
    texts = [[message["content"] for message in row["messages"]] for row in rows]
    return [Pair(row["id"], *text) for row, text in zip(rows, texts, strict=True)]


def worlds(text: str) -> Iterator[frozenset[str]]:
    """Start and goal of every problem in a prompt, read from its English, in no order."""
    start: frozenset[str] = frozenset()
    for line in text.splitlines():
        if line.startswith(START):
            start = said("s", line.removeprefix(START).removesuffix(CLOSED))
        elif line.startswith(GOAL):
            yield start | said("g", line.removeprefix(GOAL))


def said(mark: str, text: str) -> frozenset[str]:
    return frozenset(mark + part for part in text.rstrip(".").replace(" and ", ", ").split(", "))


def asked(pair: Pair) -> frozenset[str]:
    """The problem that the prompt ends with."""
    return list(worlds(pair.prompt.split(QUESTION)[1]))[-1]


@pytest.mark.parametrize(
    "options",
    [
        ("test=plan-generation", "examples=2"),
        ("test=goal-shuffling", "examples=2"),
        ("test=plan-reuse", "examples=1"),
        ("test=unsolvable", "examples=1"),
    ],
    ids=" ".join,
)
def test_nothing_tested_under_any_seed_is_asked_or_shown_in_training(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    words = [word for option in options for word in ("-T", option)]
    trained, tested, everywhere = set[frozenset[str]](), set[frozenset[str]](), 0
    for seed in range(4):
        limit = ("--limit", "40", "--test-share", "0.3", "--seed", str(seed), "-T", "size=3")
        train, test = written(tmp_path / "x.jsonl", "planbench", *limit, *words)
        everywhere += len(train) + len(test)
        trained |= {world for pair in train for world in worlds(pair.prompt)}
        tested |= {asked(pair) for pair in test}
    assert trained
    assert tested
    assert not trained & tested
    assert everywhere < 160, "some pair must show what is tested, or this proves nothing"


def test_pairs_that_are_left_out_would_have_shown_what_is_tested() -> None:
    rows = list(misstep.chats("planbench", limit=200, options={"size": "3"}, test_share=0.3))
    prompts: dict[str, list[str]] = {}
    for row in rows:
        messages = row["messages"]
        assert isinstance(messages, list)
        prompts.setdefault(str(row["split"]), []).append(messages[0]["content"])
    tested = {asked(Pair("", text, "")) for text in prompts["test"]}
    shown = [set(worlds(text)) & tested for text in prompts["left out"]]
    assert any(shown)
    assert not any(set(worlds(text)) & tested for text in prompts["train"])


def test_the_same_instance_is_on_the_same_side_in_another_wording() -> None:
    english, pddl = (
        [row["split"] for row in misstep.chats("planbench", limit=60, options={"wording": wording})]
        for wording in ("english", "pddl")
    )
    assert english == pddl
    assert set(english) == {"train", "test", "left out"}


def test_the_pairs_are_the_prompts_and_truths_of_the_rows(tmp_path: Path) -> None:
    train, test = written(tmp_path / "x.jsonl", "planbench", "-T", "examples=0")
    rows = misstep.items("planbench", arms=("direct",), options={"examples": 0})
    wanted = {(row["id"], row["prompt"], row["truth"]) for row in rows}
    assert {(pair.id, pair.prompt, pair.answer) for pair in train + test} == wanted


def test_groups_of_any_other_family_stay_whole_whatever_the_scale_cuts(tmp_path: Path) -> None:
    share = ("--test-share", "0.4")
    sides = []
    for scale in ("quick", "paper"):
        parts = written(tmp_path / "g.jsonl", "grammar", "--scale", scale, *share)
        train, test = ({pair.id.rsplit("-", 1)[0] for pair in part} for part in parts)
        assert train
        assert test
        assert not train & test
        sides.append((train, test))
    (few_train, few_test), (train, test) = sides
    assert few_train <= train
    assert few_test <= test


def test_a_larger_share_tests_what_a_smaller_one_does(tmp_path: Path) -> None:
    tested = [
        {pair.id for pair in written(tmp_path / "x.jsonl", "planbench", "--test-share", share)[1]}
        for share in ("0", "0.3", "0.6", "1")
    ]
    assert not tested[0]
    assert tested[0] < tested[1] < tested[2] < tested[3]
    assert len(tested[3]) == 20


def test_an_arm_can_be_chosen_and_direct_is_asked_otherwise(tmp_path: Path) -> None:
    direct, _ = written(tmp_path / "a.jsonl", "planbench")
    cot, _ = written(tmp_path / "b.jsonl", "planbench", "--arm", "cot")
    assert [pair.id for pair in direct] == [pair.id for pair in cot]
    assert all(a.prompt != b.prompt for a, b in zip(direct, cot, strict=True))
    shown = misstep.items("planbench", arms=("direct",))
    assert {pair.prompt for pair in direct} < {row["prompt"] for row in shown}
