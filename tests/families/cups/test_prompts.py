"""Words: character for character those of Table 14 and E.2, and the README that prints them."""

from __future__ import annotations

from pathlib import Path

import pytest

from misstep.core.pictures import PLACE
from misstep.families.cups import FAMILY, spec
from misstep.families.cups.drawing import svg
from misstep.families.cups.prompts import ALT, prompt

ROOT = Path(__file__).resolve().parents[3]
PAPER = ROOT.parent / "shared/papers/mind-your-step.txt"
ROOM = Path(spec.__file__).parent
(FIRST,) = next(FAMILY.generate(0, {}))


def test_the_direct_prompt_is_table_14_with_the_picture_in_its_place() -> None:
    if not PAPER.exists():
        pytest.skip("the paper's text is not beside this repository")
    printed = prompt(FIRST, "direct").replace(PLACE, r"$[$Prompt image$]$")
    assert printed in PAPER.read_text(encoding="utf-8").splitlines()


def test_the_cot_prompt_replaces_the_last_sentence_only() -> None:
    words = prompt(FIRST, "direct").replace(
        "Do not include anything else", "Let\u2019s think step by step"
    )
    assert prompt(FIRST, "cot") == words != prompt(FIRST, "direct")


def test_every_prompt_shows_one_picture_at_its_end() -> None:
    for arm in FAMILY.spec.arms:
        words = prompt(FIRST, arm.prompt)
        assert words.count(PLACE) == 1
        assert words.endswith(f". {PLACE}")


def test_an_unknown_wording_is_our_own_mistake() -> None:
    with pytest.raises(ValueError, match="no wording 'shout'"):
        prompt(FIRST, "shout")


def test_the_readme_prints_every_prompt_and_the_alternative_text() -> None:
    readme = (ROOM / "README.md").read_text(encoding="utf-8")
    for arm in FAMILY.spec.arms:
        shown = prompt(FIRST, arm.prompt).replace(PLACE, "[picture]")
        assert f"```text\n{shown}\n```" in readme, shown
    assert f"```text\n{ALT}\n```" in readme


def test_the_paper_s_protocol_has_the_same_words() -> None:
    (item,) = next(FAMILY.generate(0, {"protocol": "paper"}))
    for arm in FAMILY.spec.arms:
        assert prompt(item, arm.prompt) == prompt(FIRST, arm.prompt)


def test_the_readme_s_picture_is_the_first_problem_s() -> None:
    assert (ROOM / "example.svg").read_bytes() == svg(FIRST.payload)
