"""Logs → records: of a run folder, a log file, or a folder with either anywhere beneath it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    read_eval_log,
    read_eval_log_sample_summaries,
)
from pydantic import ValidationError

from misstep.core import items as item_text
from misstep.core.errors import BadInput
from misstep.core.family import Family
from misstep.core.items import Item
from misstep.core.records import Record, Transcript
from misstep.runner.rows import record_of

AnyItem = Item[Any]  # Any: logs hold items of every payload
FamilyOf = Callable[[str], Family[Any]]  # Any: likewise
ENDING = ".eval"
SCORE = "outcome"
_DAMAGE = (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, ValidationError)


def log_files(runs: Iterable[Path]) -> list[Path]:
    """The logs beneath the given places, oldest first; BadInput where a place holds none."""
    found: list[Path] = []
    for run in runs:
        if not run.exists():
            raise BadInput(f"RUN: {run} does not exist")
        logs = [run] if run.is_file() else sorted(run.rglob("*" + ENDING))
        if not logs:
            raise BadInput(f"RUN: {run} holds no log (*{ENDING}); was the run stopped at once?")
        found.extend(logs)
    return sorted(set(found), key=lambda path: path.name)


def read_records(files: Iterable[Path]) -> list[Record]:
    """All records; where a run was gone on with, a later log's record takes an earlier's place.

    Only within a run's own folder: BadInput where two runs asked one model the same question, as
    they asked in two ways. A log of a run that was stopped at once may hold none, but not all may.
    """
    latest: dict[tuple[str, str, int, int], tuple[Path, Record]] = {}
    last = None
    for last in files:
        for record in _records(last):
            asked = (record.who, f"{record.item}@{record.arm}", record.repetition, record.version)
            before, _ = latest.get(asked, (last, record))
            if before.parent != last.parent:
                raise BadInput(_asked_twice(record, before.parent, last.parent))
            latest[asked] = (last, record)
    if last is not None and not latest:
        raise BadInput(
            f"{last}: the log is empty: it holds no finished sample; "
            "the run's own command goes on from its journal"
        )
    return [record for _, record in latest.values()]


@contextmanager
def _damage_told(file: Path, sample: int | str) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{file}: sample {sample}: damaged: {_line(error)}") from None


def _asked_twice(record: Record, before: Path, now: Path) -> str:
    return (
        f"RUN: {record.who} was asked {record.item} in {before} and, with other settings, "
        f"in {now}; name only one of them"
    )


def read_transcripts(files: Iterable[Path]) -> Iterator[Transcript]:
    """The records with their words, log by log, a later log's after an earlier's."""
    for file in files:
        log = read_whole(file)
        for sample in log.samples or []:
            if sample.scores and SCORE in sample.scores:
                yield Transcript(_sample_record(log, sample), _prompt(sample), reply_text(sample))


def read_items(files: Iterable[Path], families: FamilyOf) -> dict[tuple[str, str], list[AnyItem]]:
    """The items that the logs asked, by family and variant, each once."""
    found: dict[tuple[str, str], dict[str, AnyItem]] = {}
    for file in files:
        log = read_whole(file)
        for sample in log.samples or []:
            with _damage_told(file, sample.id):
                name = str(sample.metadata["family"])
                item = item_text.from_dict(sample.metadata, families(name).payload)
            found.setdefault((name, _variant(log)), {})[item.id] = item
    return {asked: list(items.values()) for asked, items in found.items()}


def read_facts(file: Path) -> list[tuple[str, str]]:
    """What ran, as label and value: for the page, and for whoever wants to run it again."""
    log = read_header(file)
    metadata, config = log.eval.metadata or {}, log.plan.config
    options = ", ".join(f"{name}={value}" for name, value in metadata.get("options", {}).items())
    args = ", ".join(f"{name}={value}" for name, value in log.eval.model_args.items())
    packages = ", ".join(
        f"{name} {number}" for name, number in metadata.get("versions", log.eval.packages).items()
    )
    return [
        ("model", log.eval.model + (f" ({args})" if args else "")),
        (
            "family",
            f"{log.eval.task_display_name or log.eval.task}, version {log.eval.task_version}",
        ),
        ("seed", str(metadata.get("seed"))),
        ("scale", str(metadata.get("scale"))),
        ("options", options or "none"),
        ("temperature", str(config.temperature)),
        ("token limit", str(config.max_tokens or "the model's own")),
        ("versions", packages),
        ("begun", str(log.eval.created)),
        ("log", file.name),
    ]


def read_header(file: Path) -> EvalLog:
    """The log without its samples, known to be one of ours."""
    try:
        header = read_eval_log(str(file), header_only=True)
    except _DAMAGE as error:
        raise BadInput(f"{file}: damaged or unfinished log: {_line(error)}") from None
    if "family" not in (header.eval.metadata or {}):
        raise BadInput(f"{file}: a log of the task {header.eval.task!r}, which is no family's")
    return header


def is_unfinished(file: Path) -> bool:
    """Whether the process that wrote the log died before it could close it."""
    try:
        return read_eval_log(str(file), header_only=True).status == "started"
    except _DAMAGE:
        return True


def read_whole(file: Path) -> EvalLog:
    """The log with its samples, known to be one of ours."""
    read_header(file)
    try:
        return read_eval_log(str(file))
    except _DAMAGE as error:
        raise BadInput(f"{file}: damaged log: {_line(error)}") from None


def _records(file: Path) -> Iterator[Record]:
    header = read_header(file)
    try:
        summaries = read_eval_log_sample_summaries(str(file))
    except _DAMAGE as error:
        raise BadInput(f"{file}: damaged log: {_line(error)}") from None
    for summary in summaries:
        score = (summary.scores or {}).get(SCORE)
        if score is not None and score.metadata:
            with _damage_told(file, summary.id):
                record = record_of(
                    header.eval.model, summary.epoch, summary.metadata, score.metadata
                )
            yield _with_settings(record, header)


def _sample_record(log: EvalLog, sample: EvalSample) -> Record:
    row = (sample.scores or {})[SCORE].metadata or {}
    return _with_settings(record_of(log.eval.model, sample.epoch, sample.metadata, row), log)


def _with_settings(record: Record, log: EvalLog) -> Record:
    """What held for the whole log, where the record has nothing of its own."""
    config = log.plan.config
    temperature = record.temperature if record.temperature is not None else config.temperature
    return replace(
        record,
        temperature=temperature,
        max_tokens=config.max_tokens or record.max_tokens,
        variant=_variant(log),
    )


def _variant(log: EvalLog) -> str:
    return str((log.eval.metadata or {}).get("variant", ""))


def _prompt(sample: EvalSample) -> str:
    if isinstance(sample.input, str):
        return sample.input
    return "\n\n".join(message.text for message in sample.input)


def reply_text(sample: EvalSample) -> str:
    """The reply as a reader wants it: of several replies all, numbered."""
    replies = sample.metadata.get("replies")
    if not replies:
        return sample.output.completion
    return "\n\n".join(f"[{n}] {reply['text']}" for n, reply in enumerate(replies, 1))


def _line(error: BaseException) -> str:
    text = json.dumps(str(error), ensure_ascii=False)[1:-1]
    return text[:120] or type(error).__name__
