"""The logs of several parts in one: every sample as it stands, in the order of the whole run.

Samples are moved as they are, not through the runner's models: a hundred thousand would take those
minutes, and more memory than the run did.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from inspect_ai.log import EvalLog
from pydantic_core import from_json, to_json

from misstep.core.errors import BadInput
from misstep.core.shards import Shard
from misstep.runner.logged import joined, logs
from misstep.runner.logged.archive import (
    Key,
    Row,
    copy_packed,
    member_of,
    summary_rows,
    write_summaries,
)
from misstep.runner.logged.rows import Settings, logged_record, settings_of
from misstep.runner.shards.headers import Whole, header_of, with_arms
from misstep.runner.shards.parts import Part

_REDUCTIONS, _HEADER = "reductions.json", "header.json"
_START = "_journal/start.json"
_OF_ITS_HOUR = ("seconds", "cached_tokens", "cost")
"""What an answer took, which hangs on what else was asked."""


class Spool:
    """Pieces put aside in a file without a name, as those of a hundred thousand samples would take
    half a gigabyte of memory."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._end = 0

    def put(self, piece: bytes) -> tuple[int, int]:
        """Where it is found again."""
        self._file.seek(self._end)
        place = self._end, self._file.write(piece)
        self._end += len(piece)
        return place

    def get(self, place: tuple[int, int]) -> bytes:
        self._file.seek(place[0])
        return self._file.read(place[1])


@dataclass(frozen=True, slots=True)
class Rank:
    """Where a sample stands in the whole run: by repetition, then group, then item and arm."""

    repetition: int
    group: int
    place: int
    arm: int

    @property
    def key(self) -> tuple[int, int, int, int]:
        return self.repetition, self.group, self.place, self.arm


@dataclass(frozen=True, slots=True)
class Chosen:
    """A sample that goes into the joined log; `summary`, its row of the table of contents, and
    `record`, a line, are in the spool.

    `digest` is that of its score without what it took.
    """

    part: Part
    file: Path
    key: Key
    rank: Rank
    arm: str
    value: object
    digest: bytes
    summary: tuple[int, int]
    record: tuple[int, int]


def join(parts: Sequence[Part], folder: Path, *, is_whole: bool) -> Path | None:
    """Write the parts' samples as one log into the folder; None where no part has a closed log.

    The log takes its name only when it is whole and on disk. BadInput where two parts scored one
    sample differently.
    """
    files = [file for part in parts for file in part.logs]
    if not files:
        return None
    headers = [from_json(_read(file, _HEADER)) for file in files]
    # What the first log says of all holds of all: parts may have some of the arms each.
    headers[0] = with_arms(headers[0], parts[0].manifest.arms)
    half = folder / (files[0].name + ".partial")
    with TemporaryFile(dir=folder) as file:
        spool = Spool(file)
        chosen = _chosen(parts, settings_of(EvalLog.model_validate(headers[0])), spool)
        samples = sorted(chosen.values(), key=lambda one: one.rank.key)
        known = [(one.key, one.arm, one.value) for one in samples]
        header = header_of(headers, Whole(known, parts[0].manifest.arms, is_whole))
        _write(half, samples, header, _reductions(files, samples), spool)
    return half.replace(half.with_suffix(""))


def _chosen(parts: Sequence[Part], settings: Settings, spool: Spool) -> dict[Key, Chosen]:
    """Of each sample one: within a part the latest, of several parts the first's."""
    chosen: dict[Key, Chosen] = {}
    for part in parts:
        for one in _of_part(part, settings, spool):
            before = chosen.get(one.key)
            if before is not None and before.part is not part and before.digest != one.digest:
                raise BadInput(
                    f"RUN: {one.key[0]} was answered in {before.part.folder} and otherwise in "
                    f"{part.folder}; name only one of them"
                )
            if before is None or before.part is part:
                chosen[one.key] = one
    return chosen


