"""Logs → records: of a run folder, a log file, or a folder with either anywhere beneath it."""

from __future__ import annotations

import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    read_eval_log,
    read_eval_log_sample_summaries,
    read_eval_log_samples_by_id,
)
from pydantic import ValidationError
from zstandard import ZstdError

from misstep.core import items as item_text
from misstep.core.errors import BadInput
from misstep.core.family import Family
from misstep.core.items import Item
from misstep.core.questions import is_own
from misstep.core.records import Record, Transcript
from misstep.core.shards import ending_of
from misstep.runner import manifest
from misstep.runner.logged import joined
from misstep.runner.logged.archive import Key, Summary, sample_metadata, summaries
from misstep.runner.logged.rows import Settings, logged_record, settings_of
from misstep.runner.pictures import text_of

AnyItem = Item[Any]  # Any: logs hold items of every payload
FamilyOf = Callable[[str], Family[Any]]  # Any: likewise
ENDING = ".eval"
_BEGUN = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d")
SCORE = "outcome"
DAMAGE = (
    OSError,
    ValueError,
    KeyError,
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
    ZstdError,
    ValidationError,
)
"""What reading a damaged log can raise."""


def log_files(runs: Iterable[Path]) -> list[Path]:
    """The logs beneath the given places, oldest first; BadInput where a place holds none."""
    found: list[Path] = []
    for run in runs:
        if not run.exists():
            raise BadInput(f"RUN: {run} does not exist")
        if run.is_file() and run.suffix not in (ENDING, ".json"):
            raise BadInput(f"RUN: {run} is no log of misstep's; these end in {ENDING}")
        logs = [run] if run.is_file() else _beneath(run)
        if not logs:
            raise BadInput(f"RUN: {run} holds no log (*{ENDING}); was the run stopped at once?")
        found.extend(logs)
    return by_age(set(found))


def by_age(files: Iterable[Path]) -> list[Path]:
    """Oldest first."""
    return sorted(files, key=_age)


def visible(folder: Path, pattern: str) -> list[Path]:
    """The files of that name beneath a folder. What is half made stands in hidden folders."""
    return [
        path
        for path in sorted(folder.rglob(pattern))
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts[:-1])
    ]


def _beneath(folder: Path) -> list[Path]:
    """Without those of shards that were merged into a run which stands beneath the folder, too."""
    found = visible(folder, "*" + ENDING)
    places = dict.fromkeys(path.parent for path in found)
    spent = {place for place in places if place != folder and _is_merged(place)}
    return [path for path in found if path.parent not in spent]


def _is_merged(place: Path) -> bool:
    ending = ending_of(place.name)
    whole = None if ending is None else place.with_name(ending.run)
    if ending is None or whole is None or not (whole / manifest.NAME).exists():
        return False
    return str(ending.shard) in manifest.read(whole).merged


def _age(path: Path) -> tuple[str, int, str]:
    """By the time in the name; of logs begun in one second by when they were closed."""
    begun = _BEGUN.match(path.name)
    return (begun[0], path.stat().st_mtime_ns, path.name) if begun else (path.name, 0, "")


@dataclass(frozen=True, slots=True)
class Found:
    """A record, and the sample that it stands in."""

    file: Path
    key: Key
    record: Record


def read_records(files: Iterable[Path]) -> list[Record]:
    """All records; see `find_records`."""
    return [one.record for one in find_records(files)]


def find_records(files: Iterable[Path]) -> list[Found]:
    """All records; where a run was gone on with, a later log's record takes an earlier's place.

    Only within a run's own folder: BadInput where two runs asked one model the same question, as
    they asked in two ways. A log of a run that was stopped at once may hold none, but not all may.
    """
    listed = list(files)
    found = _latest(listed)
    if listed and not found:
        raise BadInput(
            f"{listed[-1]}: the log is empty: it holds no finished sample; "
            "the run's own command goes on from its journal"
        )
    return found


def finished_records(files: Iterable[Path]) -> list[Record]:
    """As `read_records`; none where a run was stopped before its first answer."""
    return [one.record for one in _latest(files)]


