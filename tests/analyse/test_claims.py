"""What contradicts an arm's name, from hand-made records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from misstep.analyse.claims import Kind, check, hidden_tokens, thinking_tokens
from misstep.analyse.frames import records_from_frame, to_frame
from misstep.core.outcomes import Outcome
from misstep.core.records import Record

BASE = Record(
    family="f", version=1, who="m", item="i", group="g", arm="direct", repetition=1,
    outcome=Outcome.CORRECT, value=1.0, output_tokens=3, reasoning_tokens=0, thinking_chars=0,
    visible_bytes=3, calls=1, asked_temperature=0.0, temperature=0.0,
)  # fmt: skip


def answers(arm: str, tokens: Sequence[int | None], **changes: object) -> list[Record]:
    """Answers to items 0, 1, … with that many thinking tokens reported."""
    asked = arm.removeprefix("think:") if arm.startswith("think:") else None
    sent = "{}" if asked is None else f'{{"reasoning_effort": "{asked}"}}'
    made = []
    for at, reported in enumerate(tokens):
        own = replace(
            BASE, arm=arm, thinking=asked, thinking_sent=sent, item=f"i{at}",
            reasoning_tokens=reported, output_tokens=3 + (reported or 0),
        )  # fmt: skip
        made.append(replace(own, **changes))  # type: ignore[arg-type]  # the fields decide the types
    return made


def kinds(*arms: list[Record]) -> list[tuple[str, Kind]]:
    claims = check(record for arm in arms for record in arm)
    return [(found.arm, found.kind) for found in claims.findings]


def test_honest_arms_are_named_by_nothing() -> None:
    assert (
        kinds(
            answers("direct", [0, 0]),
            answers("think:none", [0, None]),
            answers("think:low", [200, 300]),
            answers("think:high", [900, 2000]),
            answers("think:4096", [4000, 4096]),
        )
        == []
    )


def test_one_thinking_answer_in_a_hundred_is_let_pass_and_one_in_ten_is_not() -> None:
    assert kinds(answers("think:none", [0] * 99 + [50])) == []
    assert kinds(answers("think:none", [0] * 9 + [50])) == [("think:none", Kind.THINKS_ANYWAY)]


def test_a_budget_is_ignored_from_a_quarter_above() -> None:
    assert kinds(answers("think:1000", [1200, 1250])) == []
    assert kinds(answers("think:1000", [1200, 1400])) == [("think:1000", Kind.OVER_BUDGET)]


def test_votes_are_judged_by_the_call() -> None:
    assert kinds(answers("think:1000", [2800], calls=3)) == []
    assert kinds(answers("think:1000", [2800], calls=2)) == [("think:1000", Kind.OVER_BUDGET)]


@pytest.mark.parametrize("high", [[100, 150], [200, 310]])
def test_levels_that_are_reversed_or_equal_are_named(high: list[int | None]) -> None:
    found = kinds(answers("think:low", [200, 300]), answers("think:high", high))
    assert found == [("think:high", Kind.NO_MORE_THAN_LESS)]


def test_levels_are_compared_on_the_same_items_only() -> None:
    low = answers("think:low", [200, 9000])
    assert kinds(low, answers("think:high", [400])) == []


def test_two_levels_with_one_request_are_named() -> None:
    low = answers("think:low", [200])
    high = answers("think:high", [900], thinking_sent=low[0].thinking_sent)
    assert kinds(low, high) == [("think:low", Kind.SAME_REQUEST), ("think:high", Kind.SAME_REQUEST)]


def test_thinking_that_the_request_says_nothing_of_is_named() -> None:
    found = kinds(answers("think:low", [200], thinking_sent="{}"))
    assert found == [("think:low", Kind.SAME_REQUEST)]


def test_a_temperature_that_is_not_as_asked_is_named_with_the_remedy() -> None:
    (found,) = check(answers("think:low", [200], temperature=1.0)).findings
    assert found.said == (
        "is asked at temperature 0, answered at 1; --temperature 1 asks every arm alike"
    )
    assert kinds(answers("direct", [0], temperature=None)) == [("direct", Kind.TEMPERATURE)]


@pytest.mark.parametrize("reported", [None, 0])
def test_tokens_without_text_are_hidden_thinking(reported: int | None) -> None:
    hidden = answers("think:high", [reported], output_tokens=900)
    assert kinds(hidden) == [("think:high", Kind.HIDDEN_THINKING)]
    silent = answers("think:none", [reported], output_tokens=900)
    assert kinds(silent) == [("think:none", Kind.THINKS_ANYWAY)]


def test_thinking_asked_for_and_nowhere_seen_is_named() -> None:
    assert kinds(answers("think:high", [None, None])) == [("think:high", Kind.NO_THINKING)]


def test_a_long_reply_hides_nothing() -> None:
    reply = answers("direct", [None], output_tokens=700, visible_bytes=1200)
    assert kinds(reply) == []
    assert hidden_tokens(reply[0]) == 0


def test_thinking_that_is_only_read_counts_by_its_share_of_the_text() -> None:
    read = replace(BASE, thinking_chars=900, visible_bytes=100, output_tokens=500)
    assert thinking_tokens(read) == 450
    assert thinking_tokens(replace(read, reasoning_tokens=470)) == 470
    assert thinking_tokens(replace(BASE, reasoning_tokens=None)) is None


def test_records_that_know_nothing_of_it_contradict_nothing() -> None:
    bare = Record("f", 1, "m", "i", "g", "direct", 1, Outcome.CORRECT, 1.0)
    claims = check([bare, replace(bare, arm="cot")])
    assert claims.findings == ()
    assert not claims.is_told


def test_a_table_of_records_says_the_same() -> None:
    records = answers("think:none", [0, 70]) + answers("think:low", [60, 80], temperature=1.0)
    assert check(records_from_frame(to_frame(records))) == check(records)
