"""Words: Table 9 to the letter, a place for each picture, and what counts as no answer."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply
from misstep.core.pictures import PLACE, parts
from misstep.families.faces import FAMILY, spec
from misstep.families.faces.generate import pictures
from misstep.families.faces.prompts import beginnings, prompt
from misstep.families.faces.spec import FacesPayload

PRINTED = (
    "Here is an image of a person. ￼ Select the image that contains the same person as the person "
    "in the first image. ￼ ￼ ￼ ￼ ￼"
)
"""Table 9, with a place for each picture that it names."""


def first(options: dict[str, str] | None = None) -> Item[FacesPayload]:
    return next(FAMILY.generate(0, options or {}))[0]


def test_the_papers_protocol_is_table_9_and_its_cot_appends_one_line() -> None:
    item = first({"protocol": "paper"})
    assert prompt(item, "direct").split() == PRINTED.split()
    added = prompt(item, "cot").removeprefix(prompt(item, "direct"))
    assert added == "\nLet’s think step by step"


def test_the_default_adds_the_numbers_1_to_5_and_nothing_else() -> None:
    labelled, plain = prompt(first(), "cot"), prompt(first({"protocol": "paper"}), "cot")
    for number in "12345":
        assert labelled.count(f"\n{number}: {PLACE}") == 1
        labelled = labelled.replace(f"{number}: ", "")
    assert labelled == plain


def test_the_pictures_stand_where_the_words_say_reference_first() -> None:
    item = first()
    shown = list(parts(prompt(item, "direct"), pictures(item)))
    names = [one.name for one in shown if not isinstance(one, str)]
    assert names == [f"faces-0-000-{place}.jpg" for place in ("reference", *range(1, 6))]
    before = [str(shown[place - 1]).split()[-1] for place, one in enumerate(shown) if place % 2]
    assert before == ["person.", "1:", "2:", "3:", "4:", "5:"]


def test_alternative_texts_tell_the_candidates_apart_by_number_only() -> None:
    for item in (group[0] for group in islice(FAMILY.generate(0, {}), 24)):
        texts = [one.alt for one in pictures(item)]
        for place in range(1, 6):
            assert texts[place] == texts[1].replace("Candidate 1", f"Candidate {place}")


def test_an_item_of_the_papers_protocol_has_another_id_and_the_same_pictures() -> None:
    one, other = first(), first({"protocol": "paper"})
    assert one.id == "faces-0-000"
    assert other.id.startswith("faces-0~")
    assert other.id.endswith("-000")
    assert one.payload.files == other.payload.files


def test_both_arms_begin_with_the_same_words() -> None:
    item = first()
    assert beginnings(item) == (prompt(item, "direct"),)


def test_an_unknown_wording_is_our_own_mistake() -> None:
    with pytest.raises(ValueError, match="no wording 'shout'"):
        prompt(first(), "shout")


@pytest.mark.parametrize("protocol", ["controlled", "paper"])
@pytest.mark.parametrize("arm", ["direct", "cot"])
def test_the_readme_prints_every_prompt_with_its_line_breaks(protocol: str, arm: str) -> None:
    readme = (Path(spec.__file__).parent / "README.md").read_text(encoding="utf-8")
    words = prompt(first({"protocol": protocol}), arm).replace(PLACE, "[picture]")
    assert f"```text\n{words}\n```" in readme


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("All of the images show the same person.", "all"),
        ("All images are of the same person as the first one.", "all"),
        ("None of the images show the same person.", "none"),
        ("None of them.", "none"),
        ("It could be 2 or 4.", "several"),
    ],
)
def test_all_none_and_several_are_no_answer_with_that_reason(text: str, reason: str) -> None:
    scored = FAMILY.score(first(), Reply(text, "stop"))
    assert (scored.outcome, scored.reason) == (Outcome.UNPARSED, reason)


@pytest.mark.parametrize(
    "text", ["{}", "Image {}", "The answer is {}.", "**{}**", "Candidate {} is the same person."]
)
def test_usual_ways_to_name_a_candidate_are_read(text: str) -> None:
    item = first()
    assert FAMILY.score(item, Reply(text.format(item.truth), "stop")).outcome is Outcome.CORRECT
