"""Judging: the suite's extractor decides what was answered, the truth whether it was right."""

from __future__ import annotations

import pytest

from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply
from misstep.families.grammar.generate import generate
from misstep.families.grammar.score import score
from misstep.families.grammar.spec import GrammarPayload


@pytest.fixture
def grammatical() -> Item[GrammarPayload]:
    return next(item for item in next(generate(0, {})) if item.truth == "Yes")


@pytest.mark.parametrize(
    ("text", "stop", "outcome", "value"),
    [
        ("Yes", "stop", Outcome.CORRECT, 1.0),
        ("“No”.", "stop", Outcome.WRONG, 0.0),
        ("Each bigram occurs above.\n\n**Answer: Yes**", "stop", Outcome.CORRECT, 1.0),
        ("", "stop", Outcome.EMPTY, None),
        ("Let us look at the first", "max_tokens", Outcome.TRUNCATED, None),
        ("It is hard to tell.", "stop", Outcome.UNPARSED, None),
        ("", "content_filter", Outcome.REFUSED, None),
    ],
)
def test_a_reply_becomes_its_outcome(
    grammatical: Item[GrammarPayload],
    text: str,
    stop: str,
    outcome: Outcome,
    value: float | None,
) -> None:
    judged = score(grammatical, Reply(text, stop))
    assert (judged.outcome, judged.value) == (outcome, value)


def test_the_span_is_where_the_answer_was_read(grammatical: Item[GrammarPayload]) -> None:
    text = "It starts like none of them.\nAnswer: No"
    judged = score(grammatical, Reply(text, "stop"))
    assert judged.span is not None
    assert "No" in text[slice(*judged.span)]
