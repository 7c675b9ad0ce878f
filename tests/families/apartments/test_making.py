"""Statements made by a model: the prompts are the paper's, and no reply is taken for a list."""

from __future__ import annotations

from pathlib import Path

import pytest

from misstep.core.errors import MisstepError
from misstep.core.outcomes import Reply
from misstep.families.apartments.statements import FEATURES, LEVELS
from misstep.families.apartments.statements import making as statements
from misstep.families.apartments.statements.rating import QUESTION

ROOT = Path(__file__).resolve().parents[3]
PAPER = ROOT.parent / "shared" / "papers" / "mind-your-step.txt"


def listed(number: int = FEATURES, form: str = "{}. Sentence {}.") -> str:
    return "\n".join(form.format(at, at) for at in range(1, number + 1))


def test_the_first_two_prompts_stand_in_the_paper_word_for_word() -> None:
    if not PAPER.exists():
        pytest.skip("the paper is not beside the repository")
    text = PAPER.read_text(encoding="utf-8")
    assert f"“{statements.POSITIVE}”" in text
    assert f"“{statements.NEGATIVE} [positive statements]”" in text
    for level in ("upper", "lower"):
        words = statements.prompt(level, []).removesuffix(f" {statements.FORM}")
        begin, _, rest = words.partition("statements about aspects of an apartment.")
        end = "positive" if level == "upper" else "negative"
        assert f"“{begin}[$\\dots$]{rest} [{end} statements]”" in text


def test_a_further_prompt_shows_the_statements_that_it_is_about_by_number() -> None:
    words = statements.prompt("negative", ["The lift is fast.", "Rents are low."])
    assert words.endswith("nothing else.\n1. The lift is fast.\n2. Rents are low.")


@pytest.mark.parametrize(
    "form",
    [
        "{}. Sentence {}.",
        "{}) Sentence {}.",
        "**{}.** Sentence {}.",
        "- {}. “Sentence {}.”",
        "  {}: *Sentence {}.*",
    ],
)
def test_a_numbered_list_is_read_in_any_usual_form(form: str) -> None:
    reply = Reply(f"Here you are:\n\n{listed(form=form)}\n\nEnjoy!", "stop")
    read = statements.read_lines("positive", reply)
    assert read == [f"Sentence {at}." for at in range(1, 81)]


@pytest.mark.parametrize(
    ("said", "stop", "message"),
    [
        ("", "stop", "positive statements: the reply is empty (stopped: stop)"),
        (
            "I like flats.",
            "stop",
            "0 numbered lines, where lines 1 to 80 were asked for; at line 1, nothing follows",
        ),
        (
            listed(12),
            "max_tokens",
            "12 numbered lines, cut by the token limit, where lines 1 to 80 were asked for",
        ),
        (
            listed(81),
            "stop",
            "81 numbered lines, where lines 1 to 80 were asked for; at line 81, 81 stands there",
        ),
        (
            listed().replace("7. Sentence 7.\n", "", 1),
            "stop",
            "79 numbered lines, where lines 1 to 80 were asked for; at line 7, 8 stands there",
        ),
    ],
)
def test_a_list_that_is_not_whole_is_named(said: str, stop: str, message: str) -> None:
    with pytest.raises(MisstepError) as caught:
        statements.read_lines("positive", Reply(said, stop))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_page_prints_the_prompts_and_the_form_of_a_rating() -> None:
    page = (ROOT / "docs" / "apartments.md").read_text(encoding="utf-8")
    for level in LEVELS:
        words = statements.prompt(level, [])
        assert f"```text\n{words}\n" in page, level
    assert f"```text\n{QUESTION.format(text='This building has no lift.')}\n```" in page