def _of_part(part: Part, settings: Settings, spool: Spool) -> Iterator[Chosen]:
    shard = part.shard or Shard(1, 1)
    for file in part.logs:
        ids = from_json(_read(file, _HEADER))["eval"]["dataset"]["sample_ids"]
        places = {str(one): place for place, one in enumerate(ids)}
        read = [
            (
                _one(part, file, row, places[str(row["id"])], settings, spool),
                row["metadata"]["group"],
            )
            for row in _rows(file)
            if _score(row)
        ]
        groups: dict[str, int] = {}
        for one, name in sorted(read, key=lambda pair: pair[0].rank.place):
            group = groups.setdefault(name, len(groups)) * shard.of + shard.number - 1
            yield replace(one, rank=replace(one.rank, group=group))


def _score(row: Row) -> Row | None:
    found: Row | None = ((row.get("scores") or {}).get(logs.SCORE) or {}).get("metadata")
    return found or None


def _one(part: Part, file: Path, row: Row, place: int, settings: Settings, spool: Spool) -> Chosen:
    """Its group is known when all are read."""
    score = row["scores"][logs.SCORE]
    arms, arm = part.manifest.arms, str(row["metadata"]["arm"])
    key = (str(row["id"]), int(row["epoch"]))
    judged = {name: value for name, value in score["metadata"].items() if name not in _OF_ITS_HOUR}
    record = logged_record(settings, key[1], row["metadata"], score["metadata"])
    return Chosen(
        part=part,
        file=file,
        key=key,
        rank=Rank(key[1], 0, place, arms.index(arm) if arm in arms else len(arms)),
        arm=arm,
        value=score["value"],
        digest=blake2b(to_json(judged), digest_size=16).digest(),
        summary=spool.put(to_json(row)),
        record=spool.put(joined.line_of(key, record)),
    )


def _rows(file: Path) -> Iterator[Row]:
    try:
        yield from summary_rows(file)
    except logs.DAMAGE as error:
        raise BadInput(f"{file}: damaged log: {error}") from None


def _read(file: Path, member: str) -> bytes:
    try:
        with zipfile.ZipFile(file) as archive:
            return archive.read(member)
    except logs.DAMAGE as error:
        raise BadInput(f"{file}: damaged log: {error}") from None


def _write(
    path: Path,
    samples: Sequence[Chosen],
    header: Mapping[str, Any],  # Any: JSON values
    reductions: bytes | None,
    spool: Spool,
) -> None:
    start = {name: header[name] for name in ("version", "eval", "plan")}
    with path.open("wb") as file:
        with zipfile.ZipFile(file, "w", compression=93) as archive:
            archive.writestr(_START, to_json(start))
            _copy_samples(samples, archive)
            write_summaries(archive, (spool.get(one.summary) for one in samples))
            if reductions is not None:
                archive.writestr(_REDUCTIONS, reductions)
            archive.writestr(_HEADER, to_json(header))
            arms: Sequence[str] = (header["eval"].get("metadata") or {}).get("arms") or ()
            places = {arm: place for place, arm in enumerate(arms)}
            by_arm = sorted(samples, key=lambda one: places.get(one.arm, 0))
            joined.write(archive, (spool.get(one.record) for one in by_arm))
        file.flush()
        os.fsync(file.fileno())


def _copy_samples(samples: Iterable[Chosen], into: zipfile.ZipFile) -> None:
    opened: dict[Path, zipfile.ZipFile] = {}
    try:
        for one in samples:
            if one.file not in opened:
                opened[one.file] = zipfile.ZipFile(one.file)
            copy_packed(opened[one.file], member_of(one.key), into)
    except logs.DAMAGE as error:
        raise BadInput(f"{one.file}: damaged log: {member_of(one.key)}: {error}") from None
    finally:
        for archive in opened.values():
            archive.close()


def _reductions(files: Sequence[Path], samples: Sequence[Chosen]) -> bytes | None:
    """The runner's own table of each sample's mean over the repetitions, put in order."""
    found: dict[str, Any] = {}  # Any: rows as the runner keeps them
    frame: list[Row] = []
    for file in files:
        with zipfile.ZipFile(file) as archive:
            has_table = _REDUCTIONS in archive.namelist()
            tables = from_json(archive.read(_REDUCTIONS)) if has_table else []
        frame = frame or tables
        for row in (row for table in tables for row in table["samples"]):
            found[str(row["sample_id"])] = row
    if not frame:
        return None
    ids = dict.fromkeys(one.key[0] for one in samples)
    return to_json([{**frame[0], "samples": [found[one] for one in ids if one in found]}])
