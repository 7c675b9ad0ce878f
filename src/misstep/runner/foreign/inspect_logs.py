"""An Inspect log of anyone's task, read as scored samples."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSampleSummary,
    read_eval_log,
    read_eval_log_sample_summaries,
    read_eval_log_samples,
)
from inspect_ai.model import ModelUsage
from inspect_ai.scorer import Score

from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome
from misstep.runner.foreign.nouns import ForeignLog, Sample, Wanted, short_fields
from misstep.runner.foreign.scores import chosen, flattened, outcome_of, share_of
from misstep.runner.logged.logs import DAMAGE

_AnySample = EvalSample | EvalSampleSummary
_CUT = "(content truncated)"
_REMOVED = "Key removed from summary"
_HEAVY = {"events", "store", "attachments", "messages"}
_BUSINESS = (
    "max_retries",
    "timeout",
    "attempt_timeout",
    "stream_idle_timeout",
    "max_connections",
    "adaptive_connections",
    "extra_headers",
    "extra_body",
    "cache",
    "batch",
)
"""How calls are made, and what may hold keys: nothing that tells two ways of asking apart."""


@dataclass(frozen=True)
class _Scored:
    """The samples of a log with all their scores, before one is chosen."""

    sample: _AnySample
    scores: Mapping[str, object]


def header_of(file: Path) -> EvalLog:
    """The log without its samples; BadInput where it can't be read."""
    try:
        return read_eval_log(str(file), header_only=True)
    except DAMAGE as error:
        raise BadInput(f"{file}: damaged or unfinished log: {_line(error)}") from None


def read(file: Path, wanted: Wanted) -> ForeignLog:
    """BadInput where no score is meant, or where one can't be reckoned with."""
    header = header_of(file)
    found = [_Scored(sample, _scores(sample.scores)) for sample in _samples(file, wanted)]
    if not found:
        raise BadInput(f"{file}: the log is empty: it holds no finished sample")
    score = chosen((name for one in found for name in one.scores), wanted.score, file)
    return ForeignLog(
        file=file,
        task=header.eval.task,
        model=header.eval.model,
        settings=_settings(header),
        score=score,
        samples=tuple(_sample(one, score, wanted, file) for one in found),
        chance=_chance([one.sample for one in found]),
    )


def _samples(file: Path, wanted: Wanted) -> Iterable[_AnySample]:
    """The summaries, which are quickly read; whole samples where these leave too much out."""
    try:
        summaries = read_eval_log_sample_summaries(str(file))
        if not any(_is_cut(one, wanted.group) for one in summaries):
            return summaries
        return list(_whole(file))
    except DAMAGE as error:
        raise BadInput(f"{file}: damaged log: {_line(error)}") from None


def _whole(file: Path) -> Iterator[EvalSample]:
    yield from read_eval_log_samples(
        str(file), all_samples_required=False, exclude_fields=set(_HEAVY)
    )


def _is_cut(sample: EvalSampleSummary, group: str | None) -> bool:
    """Whether the summary's words are not all of the item's: long texts, and all but texts."""
    texts = [sample.input] if isinstance(sample.input, str) else _texts(sample.input)
    targets = [sample.target] if isinstance(sample.target, str) else sample.target
    is_thin = any(
        text.endswith(_CUT) or (text.startswith("(") and text.endswith(")"))
        for text in (*texts, *targets)
    )
    return is_thin or (group is not None and _is_gone(sample.metadata.get(group)))


def _is_gone(value: object) -> bool:
    return isinstance(value, str) and (value.startswith(_REMOVED) or value.endswith("..."))


def _texts(messages: Iterable[Any]) -> list[str]:  # Any: the runner's messages of every role
    return [
        part if isinstance(part, str) else getattr(part, "text", "")
        for message in messages
        for part in ([message.content] if isinstance(message.content, str) else message.content)
    ]


def _scores(scores: Mapping[str, Score] | None) -> dict[str, object]:
    return flattened({name: score.value for name, score in (scores or {}).items()})


def _sample(one: _Scored, score: str, wanted: Wanted, file: Path) -> Sample:
    sample = one.sample
    try:
        value = share_of(one.scores.get(score), wanted.scale)
    except ValueError as error:
        raise BadInput(f"{file}: sample {sample.id}: score {score!r}: {error}") from None
    usage = _usage(sample.model_usage)
    return Sample(
        id=str(sample.id),
        repetition=sample.epoch,
        content=_content(sample),
        target=_digest(sample.target),
        value=value,
        outcome=outcome_of(value, Outcome.TRUNCATED if sample.limit else Outcome.UNPARSED),
        reason=None if value is not None else _reason(sample, score, score in one.scores),
        group=_group(sample, wanted.group, file),
        fields=short_fields(sample.metadata),
        input_tokens=usage.input_tokens if usage else None,
        output_tokens=usage.output_tokens if usage else None,
        reasoning_tokens=usage.reasoning_tokens if usage else None,
        seconds=sample.working_time,
    )


def _reason(sample: _AnySample, score: str, is_scored: bool) -> str:
    if sample.error is not None:
        told = sample.error if isinstance(sample.error, str) else sample.error.message
        return f"error: {told[:200]}"
    if sample.limit is not None:
        return "stopped at a limit"
    return f"scored as no answer by {score}" if is_scored else f"no score {score}"


def _group(sample: _AnySample, field: str | None, file: Path) -> str | None:
    if field is None:
        return None
    value = sample.metadata.get(field)
    if value is None:
        known = ", ".join(sorted(sample.metadata)) or "none"
        raise BadInput(
            f"--group: {file}: sample {sample.id} has no field {field!r} in its metadata; "
            f"known: {known}"
        )
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def _content(sample: _AnySample) -> str:
    """A digest of the words and pictures shown, and of the choices; ids of messages are chance."""
    shown: object = sample.input
    if not isinstance(sample.input, str):
        shown = [
            [message.role, message.model_dump(mode="json", include={"content"})["content"]]
            for message in sample.input
        ]
    return _digest([shown, sample.choices or []])


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _usage(usages: Mapping[str, ModelUsage]) -> ModelUsage | None:
    """Of all models that the sample asked, graders too, where there are several."""
    total: ModelUsage | None = None
    for usage in usages.values():
        total = usage if total is None else total + usage
    return total


def _settings(header: EvalLog) -> dict[str, str]:
    config = header.plan.config.model_dump(exclude_none=True)
    config |= header.eval.model_generate_config.model_dump(exclude_none=True)
    asked = {name: value for name, value in config.items() if name not in _BUSINESS}
    asked |= header.eval.task_args
    if header.eval.solver is not None:
        asked |= {"solver": header.eval.solver, **(header.eval.solver_args or {})}
    asked["task version"] = header.eval.task_version
    return {name: value if isinstance(value, str) else str(value) for name, value in asked.items()}


def _chance(samples: Iterable[_AnySample]) -> float | None:
    """Of one choice among those listed; None where an item lists none."""
    counts = [len(sample.choices or ()) for sample in samples]
    return sum(1 / count for count in counts) / len(counts) if all(counts) else None


def _line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return text[:120] or type(error).__name__
