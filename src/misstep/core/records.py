"""A record: one row for each (who, item, arm, repetition). The schema is in docs/records.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from misstep.core.items import Scalar
from misstep.core.outcomes import Outcome

SCHEMA = 1


@dataclass(frozen=True)
class Record:
    """One answered (or unanswered) question.

    `who` is a model's or a participant's name. `value` is the family's measure, 1.0 or 0.0 for
    right or wrong, None where there was no answer; `details` are the family's further scores.
    `score` is a reference solver's evidence for the item. `answer_logprobs` holds log P of each
    answer, summed over its token variants, where the provider gave them. Counts are tokens,
    `seconds` the time of the calls, `cost` money. `variant` names the options that made other
    items than the family's defaults do.
    """

    family: str
    version: int
    who: str
    item: str
    group: str
    arm: str
    repetition: int
    outcome: Outcome
    value: float | None
    answer: str | None = None
    reason: str | None = None
    truth: str | None = None
    lure: str | None = None
    factors: Mapping[str, Scalar] = field(default_factory=dict)
    details: Mapping[str, Scalar] = field(default_factory=dict)
    score: float | None = None
    answer_logprobs: Mapping[str, float] | None = None
    stop_reason: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    variant: str = ""


@dataclass(frozen=True)
class Transcript:
    """A record with its words, for a reader: what was asked and what came back."""

    record: Record
    prompt: str
    reply: str
