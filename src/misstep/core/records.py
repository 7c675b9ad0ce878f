"""A record: one row for each (who, item, arm, repetition). The schema is in docs/records.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from misstep.core.items import Scalar
from misstep.core.outcomes import Outcome
from misstep.core.pictures import Seen

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Record:
    """One answered (or unanswered) question.

    `who` is a model's or a participant's name. `value` is the family's measure, 1.0 or 0.0 for
    right or wrong, None where there was no answer; `details` are the family's further scores.
    `score` is a reference solver's evidence for the item. `answer_logprobs` holds log P of each
    answer, summed over its token variants, where the provider gave them. Counts are tokens,
    `seconds` the time of the calls, `cost` money. `variant` names the options that made other
    items than the family's defaults do. Set only where a run may stop early: `look` is the place of
    the item's group in the order of the looks, from 1, `look_of` the number of groups planned, and
    `look_replies` how many replies the group gets in each arm.

    What the arm was to be, against what it was: `thinking` is what the model was told about its own
    thinking, `thinking_sent` what the request said of it as JSON (None: not known), `calls` the
    number of calls, `visible_bytes` the size of the replies without their thinking,
    `thinking_chars` the thinking that could be read, `asked_temperature` what was asked for where
    `temperature` and `max_tokens` are what took effect. `cached_tokens` are those of `input_tokens`
    that the provider had in its cache. `first_arm` is the arm that the reply's run
    names first, where it has several: its baseline.
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
    look: int | None = None
    look_of: int | None = None
    look_replies: int | None = None
    thinking: str | None = None
    thinking_sent: str | None = None
    thinking_chars: int | None = None
    visible_bytes: int | None = None
    calls: int | None = None
    asked_temperature: float | None = None
    first_arm: str | None = None
    cached_tokens: int | None = None


@dataclass(frozen=True)
class Transcript:
    """A record with its words, for a reader: what was asked and what came back.

    The prompt has words in the place of each picture (`pictures.said_of`).
    """

    record: Record
    prompt: str
    reply: str
    pictures: tuple[Seen, ...] = ()
