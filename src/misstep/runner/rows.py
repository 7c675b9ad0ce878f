"""Between the runner's samples and our records: the row that a sample's score carries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.model import ModelOutput, ModelUsage

from misstep.core.outcomes import Outcome, Reply, Score
from misstep.core.records import Record

Row = dict[str, Any]  # Any: JSON values, as the runner keeps them


def spent(outputs: Sequence[ModelOutput]) -> Row:
    """What the calls of one question took: sums over the calls, None where a provider is silent."""
    usages = [output.usage for output in outputs if output.usage is not None]
    metadata = [output.metadata or {} for output in outputs]
    return {
        "input_tokens": _total(map(_input_tokens, usages)),
        "output_tokens": _total(usage.output_tokens for usage in usages),
        "reasoning_tokens": _total(usage.reasoning_tokens for usage in usages),
        "seconds": _total(each.get("seconds") for each in metadata),
        "cost": _total(usage.total_cost for usage in usages),
        "score": metadata[0].get("score"),
        "stop_reason": outputs[-1].stop_reason,
    }


def reply_of(output: ModelOutput) -> Reply:
    return Reply(output.completion, output.stop_reason)


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
    """The record of a sample. `sample`: its metadata; `row`: the metadata of its score."""
    value = row["value"]
    return Record(
        family=sample["family"],
        version=sample["version"],
        who=who,
        item=sample["id"],
        group=sample["group"],
        arm=sample["arm"],
        repetition=repetition,
        outcome=Outcome(row["outcome"]),
        value=None if value is None else float(value),
        answer=row["answer"],
        reason=row["reason"],
        truth=sample["truth"],
        lure=sample["lure"],
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
    )


def _input_tokens(usage: ModelUsage) -> int:
    return (
        usage.input_tokens
        + (usage.input_tokens_cache_read or 0)
        + (usage.input_tokens_cache_write or 0)
    )


def _total(parts: Any) -> Any:  # Any: whole numbers or seconds, as they come
    known = [part for part in parts if part is not None]
    return round(sum(known), 4) if known else None
