"""The logs of several parts in one: every sample as it stands, in the order of the whole run.

Samples are moved as they are, not through the runner's models: a hundred thousand would take those
minutes, and more memory than the run did.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pydantic_core import from_json, to_json

from misstep.core.errors import BadInput
from misstep.core.shards import Shard
from misstep.runner import logs
from misstep.runner.archive import Key, Row
from misstep.runner.shards.headers import Whole, header_of
from misstep.runner.shards.parts import Part

_SUMMARIES, _REDUCTIONS, _HEADER = "summaries.json", "reductions.json", "header.json"
_START = "_journal/start.json"
_LOCAL = 30
"""Bytes of a member's own header in a zip file, before its name."""
_SIZES_FOLLOW = 0x08
"""The flag of a member whose size stands behind it."""


@dataclass(frozen=True)
class Rank:
    """Where a sample stands in the whole run: by repetition and arm, then group, then item."""

    repetition: int
    arm: int
    group: int
    place: int

    @property
    def key(self) -> tuple[int, int, int, int]:
        return self.repetition, self.arm, self.group, self.place


@dataclass(frozen=True)
class Chosen:
    """A sample that goes into the joined log; `summary` is its row of the table of contents.

    `digest` is that of its score without the time that it took.
    """

    part: Part
    file: Path
    key: Key
    rank: Rank
    arm: str
    value: object
    digest: bytes
    summary: bytes

    @property
    def member(self) -> str:
        return f"samples/{self.key[0]}_epoch_{self.key[1]}.json"


def join(parts: Sequence[Part], folder: Path, *, is_whole: bool) -> Path | None:
    """Write the parts' samples as one log into the folder; None where no part has a closed log.

    The log takes its name only when it is whole and on disk. BadInput where two parts scored one
    sample differently.
    """
    chosen = _chosen(parts)
    files = [file for part in parts for file in part.logs]
    if not files:
        return None
    samples = sorted(chosen.values(), key=lambda one: one.rank.key)
    headers = [from_json(_read(file, _HEADER)) for file in files]
    known = [(one.key, one.arm, one.value) for one in samples]
    header = header_of(headers, Whole(known, parts[0].manifest.arms, is_whole))
    half = folder / (files[0].name + ".partial")
    _write(half, samples, header, _reductions(files, samples))
    return half.replace(half.with_suffix(""))


def _chosen(parts: Sequence[Part]) -> dict[Key, Chosen]:
    """Of each sample one: within a part the latest, of several parts the first's."""
    chosen: dict[Key, Chosen] = {}
    for part in parts:
        for one in _of_part(part):
            before = chosen.get(one.key)
            if before is not None and before.part is not part and before.digest != one.digest:
                raise BadInput(
                    f"RUN: {one.key[0]} was answered in {before.part.folder} and otherwise in "
                    f"{part.folder}; name only one of them"
                )
            if before is None or before.part is part:
                chosen[one.key] = one
    return chosen


def _of_part(part: Part) -> Iterator[Chosen]:
    for file in part.logs:
        ids = from_json(_read(file, _HEADER))["eval"]["dataset"]["sample_ids"]
        places = {str(one): place for place, one in enumerate(ids)}
        groups: dict[str, int] = {}
        rows: list[Row] = from_json(_read(file, _SUMMARIES))
        for row in sorted(rows, key=lambda row: places[str(row["id"])]):
            score = ((row.get("scores") or {}).get(logs.SCORE) or {}).get("metadata")
            if score:
                group = groups.setdefault(row["metadata"]["group"], len(groups))
                yield _one(part, file, row, group, places[str(row["id"])])


def _one(part: Part, file: Path, row: Row, group: int, place: int) -> Chosen:
    score = row["scores"][logs.SCORE]
    arms, arm = part.manifest.arms, str(row["metadata"]["arm"])
    shard = part.shard or Shard(1, 1)
    rank = Rank(
        repetition=int(row["epoch"]),
        arm=arms.index(arm) if arm in arms else len(arms),
        group=group * shard.of + shard.number - 1,
        place=place,
    )
    judged = {name: value for name, value in score["metadata"].items() if name != "seconds"}
    return Chosen(
        part=part,
        file=file,
        key=(str(row["id"]), int(row["epoch"])),
        rank=rank,
        arm=arm,
        value=score["value"],
        digest=blake2b(to_json(judged), digest_size=16).digest(),
        summary=to_json(row),
    )


def _read(file: Path, member: str) -> bytes:
    try:
        with zipfile.ZipFile(file) as archive:
            return archive.read(member)
    except logs.DAMAGE as error:
        raise BadInput(f"{file}: damaged log: {error}") from None


def _write(
    path: Path, samples: Sequence[Chosen], header: Mapping[str, object], reductions: bytes | None
) -> None:
    start = {name: header[name] for name in ("version", "eval", "plan")}
    with path.open("wb") as file:
        with zipfile.ZipFile(file, "w", compression=93) as archive:
            archive.writestr(_START, to_json(start))
            _copy_samples(samples, archive)
            rows = b",".join(one.summary for one in samples)
            archive.writestr(_SUMMARIES, b"[" + rows + b"]")
            if reductions is not None:
                archive.writestr(_REDUCTIONS, reductions)
            archive.writestr(_HEADER, to_json(header))
        file.flush()
        os.fsync(file.fileno())


def _copy_samples(samples: Iterable[Chosen], into: zipfile.ZipFile) -> None:
    opened: dict[Path, zipfile.ZipFile] = {}
    try:
        for one in samples:
            if one.file not in opened:
                opened[one.file] = zipfile.ZipFile(one.file)
            _copy(opened[one.file], one.member, into)
    except logs.DAMAGE as error:
        raise BadInput(f"{one.file}: damaged log: {one.member}: {error}") from None
    finally:
        for archive in opened.values():
            archive.close()


def _copy(source: zipfile.ZipFile, member: str, into: zipfile.ZipFile) -> None:
    """The member as it is packed: to unpack and pack it again would take four fifths of the time.

    What `zipfile` does when it writes, but for the packing, which it can't leave out.
    """
    assert source.fp is not None  # noqa: S101 (both are open)
    assert into.fp is not None  # noqa: S101
    info = copy(source.getinfo(member))
    source.fp.seek(info.header_offset)
    header = source.fp.read(_LOCAL)
    name, extra = (int.from_bytes(header[at : at + 2], "little") for at in (26, 28))
    source.fp.seek(info.header_offset + _LOCAL + name + extra)
    packed = source.fp.read(info.compress_size)
    if len(packed) < info.compress_size:
        raise EOFError("it is cut short")
    info.header_offset, info.extra = into.start_dir, b""
    info.flag_bits &= ~_SIZES_FOLLOW
    into.fp.seek(into.start_dir)
    into.fp.write(info.FileHeader() + packed)
    into.start_dir = into.fp.tell()
    into.filelist.append(info)
    into.NameToInfo[info.filename] = info


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
