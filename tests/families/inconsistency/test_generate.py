"""Items: truth by truth tables over what is shown, pairs whole, seeds and options as promised."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.core.family import Options, select
from misstep.core.items import Group, Item
from misstep.families.inconsistency import FAMILY
from misstep.families.inconsistency.generate import generate
from misstep.families.inconsistency.prompts import denial, rule
from misstep.families.inconsistency.spec import InconsistencyPayload

Groups = list[Group[InconsistencyPayload]]


@pytest.fixture(scope="module")
def groups() -> Groups:
    return list(generate(0, {}))


def official(path: Path, number: int, word: str = "dog") -> Path:
    """A file in the corpora's form with that many pairs, all different."""
    lines = (
        {
            "gold_label": "entailment",
            "sentence1": f"A {word} runs {place} miles.",
            "sentence2": f"An animal runs {place} miles.",
        }
        for place in range(number)
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def holds(statement: str, a: str, b: str, *, a_is: bool, b_is: bool) -> bool:
    """Whether the statement is true where A and B are so, by its words alone."""
    text = re.sub(re.escape(b), "<B>", statement, flags=re.IGNORECASE)
    text = re.sub(re.escape(a), "<A>", text, flags=re.IGNORECASE)
    return {
        "If <A>, then it is always the case that <B>.": b_is or not a_is,
        "<A>, but it is not the case that <B>.": a_is and not b_is,
        "It is not the case that <B>.": not b_is,
    }[text]


def test_truth_is_that_of_the_truth_table_over_the_words_shown(groups: Groups) -> None:
    items = [item for group in groups for item in group]
    assert len(items) == 200
    for item in items:
        shown, a, b = item.payload, item.payload.a, item.payload.b
        both = any(
            holds(rule(shown), a, b, a_is=a_is, b_is=b_is)
            and holds(denial(shown), a, b, a_is=a_is, b_is=b_is)
            for a_is, b_is in product((True, False), repeat=2)
        )
        assert item.truth == ("Yes" if both else "No")


def test_a_pair_is_a_group_of_both_questions(groups: Groups) -> None:
    for group in groups:
        assert sorted(str(item.factors["type"]) for item in group) == ["conflict", "no conflict"]
        assert len({(item.payload.a, item.payload.b) for item in group}) == 1
        lures = {item.truth: item.lure for item in group}
        assert lures == {"No": "Yes", "Yes": None}


def test_neither_id_nor_place_tells_the_truth(groups: Groups) -> None:
    by_place = Counter((place, item.truth) for group in groups for place, item in enumerate(group))
    by_id = Counter((item.id[-1], item.truth) for group in groups for item in group)
    for counts in (by_place, by_id):
        assert sum(counts.values()) == 200
        assert min(counts.values()) > 30  # of 50; below 30 once in 10,000 fair draws


def test_another_seed_asks_the_same_items_in_another_order(groups: Groups) -> None:
    others = list(generate(1, {}))
    assert [group[0].group for group in others] != [group[0].group for group in groups]
    first, second = (
        {item.id: item for group in listed for item in group} for listed in (groups, others)
    )
    assert first == second


def test_the_papers_scale_is_200_questions_of_the_own_pairs_and_30_of_the_subset() -> None:
    assert len(list(select(FAMILY, "paper", None, 0, {}))) == 200
    subset = list(select(FAMILY, "paper", None, 0, {"subset": True}))
    assert len(subset) == 30
    assert subset == list(select(FAMILY, "paper", None, 0, {}))[:30]
    quick = list(select(FAMILY, "quick", None, 0, {}))
    assert Counter(item.truth for item in quick) == {"Yes": 12, "No": 12}


def test_the_papers_protocol_asks_as_many_of_each_source_as_were_printed(tmp_path: Path) -> None:
    options: Options = {
        "protocol": "paper",
        "source": "all",
        "snli": str(official(tmp_path / "snli.jsonl", 700)),
        "mnli": str(official(tmp_path / "mnli.jsonl", 900, "cat")),
    }
    items = list(select(FAMILY, "paper", None, 0, options))
    assert len(items) == 3_216
    counts = Counter(item.factors["source"] for item in items)
    assert counts == {"own": 200, "snli": 2 * 675, "mnli": 2 * 833}
    fewer = {**options, "protocol": "controlled"}
    assert len(list(generate(0, fewer))) == 100 + 700 + 900


def test_files_of_one_source_are_pooled_and_a_pair_of_both_is_asked_once(tmp_path: Path) -> None:
    first, second = official(tmp_path / "a.jsonl", 3), official(tmp_path / "b.jsonl", 5)
    groups = list(generate(0, {"source": "snli", "snli": f"{first}, {second}"}))
    assert len(groups) == 5
    assert {item.factors["source"] for group in groups for item in group} == {"snli"}
    assert groups[0][0].group.startswith("inconsistency-snli-")


def test_a_file_of_pairs_stands_in_the_place_of_the_shipped_ones(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"A": "I don\'t drive", "B": "someone is no driver"}\n', encoding="utf-8")
    (group,) = generate(0, {"pairs": str(path)})
    conflict = next(item for item in group if item.truth == "No")
    assert (
        denial(conflict.payload)
        == "I don't drive, but it is not the case that someone is no driver."
    )
    assert conflict.factors == {
        "type": "conflict", "source": "own", "words": 7, "negation": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"source": "snli"}, "-T source: snli needs your official files: -T snli=FILE"),
        ({"source": "all", "snli": "x"}, "-T source: all needs your official files: -T mnli=FILE"),
        ({"snli": "x"}, "-T snli: 'x' needs source=snli or source=all"),
        ({"source": "mnli", "mnli": "x", "pairs": "y"}, "-T pairs: 'y' needs source=own"),
        ({"source": "mnli", "mnli": "x", "subset": True}, "-T subset: is of the own pairs"),
        ({"filter": "paper"}, "-T filter: paper is for SNLI and MNLI, not source=own"),
        ({"source": "mnli", "mnli": "x,x"}, "-T mnli: 'x' is named twice"),
        ({"source": "mnli", "mnli": "nowhere"}, "nowhere: No such file"),
        ({"source": "twelve"}, "-T source: 'twelve' is not one of own, snli, mnli, all"),
    ],
)
def test_options_that_contradict_or_do_nothing_are_refused(options: Options, said: str) -> None:
    with pytest.raises(BadInput) as error:
        generate(0, options)
    assert str(error.value).startswith(said)