def _latest(files: Iterable[Path]) -> list[Found]:
    latest: dict[tuple[str, str, str, str, str, int, int], Found] = {}
    first_arms: dict[Path, str | None] = {}
    for file in files:
        for one in _found(file):
            record = one.record
            asked = (record.family, record.variant, record.who, record.item)
            reply = (*asked, record.arm, record.repetition, record.version)
            before = latest.get(reply, one).file
            if before.parent != file.parent:
                raise BadInput(_asked_twice(record, before.parent, file.parent))
            latest[reply] = one
            first_arms[file.parent] = record.first_arm or first_arms.get(file.parent)
    shared = _asked_differently(latest.values())
    return [_of_run(one, first_arms[one.file.parent], shared) for one in latest.values()]


def _asked_differently(found: Iterable[Found]) -> frozenset[str]:
    """The own tasks whose one name stands for several contents, such as files of one name."""
    contents: dict[str, set[str]] = {}
    for one in found:
        if is_own(one.record.family):
            contents.setdefault(one.record.family, set()).add(one.record.variant)
    return frozenset(family for family, variants in contents.items() if len(variants) > 1)


def _of_run(one: Found, first_arm: str | None, shared: frozenset[str]) -> Found:
    """A run that was asked for again has the baseline that it was asked for last.

    The content of an own task is its variant only where another task has the same name.
    """
    record, variant = one.record, one.record.variant
    if is_own(record.family) and record.family not in shared:
        variant = ""
    if (record.first_arm, record.variant) == (first_arm, variant):
        return one
    return replace(one, record=replace(record, first_arm=first_arm, variant=variant))


@contextmanager
def _damage_told(file: Path, sample: int | str) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"{file}: sample {sample}: damaged: {_line(error)}") from None


def _asked_twice(record: Record, before: Path, now: Path) -> str:
    places = " and in ".join(sorted(map(str, (before, now))))
    return (
        f"RUN: {record.who} was asked {record.item} in {places}, which are two runs of other "
        "settings, or one and its copy; name only one of them"
    )


def read_words(
    chosen: Iterable[Found],
) -> Iterator[tuple[Transcript, tuple[int, int] | None]]:
    """The words of these records, and where in the reply the answer was read, where it is known.

    Only their samples are read, log by log.
    """
    for transcript, sample in read_chosen(chosen):
        span = ((sample.scores or {})[SCORE].metadata or {}).get("span")
        yield transcript, (span[0], span[1]) if span else None


def read_chosen(chosen: Iterable[Found]) -> Iterator[tuple[Transcript, EvalSample]]:
    """The words of these records with the samples that they stand in, log by log."""
    for file, listed in _by_file(chosen).items():
        header = read_header(file)
        known = {one.key: one.record for one in listed}
        for sample in _samples(file, list(known)):
            now = known[str(sample.id), sample.epoch]
            record = replace(
                _sample_record(header, sample), variant=now.variant, first_arm=now.first_arm
            )
            yield Transcript(record, _prompt(sample), reply_text(sample)), sample


def _by_file(found: Iterable[Found]) -> dict[Path, list[Found]]:
    files: dict[Path, list[Found]] = {}
    for one in found:
        files.setdefault(one.file, []).append(one)
    return files


def _samples(file: Path, keys: Iterable[Key]) -> list[EvalSample]:
    """These samples in full, but for the runner's own events and messages."""
    try:
        return read_eval_log_samples_by_id(
            str(file), keys, exclude_fields={"events", "messages", "store", "events_data"}
        )
    except (*DAMAGE, IndexError) as error:
        raise BadInput(f"{file}: damaged log: {_line(error)}") from None


def read_items(found: Iterable[Found], families: FamilyOf) -> dict[tuple[str, str], list[AnyItem]]:
    """The items that were asked, by family and variant, each once."""
    once = {(one.record.family, one.record.variant, one.record.item): one for one in found}
    items: dict[tuple[str, str], list[AnyItem]] = {}
    for file, listed in _by_file(once.values()).items():
        for one, metadata in zip(listed, _metadata(file, listed), strict=True):
            with _damage_told(file, one.key[0]):
                item = item_text.from_dict(metadata, families(one.record.family).payload)
            items.setdefault((one.record.family, one.record.variant), []).append(item)
    return items


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
    except DAMAGE as error:
        raise BadInput(f"{file}: damaged or unfinished log: {_line(error)}") from None
    if "family" not in (header.eval.metadata or {}):
        raise BadInput(f"{file}: a log of the task {header.eval.task!r}, which is no family's")
    return header


