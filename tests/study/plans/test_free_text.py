"""What people write in the first part is read by the reader of models' free replies, and graded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from misstep.study.screens import Json, Screen, Write
from misstep.study.trials.nouns import Given, Judged
from plan_trials import items, walked

ITEM = items(2)[1]
BEST = """\
unstack the yellow block from the red block
put down the yellow block
unstack the red block from the blue block
put down the red block
pick up the blue block
stack the blue block on the orange block
pick up the red block
stack the red block on the blue block"""
"""By hand, of this item: yellow on red on blue, orange beside; red on blue on orange is wanted."""


def wrote(text: str, solver: str = "planner") -> Judged:
    def own(screen: Screen, given: Sequence[Given]) -> Mapping[str, Json] | None:
        is_mine = isinstance(screen, Write) and len(given) > 4
        return {"text": text} if is_mine else None

    return walked(ITEM, solver, own).judged


@pytest.mark.parametrize(
    "text",
    [
        BEST,
        BEST.upper(),
        BEST.replace("the ", "").replace(" block", ""),
        "\n".join(f"{number}. {line}." for number, line in enumerate(BEST.splitlines(), 1)),
        "\n".join(f"- {line}" for line in BEST.splitlines()),
        BEST.replace("\n", ", "),
        f"I would start with the yellow block:\n\n{BEST}\n\nDone!",
        BEST.replace("put down the red block", "put the red block on the table"),
    ],
    ids=["lines", "capitals", "short", "numbers", "dashes", "commas", "with words", "own words"],
)
def test_a_plan_in_ones_own_words_is_read_and_graded(text: str) -> None:
    details = wrote(text).details
    assert details["free_outcome"] == "correct"
    assert details["free_valid"] is details["free_optimal"] is True
    assert details["free_verdict"] == "optimal"
    assert details["free_steps"] == 8
    assert details["edits"] == 0


def test_a_longer_plan_is_valid_and_not_optimal() -> None:
    details = wrote(f"{BEST}\nunstack the red block from the blue block\n"
                    "stack the red block on the blue block").details  # fmt: skip
    assert details["free_verdict"] == "valid"
    assert details["free_optimal"] is False
    assert details["edits"] == 2


def test_a_mistake_in_translation_is_seen_beside_a_plan_that_was_right() -> None:
    judged = wrote(BEST, "unfinished")
    assert judged.score.value == 0.0
    assert judged.details["plan_valid"] is False
    assert judged.details["free_verdict"] == "optimal"
    assert judged.details["edits"] == 1


def test_a_mistake_that_was_mended_counts_as_mended() -> None:
    judged = wrote(BEST.partition("\n")[2])
    assert judged.score.value == 1.0
    assert judged.details["free_verdict"] == "invalid"
    assert judged.details["edits"] == 1


@pytest.mark.parametrize("text", ["Take the yellow one off and go on from there.", "???", "42"])
def test_what_can_not_be_read_is_no_invalid_plan(text: str) -> None:
    details = wrote(text).details
    assert details["free_outcome"] == "unparsed"
    assert details["free_verdict"] == "unreadable"
    assert details["free_valid"] is details["free_optimal"] is None
    assert details["free_steps"] is details["edits"] is None


def test_giving_up_in_words_is_an_answer_and_a_wrong_one() -> None:
    details = wrote("There is no plan.").details
    assert details["free_outcome"] == "wrong"
    assert details["free_verdict"] == "invalid"
    assert details["free_steps"] is None


def test_markup_in_the_text_is_text() -> None:
    details = wrote(f"<script>alert(1)</script>\n{BEST}").details
    assert details["free_verdict"] == "optimal"