def test_a_file_without_a_usable_pair_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"gold_label": "-", "sentence1": "a", "sentence2": "b"}', encoding="utf-8")
    with pytest.raises(BadInput, match="-T snli: no pair that can be used in"):
        generate(0, {"source": "snli", "snli": str(path)})


def test_a_file_of_pairs_with_faults_is_refused_by_the_first(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"A": "why me", "B": "I ask"}\n{"A": "x", "B": "x"}\n', encoding="utf-8")
    with pytest.raises(
        BadInput, match=r"pair 1: A: a question \(and 1 more\); misstep pairs check"
    ):
        generate(0, {"pairs": str(path)})


def test_the_negations_of_a_pair_are_found(groups: Groups) -> None:
    def has(beginning: str) -> object:
        return next(
            item.factors["negation"]
            for group in groups
            for item in group
            if item.payload.a.startswith(beginning)
        )

    assert has("nobody came")
    assert has("the sentence contains no")
    assert not has("a fox")


def test_an_item_is_named_by_its_words_alone() -> None:
    items: dict[str, Item[InconsistencyPayload]] = {}
    for options in ({}, {"subset": True}, {"protocol": "paper"}):
        for group in generate(7, options):
            for item in group:
                assert items.setdefault(item.id, item) == item
    assert len(items) == 200