def is_unfinished(file: Path) -> bool:
    """Whether the process that wrote the log died before it could close it."""
    try:
        return read_eval_log(str(file), header_only=True).status == "started"
    except DAMAGE:
        return True


def read_whole(file: Path) -> EvalLog:
    """The log with its samples, known to be one of ours."""
    read_header(file)
    try:
        return read_eval_log(str(file))
    except DAMAGE as error:
        raise BadInput(f"{file}: damaged log: {_line(error)}") from None


def _found(file: Path) -> Iterator[Found]:
    """Every finished sample's record, arm by arm."""
    kept = _kept(file)
    if kept is not None:
        # The runner takes seconds for the header of a log with so many samples.
        yield from kept
        return
    settings = settings_of(read_header(file))
    places = {arm: at for at, arm in enumerate(settings.arms)}
    yield from sorted(_scored(file, settings), key=lambda one: places.get(one.record.arm, 0))


def _scored(file: Path, settings: Settings) -> Iterator[Found]:
    for one in _summaries(file):
        row = (one.scores.get(SCORE) or {}).get("metadata")
        if row:
            with _damage_told(file, one.id):
                record = logged_record(settings, one.epoch, one.metadata, row)
            yield Found(file, one.key, record)


def _kept(file: Path) -> list[Found] | None:
    """As they stand in a joined log; None where there are none, or of another state of it."""
    try:
        kept = joined.read(file)
    except DAMAGE:
        return None  # what is wrong with the file is said where its header is read
    if kept is None:
        return None
    try:
        return [Found(file, key, record) for key, record in kept]
    except (*DAMAGE, TypeError) as error:
        raise BadInput(f"{file}: damaged log: {_line(error)}") from None


def _summaries(file: Path) -> Iterator[Summary]:
    try:
        found = summaries(file)
        yield from _unclosed(file) if found is None else found
    except DAMAGE as error:
        raise BadInput(f"{file}: damaged log: {_line(error)}") from None


def _unclosed(file: Path) -> Iterator[Summary]:
    for one in read_eval_log_sample_summaries(str(file)):
        scores = {name: score.model_dump() for name, score in (one.scores or {}).items()}
        yield Summary(str(one.id), one.epoch, one.metadata, scores)


def _metadata(file: Path, listed: Iterable[Found]) -> Iterator[Mapping[str, object]]:
    try:
        yield from sample_metadata(file, [one.key for one in listed])
    except DAMAGE as error:
        raise BadInput(f"{file}: damaged log: {_line(error)}") from None


def _sample_record(log: EvalLog, sample: EvalSample) -> Record:
    row = (sample.scores or {})[SCORE].metadata or {}
    return logged_record(settings_of(log), sample.epoch, sample.metadata, row)


def _prompt(sample: EvalSample) -> str:
    if isinstance(sample.input, str):
        return sample.input
    return "\n\n".join(map(text_of, sample.input))


def reply_text(sample: EvalSample) -> str:
    """The reply as a reader wants it: of several replies all, numbered."""
    if "turns" in sample.metadata:
        return _conversation(sample.metadata["turns"])
    replies = sample.metadata.get("replies")
    if not replies:
        return sample.output.completion
    return "\n\n".join(f"[{n}] {reply['text']}" for n, reply in enumerate(replies, 1))


def _conversation(turns: Sequence[Mapping[str, object]]) -> str:
    """What was kept of each turn, in a line with the right answer, where there is one."""
    return "\n".join(
        f"[{number}] {turn['kept']}" + (f" (right: {turn['truth']})" if "truth" in turn else "")
        for number, turn in enumerate(turns, 1)
    )


def _line(error: BaseException) -> str:
    text = json.dumps(str(error), ensure_ascii=False)[1:-1]
    return text[:120] or type(error).__name__
