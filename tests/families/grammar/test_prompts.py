"""Words: character for character those of Table 7 and A.2, and what a group's prompts share."""

from __future__ import annotations

from pathlib import Path

import pytest

from misstep.core.items import Group
from misstep.families.grammar import FAMILY, spec
from misstep.families.grammar.generate import generate
from misstep.families.grammar.prompts import ballot, beginnings, prompt, thought
from misstep.families.grammar.spec import GrammarPayload

DIRECT = (
    "These strings were generated according to a certain set of rules.\n"
    "Does the following string also follow the same set of rules?\n"
    "{test}\n"
    "Please ONLY answer \u201cYes\u201d or \u201cNo\u201d."
)
COT = DIRECT.replace("Please ONLY answer", "Please reason about your answer before answering")


@pytest.fixture
def group(paper_scale: list[Group[GrammarPayload]]) -> Group[GrammarPayload]:
    return paper_scale[0]


def test_the_training_strings_stand_before_the_papers_sentences(
    group: Group[GrammarPayload],
) -> None:
    for item in group:
        training = "\n".join(item.payload.training)
        for wording, words in (("direct", DIRECT), ("cot", COT)):
            expected = f"{training}\n{words.format(test=item.payload.test)}"
            assert prompt(item, wording) == expected


def test_the_44_prompts_of_a_grammar_share_all_before_the_test_string(
    group: Group[GrammarPayload],
) -> None:
    prompts = [prompt(item, wording) for item in group for wording in ("direct", "cot", "tot")]
    shared = beginnings(group[0])[0]
    assert len(prompts) == len(set(prompts)) == 3 * 44
    assert all(words.startswith(shared) for words in prompts)
    assert shared.endswith("same set of rules?\n")


def test_the_memorize_wording_adds_one_first_line_and_changes_nothing_else() -> None:
    plain, memorize = next(generate(0, {})), next(generate(0, {"wording": "memorize"}))
    for one, other in zip(plain, memorize, strict=True):
        first, rest = prompt(other, "cot").split("\n", 1)
        assert "memorize the following letter strings" in first
        assert rest == prompt(one, "cot")


def test_a_thought_explains_and_ends_with_an_answer(group: Group[GrammarPayload]) -> None:
    last = thought(group[0]).splitlines()[-1]
    assert "explains whether the string also follows the same set of rules" in last
    assert last.endswith("end it with your answer, “Yes” or “No”.")
    assert thought(group[0]) == prompt(group[0], "tot")


def test_a_ballot_shows_every_thought_by_number(group: Group[GrammarPayload]) -> None:
    words = ballot(group[0], ["It does. Yes", "It does not. No", "Yes"])
    assert words.startswith(beginnings(group[0])[1])
    assert "Thought 1:\nIt does. Yes\n\nThought 2:\nIt does not. No\n\nThought 3:\nYes\n" in words
    assert words.endswith("Please ONLY answer with its number: 1, 2 or 3.")


def test_an_unknown_wording_is_our_own_mistake(group: Group[GrammarPayload]) -> None:
    with pytest.raises(ValueError, match="no wording 'shout'"):
        prompt(group[0], "shout")


def test_the_readme_prints_every_prompt_with_its_line_breaks() -> None:
    readme = (Path(spec.__file__).parent / "README.md").read_text(encoding="utf-8")
    group = next(FAMILY.generate(0, {}))
    item = group[0]
    shown = [prompt(item, arm.prompt) for arm in FAMILY.spec.arms]
    shown.append(prompt(next(generate(0, {"wording": "memorize"}))[0], "direct"))
    shown.append(ballot(item, [f"[thought {number}]" for number in range(1, 6)]))
    for words in shown:
        assert f"```text\n{words}\n```" in readme, words
