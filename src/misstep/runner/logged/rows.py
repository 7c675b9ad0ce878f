"""Between the runner's samples and our records: the row that a sample's score carries."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inspect_ai.log import EvalLog
from inspect_ai.model import ContentReasoning, GenerateConfig, ModelOutput, ModelUsage

from misstep.core.answers.thinking import cut_thinking
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.core.records import Record

_SPACES = re.compile(" {2,}")
Row = dict[str, Any]  # Any: JSON values, as the runner keeps them


def spent(outputs: Sequence[ModelOutput]) -> Row:
    """What the calls of one question took: sums over the calls, None where a provider is silent."""
    usages = [output.usage for output in outputs if output.usage is not None]
    metadata = [output.metadata or {} for output in outputs]
    return {
        "input_tokens": _total(map(_input_tokens, usages)),
        "cached_tokens": _total(usage.input_tokens_cache_read for usage in usages),
        "output_tokens": _total(usage.output_tokens for usage in usages),
        "reasoning_tokens": _total(usage.reasoning_tokens for usage in usages),
        "seconds": _total(each.get("seconds") for each in metadata),
        "cost": _total((usage.total_cost for usage in usages), digits=10),
        "score": metadata[0].get("score"),
        "stop_reason": outputs[-1].stop_reason,
        "calls": len(outputs),
        "visible_bytes": sum(map(_visible_bytes, outputs)),
        "thinking_chars": sum(map(_thinking_chars, outputs)),
    }


def in_effect(
    output: ModelOutput, thinking: str | None, asked: GenerateConfig, own: float | None
) -> Row:
    """What the arm asked for, and what of it took effect in the call (`runner.calls.effect`).

    `asked` holds the temperature and the token limit as they were asked for; without the run's
    journal, or in replies of an older one, nobody has looked at the request and they stand. `own`
    is the temperature that the provider has where none was sent.
    """
    seen = (output.metadata or {}).get("effect")
    sent = seen["thinking"] if seen else None
    return {
        "thinking": thinking,
        "thinking_sent": None if sent is None else json.dumps(sent, sort_keys=True),
        "asked_temperature": asked.temperature,
        "temperature": _known(seen["temperature"], own) if seen else asked.temperature,
        "max_tokens": seen["max_tokens"] if seen else asked.max_tokens,
    }


def reply_of(output: ModelOutput) -> Reply:
    """Nothing, of a solver that was stopped before its first reply."""
    return Reply(output.completion, output.stop_reason if output.choices else None)


def score_row(score: Score) -> Row:
    """The judgement as JSON values."""
    return {
        "outcome": score.outcome.value,
        "value": score.value,
        "answer": score.answer,
        "reason": score.reason,
        "span": list(score.span) if score.span else None,
        "details": dict(score.details),
    }


def record_of(who: str, repetition: int, sample: Mapping[str, Any], row: Row) -> Record:
    """The record of a sample. `sample`: its metadata; `row`: the metadata of its score.

    A run that may stop early has a sample for each repetition, which then names its own. A row may
    name a truth and lure in the place of the sample's: a conversation has a new one at each turn.
    """
    value = row["value"]
    return Record(
        family=sample["family"],
        version=sample["version"],
        who=who,
        item=sample["id"],
        group=sample["group"],
        arm=sample["arm"],
        repetition=sample.get("repetition", repetition),
        outcome=Outcome(row["outcome"]),
        value=None if value is None else float(value),
        answer=row["answer"],
        reason=row["reason"],
        truth=row.get("truth", sample["truth"]),
        lure=row.get("lure", sample["lure"]),
        factors=sample["factors"],
        details=row.get("details") or {},
        score=row.get("score"),
        answer_logprobs=row.get("answer_logprobs"),
        stop_reason=row.get("stop_reason"),
        input_tokens=row.get("input_tokens"),
        output_tokens=row.get("output_tokens"),
        reasoning_tokens=row.get("reasoning_tokens"),
        seconds=row.get("seconds"),
        cost=row.get("cost"),
        temperature=row.get("temperature"),
        max_tokens=row.get("max_tokens"),
        thinking=row.get("thinking"),
        thinking_sent=row.get("thinking_sent"),
        thinking_chars=row.get("thinking_chars"),
        visible_bytes=row.get("visible_bytes"),
        calls=row.get("calls"),
        asked_temperature=row.get("asked_temperature"),
        cached_tokens=row.get("cached_tokens"),
        look=sample.get("look"),
        look_of=sample.get("look_of"),
        look_replies=sample.get("look_replies"),
    )


@dataclass(frozen=True)
class Settings:
    """What held for a whole log, beside what each of its rows says."""

    model: str
    arms: tuple[str, ...]
    variant: str
    temperature: float | None
    max_tokens: int | None


def settings_of(log: EvalLog) -> Settings:
    """From its header alone."""
    metadata, config = log.eval.metadata or {}, log.plan.config
    return Settings(
        model=log.eval.model,
        arms=tuple(metadata.get("arms") or ()),
        variant=str(metadata.get("variant") or ""),
        temperature=config.temperature,
        max_tokens=config.max_tokens,
    )


def logged_record(settings: Settings, epoch: int, sample: Mapping[str, Any], row: Row) -> Record:
    """As `record_of`; what held for the log stands in where the row of an older one is silent."""
    record = replace(
        record_of(settings.model, epoch, sample, row),
        variant=settings.variant,
        first_arm=settings.arms[0] if len(settings.arms) > 1 else None,
    )
    if "asked_temperature" in row:
        return record
    temperature = record.temperature
    return replace(
        record,
        temperature=settings.temperature if temperature is None else temperature,
        max_tokens=settings.max_tokens or record.max_tokens,
    )


def _known(sent: float | None, own: float | None) -> float | None:
    return own if sent is None else sent


def _visible_bytes(output: ModelOutput) -> int:
    """Without thinking between tags, in whose place the cut has left spaces."""
    text = _SPACES.sub(" ", cut_thinking(output.completion).text)
    return len(text.strip().encode(errors="replace"))


def _thinking_chars(output: ModelOutput) -> int:
    """Thinking that came beside the text, or between tags within it."""
    parts = [] if not output.choices else output.choices[0].message.content
    beside = "".join(
        part.summary or "" if part.redacted else part.reasoning or part.summary or ""
        for part in parts
        if isinstance(part, ContentReasoning)
    )
    text = output.completion
    within = len("".join(text.split())) - len("".join(cut_thinking(text).text.split()))
    return len(beside) + within


def _input_tokens(usage: ModelUsage) -> int:
    return (
        usage.input_tokens
        + (usage.input_tokens_cache_read or 0)
        + (usage.input_tokens_cache_write or 0)
    )


def _total(parts: Any, digits: int = 4) -> Any:  # Any: whole numbers, seconds, money, as they come
    known = [part for part in parts if part is not None]
    return round(sum(known), digits) if known else None
