"""Every way of asking, general ones and those of the example file, over every family of the house.

A provider that knows the answers replies, so that what is right must come out right.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import misstep
from misstep import registry
from misstep.cli import cli
from misstep.core import arms_file
from misstep.core.arms import Strategy, resolve
from misstep.core.family import Family, select
from misstep.core.options import read_options
from misstep.core.outcomes import Outcome
from misstep.core.pictures import PLACE
from misstep.core.thoughts import ballot
from misstep.core.wording import words
from misstep.runner.logged.logs import log_files
from misstep.runner.logged.regrade import regrade
from misstep.runner.paying.costs import Asked, estimate
from misstep.runner.paying.tokens import Counter as TokenCounter
from misstep.runner.run import Request, carry_out, plan
from sampler import MODEL, SAMPLER

AnyFamily = Family[Any]  # Any: families of every payload
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GENERAL = ("tot:2", "self-consistency:3")
THOUGHT = re.compile(r"\n\nThought 1:\n.*\n\nThought 2:\n", re.DOTALL)


@pytest.fixture(params=registry.ROOMS)
def family(request: pytest.FixtureRequest) -> AnyFamily:
    return registry.family(request.param)


def first_groups(family: AnyFamily) -> list[Any]:  # Any: items of every payload
    """The first group, or as many as are balanced."""
    options = read_options(family.spec.options, {}, family.spec.name)
    items = select(family, "quick", None, 0, options)
    balance = family.balance(options)
    own = [list(group) for _, group in groupby(items, lambda item: item.group)]
    return [item for group in own[: balance.items if balance else 1] for item in group]


def asked_of(family: AnyFamily, tmp_path: Path, limit: int) -> Request:
    own = arms_file.read(EXAMPLES / "arms.toml")
    arms = ("direct", *GENERAL, *(one.name for one in own))
    return Request(family, MODEL, arms=arms, limit=limit, own_arms=own, log_dir=tmp_path)


def test_every_arm_is_asked_and_graded_and_graded_again(family: AnyFamily, tmp_path: Path) -> None:
    SAMPLER.reset()
    items = first_groups(family)
    request = asked_of(family, tmp_path, len(items))
    done = carry_out(plan(request))
    found = Counter((record.arm, record.outcome) for record in done.records)
    assert found == {(arm, Outcome.CORRECT): len(items) for arm in request.arms}
    per_arm = Counter(place.arm for place, _ in SAMPLER.asked)
    turns = per_arm["direct"]
    assert per_arm["tot:2"] == per_arm["bush"] == 4 * turns
    assert per_arm["self-consistency:3"] == 3 * turns
    assert per_arm["analogy"] == turns
    calls = SAMPLER.asked[:]
    SAMPLER.asked.clear()
    again = carry_out(plan(request))
    assert (SAMPLER.asked, again.manifest.asked, len(calls)) == ([], 0, sum(per_arm.values()))
    for file in log_files([done.folder]):
        graded = regrade(file, registry.family, is_dry=True)
        assert (graded.samples, graded.changes) == (len(request.arms) * len(items), ())


def test_a_ballot_holds_the_question_the_thoughts_and_each_picture_once(family: AnyFamily) -> None:
    (tree,) = resolve(["tot:2"], family.spec.arms)
    (direct,) = resolve(["direct"], family.spec.arms)
    for item in first_groups(family):
        thought, asked = words(family, item, tree), words(family, item, direct)
        said = ballot(family, item, tree, ["The first.", "The second."])
        question = said[: THOUGHT.search(said).start()]  # type: ignore[union-attr]  # else it fails
        assert said.count(PLACE) == thought.count(PLACE) == asked.count(PLACE)
        assert question, "the question stands before the thoughts"
        alike = Counter(asked.split()) & Counter(question.split())
        assert alike.total() > 0.8 * len(question.split())
        assert said.endswith("Please ONLY answer with its number: 1 or 2.")


def test_a_template_keeps_every_word_of_the_question(family: AnyFamily) -> None:
    own = [arms_file.arm(one, family.spec.arms) for one in arms_file.read(EXAMPLES / "arms.toml")]
    (item, *_) = first_groups(family)
    cot = family.prompt(item, "cot").split()
    for arm in own[:2]:
        said = words(family, item, arm).split()
        assert Counter(cot) - Counter(said) == Counter(), arm.name
        assert len(said) > len(cot)
        assert "First" in said


def test_items_show_what_a_thought_is_asked_with(family: AnyFamily) -> None:
    items = first_groups(family)
    (tree,) = resolve(["tot:2"], family.spec.arms)
    rows = misstep.items(family.spec.name, limit=len(items), arms=["tot:2", "self-consistency"])
    prompts = [row["prompt"] for row in rows]
    if family.pictures is None:
        assert prompts[0] == words(family, items[0], tree)
        assert prompts[len(items)] == family.prompt(items[0], "cot")
    assert len(prompts) == 2 * len(items)


def test_arms_of_ones_own_are_shown_before_they_are_asked(
    family: AnyFamily, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where pictures are saved
    file = str(EXAMPLES / "arms.toml")
    words = ["show", family.spec.name, "--arms-file", file, "--arm", "analogy", "--json"]
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    (row,) = json.loads(done.output)["items"]
    assert row["arm"] == "analogy"
    assert "First recall a problem of another kind" in str(row["prompt"])
    if family.conversation is not None:
        return  # which can't be written as chats
    roles: dict[object, list[str]] = {}
    for chat in misstep.chats(family.spec.name, limit=len(first_groups(family)), arms_file=file):
        roles[chat["arm"]] = re.findall(r"'role': '(\w+)'", str(chat["messages"]))
    assert roles["examiner"] == ["system", "user", "assistant"]
    assert roles["direct"] == roles["bush"] == ["user", "assistant"]


def test_the_cost_of_a_tree_and_of_votes_is_counted_before_it_is_asked(family: AnyFamily) -> None:
    items = first_groups(family)
    arms = resolve(["direct", "cot", *GENERAL], family.spec.arms)
    rule = TokenCounter("by characters")
    direct, cot, tree, votes = estimate(Asked(family, arms, items, MODEL), None, rule)
    assert tree.calls.low == 4 * direct.calls.low
    assert votes.calls == cot.calls.times(3)
    assert votes.output == cot.output.times(3)
    assert tree.input.high > 3 * direct.input.high


def test_the_familys_parts_are_named_and_hold_no_field_of_every_template(family: AnyFamily) -> None:
    for item in first_groups(family):
        parts = family.parts(item) if family.parts else {}
        assert not {"question", "instruction", "prompt"} & set(parts)
        assert all(name.isidentifier() for name in parts)


def test_the_example_for_grammar_asks_in_words_of_its_own() -> None:
    grammar = registry.family("grammar")
    own = arms_file.read(EXAMPLES / "arms-grammar.toml")
    for item in first_groups(grammar):
        for arm in (arms_file.arm(one, grammar.spec.arms) for one in own):
            said = words(grammar, item, arm)
            assert arm.strategy is Strategy.SINGLE
            assert "\n".join(item.payload.training) in said
            assert f"\n{item.payload.test}\n" in said


def test_the_page_on_arms_shows_files_that_can_be_read(tmp_path: Path) -> None:
    page = (EXAMPLES.parent / "arms.md").read_text(encoding="utf-8")
    whole, *excerpts = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "arms.toml"
    file.write_text(whole, encoding="utf-8")
    grammar = registry.family("grammar")
    arms = [arms_file.arm(one, grammar.spec.arms) for one in arms_file.read(file)]
    assert [arm.name for arm in arms] == ["terse", "calm", "doubt", "small-tree"]
    for item in first_groups(grammar):
        assert all(words(grammar, item, arm) for arm in arms)
    examples = "".join(path.read_text(encoding="utf-8") for path in EXAMPLES.glob("arms*.toml"))
    assert len(excerpts) == 2
    assert all(excerpt in examples for excerpt in excerpts)
