"""The labelled collection: every reply is read as its label says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from misstep.core.answers import VOCABULARIES, Vocabulary, read, words

COLLECTION = Path(__file__).with_name("replies.jsonl")


@dataclass(frozen=True)
class Labelled:
    id: str
    vocabulary: str | list[str]
    reply: str
    outcome: str
    answer: str | None
    reason: str | None = None
    stop_reason: str | None = None


def labelled() -> list[Labelled]:
    lines = COLLECTION.read_text(encoding="utf-8").splitlines()
    return [Labelled(**json.loads(line)) for line in lines]


def vocabulary_of(named: str | list[str]) -> Vocabulary:
    return VOCABULARIES[named] if isinstance(named, str) else words(*named)


@pytest.mark.parametrize("case", labelled(), ids=lambda case: case.id)
def test_a_labelled_reply_is_read_right(case: Labelled) -> None:
    reading = read(case.reply, vocabulary_of(case.vocabulary), case.stop_reason)
    assert (str(reading.state), reading.answer, reading.reason) == (
        case.outcome,
        case.answer,
        case.reason,
    )


def test_the_collection_holds_every_vocabulary_and_outcome_under_unique_ids() -> None:
    cases = labelled()
    assert len({case.id for case in cases}) == len(cases) >= 500
    assert {case.vocabulary for case in cases if isinstance(case.vocabulary, str)} == set(
        VOCABULARIES
    )
    assert {case.outcome for case in cases} == {
        "answered",
        "unparsed",
        "refused",
        "truncated",
        "empty",
    }
