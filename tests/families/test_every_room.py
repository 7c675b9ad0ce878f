"""What every room must hold, over the registry: a forgotten piece or promise fails here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest

from misstep import registry
from misstep.core import items as item_text
from misstep.core.answers import read
from misstep.core.arms import Strategy
from misstep.core.family import Family, select
from misstep.core.items import Item
from misstep.core.options import read_options
from misstep.core.outcomes import Outcome, Reply
from misstep.runner.solvers import reference_records

AnyFamily = Family[Any]  # Any: families of every payload
ROOT = Path(__file__).resolve().parents[2]
FURNITURE = ("__init__", "generate", "prompts", "score", "solvers", "spec", "task")
SAMPLE = 200


@pytest.fixture(params=registry.ROOMS)
def family(request: pytest.FixtureRequest) -> AnyFamily:
    return registry.family(request.param)


def items_of(family: AnyFamily, seed: int = 0, scale: str = "paper") -> list[Item[Any]]:
    options = read_options(family.spec.options, {}, family.spec.name)
    made = select(family, scale, None, seed, options)
    return list(islice(made, family.spec.ready or SAMPLE))


def test_a_room_has_the_furniture(family: AnyFamily) -> None:
    room = Path(registry.__file__).parent / "families" / family.spec.name
    missing = [
        name
        for name in FURNITURE
        if not (room / f"{name}.py").exists() and not (room / name / "__init__.py").exists()
    ]
    assert missing == []
    assert (room / "README.md").exists()


def test_the_readme_names_every_arm_option_factor_and_solver(family: AnyFamily) -> None:
    room = Path(registry.__file__).parent / "families" / family.spec.name
    text = (room / "README.md").read_text(encoding="utf-8")
    spec = family.spec
    names = [arm.name for arm in spec.arms] + [option.name for option in spec.options]
    names += [*spec.factors, *(f"ref/{name}" for name in family.solvers)]
    assert [name for name in names if name not in text] == []


def test_no_two_items_share_an_id_and_a_group_stays_together(family: AnyFamily) -> None:
    items = items_of(family)
    assert len({item.id for item in items}) == len(items)
    changes = sum(left.group != right.group for left, right in pairwise(items))
    assert changes == len({item.group for item in items}) - 1


def test_an_item_names_its_family_version_and_declared_factors(family: AnyFamily) -> None:
    for item in items_of(family):
        assert (item.family, item.version) == (family.spec.name, family.spec.version)
        assert set(item.factors) == set(family.spec.factors)
        assert "@" not in item.id


def test_truth_and_lure_are_answers_of_the_vocabulary(family: AnyFamily) -> None:
    answers = set(family.spec.vocabulary.answers)
    for item in items_of(family):
        assert item.truth in answers or not answers
        assert item.lure is None or item.lure in answers


def test_an_item_survives_the_way_through_json(family: AnyFamily) -> None:
    for item in items_of(family):
        text = json.dumps(item_text.to_dict(item))
        assert item_text.from_dict(json.loads(text), family.payload) == item


def test_the_baseline_is_the_first_of_two_or_more_default_arms(family: AnyFamily) -> None:
    defaults = family.spec.default_arms
    assert len(defaults) >= 2
    assert defaults[0] == family.spec.arms[0]
    assert len({arm.name for arm in family.spec.arms}) == len(family.spec.arms)


def test_every_arm_has_words_and_no_two_arms_the_same(family: AnyFamily) -> None:
    for item in items_of(family)[:20]:
        words = [
            family.thought(item)
            if arm.strategy is Strategy.TREE and family.thought
            else family.prompt(item, arm.prompt)
            for arm in family.spec.arms
        ]
        assert all(text.strip() for text in words)
        assert len(set(words)) == len(words)


def test_beginnings_are_what_prompts_start_with(family: AnyFamily) -> None:
    for item in items_of(family):
        texts = family.beginnings(item)
        assert list(texts) == sorted(texts, key=len)
        for arm in family.spec.default_arms:
            assert all(family.prompt(item, arm.prompt).startswith(text) for text in texts)


def test_the_first_beginning_is_shared_by_the_whole_group(family: AnyFamily) -> None:
    shared: dict[str, set[str]] = {}
    for item in items_of(family):
        for text in family.beginnings(item)[:1]:
            shared.setdefault(item.group, set()).add(text)
    assert all(len(texts) == 1 for texts in shared.values())


def test_the_right_answer_scores_right_and_every_other_wrong(family: AnyFamily) -> None:
    for item in items_of(family):
        for answer in family.spec.vocabulary.answers:
            if answer != item.truth:
                scored = family.score(item, Reply(answer, "stop"))
                assert (scored.outcome, scored.value) == (Outcome.WRONG, 0.0)
        scored = family.score(item, Reply(item.truth, "stop"))
        assert (scored.outcome, scored.value) == (Outcome.CORRECT, 1.0)


def test_no_answer_is_told_from_a_wrong_one(family: AnyFamily) -> None:
    item = items_of(family)[0]
    assert family.score(item, Reply("", "stop")).outcome is Outcome.EMPTY
    assert family.score(item, Reply("Hmm, let me", "max_tokens")).outcome is Outcome.TRUNCATED
    assert family.score(item, Reply("", "content_filter")).outcome is Outcome.REFUSED
    unread = family.score(item, Reply("The weather is fine.", "stop"))
    assert (unread.outcome, unread.value) == (Outcome.UNPARSED, None)


def test_solvers_answer_in_the_vocabulary_and_are_described(family: AnyFamily) -> None:
    assert set(family.solver_about) == set(family.solvers)
    answers = family.spec.vocabulary.answers
    for record in reference_records(family, items_of(family, scale="quick")):
        assert record.outcome.is_answered or not answers, record
        if answers and family.conversation is None:
            assert read(record.answer or "", family.spec.vocabulary).answer in answers
    for solve in family.solvers.values() if family.conversation else ():
        said = solve(items_of(family, scale="quick")[0]).answer
        assert read(said, family.spec.vocabulary).answer in answers


def test_quick_scale_is_balanced_over_the_truths(family: AnyFamily) -> None:
    if family.conversation is not None:
        pytest.skip("an item's truth is only that of its first turn")
    truths = [item.truth for item in items_of(family, scale="quick")]
    counts = {truth: truths.count(truth) for truth in family.spec.vocabulary.answers}
    assert max(counts.values(), default=0) - min(counts.values(), default=0) <= 1, counts


def test_two_seeds_share_no_item(family: AnyFamily) -> None:
    if family.spec.finite_pool:
        pytest.skip(f"{family.spec.name} declares a finite pool: seeds reorder it")
    if family.spec.ready:
        pytest.skip(f"items of {family.spec.name} take long to make: the room's own tests say so")
    first, second = (
        {family.prompt(item, family.spec.arms[0].prompt) for item in items_of(family, seed)}
        for seed in (1, 2)
    )
    assert first
    assert not first & second


def test_the_same_seed_gives_the_stored_bytes_under_any_hash_seed(family: AnyFamily) -> None:
    stored = json.loads((ROOT / "tests/families/digests.json").read_text(encoding="utf-8"))
    wanted = stored[family.spec.name][str(family.spec.version)]
    for hash_seed in ("0", "4242"):
        made = subprocess.run(
            [sys.executable, str(ROOT / "tools/item_digest.py"), family.spec.name],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
            text=True,
        )
        digest = json.loads(made.stdout)[str(family.spec.version)]
        assert digest == wanted, "changed items or words bump the family's version"
