"""Words: Table 15 to the letter, what F.2 puts in the place of its end, and the options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply
from misstep.families.apartments import FAMILY, spec
from misstep.families.apartments.generate import generate
from misstep.families.apartments.prompts import beginnings, parts, prompt
from misstep.families.apartments.score import score
from misstep.families.apartments.spec import ApartmentsPayload

Items = list[Item[ApartmentsPayload]]
ROOT = Path(__file__).resolve().parents[3]
TABLE_15 = (
    "You are an AI assistant designed to evaluate the desirability of four apartments for a "
    "potential tenant. You will be given a list of statements about the apartment candidates and "
    "how much the tenant likes or dislikes an apartment with the quality described by the "
    "statement. Your task is to determine which apartment is the most desirable based on the given "
    "criteria. The statements are as follows: [statements] Which apartment is most desirable to "
    "the tenant? Respond with only the number of the apartment, do not include anything else."
)
CLAUSE = (
    " and how much the tenant likes or dislikes an apartment with the quality described by the "
    "statement"
)
COT = TABLE_15.replace(
    "Respond with only the number of the apartment, do not include anything else.",
    "Let’s think step by step",
)


def without_statements(words: str) -> str:
    """The prompt in one run, as the paper prints it."""
    first, _, rest = words.partition("\n")
    lines = rest.splitlines()
    assert len(lines) == 321
    assert all(re.match(r"Apartment [1-4]: ", line) for line in lines[:-1])
    return f"{first} [statements] {lines[-1]}"


def paper_item() -> Item[ApartmentsPayload]:
    return next(generate(0, {"protocol": "paper"}))[0]


def test_the_papers_protocol_is_table_15_to_the_letter() -> None:
    assert without_statements(prompt(paper_item(), "direct")) == TABLE_15
    assert without_statements(prompt(paper_item(), "cot")) == COT


def test_table_15_is_as_the_paper_prints_it() -> None:
    paper = ROOT.parent / "shared" / "papers" / "mind-your-step.txt"
    if not paper.exists():
        pytest.skip("the paper is not beside the repository")
    text = paper.read_text(encoding="utf-8")
    assert TABLE_15.replace("[statements]", "$[$statements$]$") in text
    for words in ("Let’s think step by step", "ou have three minutes to think about the problem"):
        assert words in text
    assert "very carefully think" in text


def test_by_default_the_clause_is_struck_out_and_nothing_else(paper_scale: Items) -> None:
    for wording, words in (("direct", TABLE_15), ("cot", COT)):
        assert without_statements(prompt(paper_scale[0], wording)) == words.replace(CLAUSE, "")


def test_a_statement_stands_on_its_line_behind_its_apartment_without_a_number(
    paper_scale: Items,
) -> None:
    item = paper_scale[7]
    lines = prompt(item, "direct").splitlines()[1:-1]
    for line, number in zip(lines, item.payload.order, strict=True):
        text = item.payload.statements[number // 80][number % 80]
        assert line == f"Apartment {number // 80 + 1}: {text}"
    assert parts(item)["statements"].splitlines() == lines


def test_shown_ratings_stand_behind_their_statements_and_the_clause_says_so() -> None:
    item = next(generate(0, {"ratings": "shown"}))[0]
    words = prompt(item, "direct")
    assert CLAUSE in words
    sums = dict.fromkeys("1234", 0)
    for line in words.splitlines()[1:-1]:
        found = re.fullmatch(r"Apartment ([1-4]): .+\. \(([+-]\d)\)", line)
        assert found is not None, line
        sums[found[1]] += int(found[2])
    assert max(sums, key=lambda number: sums[number]) == item.truth


def test_time_and_care_differ_from_cot_by_one_sentence(paper_scale: Items) -> None:
    item = paper_scale[0]
    beginning, cot = beginnings(item)[0], prompt(item, "cot")
    for wording, said in (
        ("time-limit", " You have three minutes to think about the problem."),
        ("careful", " Very carefully think about the problem."),
    ):
        assert prompt(item, wording) == beginning + said + cot.removeprefix(beginning)


def test_the_n_back_task_shows_its_letters_and_asks_for_the_apartment_last() -> None:
    item = next(generate(0, {"letters": "7", "back": "1"}))[0]
    words = prompt(item, "n-back")
    assert f"Here are 7 letters: {' '.join(item.payload.letters)}." in words
    assert "the one 1 place before it" in words
    assert words.endswith("respond with only the number of the apartment.")


@pytest.mark.parametrize(
    "last", ["{}", "Apartment {}", "**{}**", "The most desirable is Apartment {}."]
)
def test_the_apartment_after_the_letters_is_what_is_read(paper_scale: Items, last: str) -> None:
    item = paper_scale[0]
    letters = "\n".join(f"{letter} other" for letter in item.payload.letters)
    reply = Reply(f"{letters}\n{last.format(item.truth)}", "stop")
    assert score(item, reply).outcome is Outcome.CORRECT
    in_a_row = letters.replace("\n", ", ")
    assert score(item, Reply(f"{in_a_row}\n\n{last.format(item.truth)}", "stop")).value == 1


def test_the_letters_alone_are_no_answer(paper_scale: Items) -> None:
    item = paper_scale[0]
    letters = ", ".join(f"{letter} other" for letter in item.payload.letters)
    assert score(item, Reply(letters, "stop")).outcome is Outcome.UNPARSED


@pytest.mark.parametrize(
    "said", ["3", "Apartment 3", "apartment #3.", "The third one", "Apartment three"]
)
def test_an_apartment_is_read_however_it_is_named(paper_scale: Items, said: str) -> None:
    item = next(one for one in paper_scale if one.truth == "3")
    assert score(item, Reply(said, "stop")).outcome is Outcome.CORRECT


def test_an_unknown_wording_is_our_own_mistake(paper_scale: Items) -> None:
    with pytest.raises(ValueError, match="no wording 'shout'"):
        prompt(paper_scale[0], "shout")


def test_the_readme_prints_every_prompt_with_its_line_breaks(paper_scale: Items) -> None:
    """Of the 320 statements it shows the first two and the last, and says so."""
    readme = (Path(spec.__file__).parent / "README.md").read_text(encoding="utf-8")
    shown = [prompt(paper_scale[0], arm.prompt) for arm in FAMILY.spec.arms]
    shown += [prompt(paper_item(), wording) for wording in ("direct", "cot")]
    shown.append(prompt(next(generate(0, {"ratings": "shown"}))[0], "direct"))
    shown.append(prompt(next(generate(0, {"order": "grouped"}))[0], "direct"))
    for words in shown:
        lines = words.splitlines()
        cut = "\n".join([*lines[:3], "[317 more statements]", *lines[-2:]])
        assert f"```text\n{cut}\n```" in readme, cut
