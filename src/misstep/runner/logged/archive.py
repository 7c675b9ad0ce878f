"""A finished log's rows straight from its archive, without a model of the runner for each of them.

Fifty thousand summaries take the runner's own readers a minute, most of it to check every field.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Teaches `zipfile` the compression of the logs, which Python's own knows from 3.14 on.
import inspect_ai.log  # noqa: F401
from pydantic_core import from_json  # half again as quick as Python's own on a hundred megabytes

SUMMARIES = "summaries.json"
_SAMPLES = "samples/"
_LOCAL = 30
"""Bytes of a member's own header in a zip file, before its name."""
_SIZES_FOLLOW = 0x08
"""The flag of a member whose size stands behind it."""
Row = dict[str, Any]  # Any: JSON values, as the runner keeps them
Key = tuple[str, int]
"""A sample's id, and which time it was asked."""


@dataclass(frozen=True)
class Summary:
    """What a log's table of contents says of one sample; `scores` by name, each with its metadata.

    Long metadata are left out of it; whole they are in the sample itself.
    """

    id: str
    epoch: int
    metadata: Row
    scores: Row

    @property
    def key(self) -> Key:
        return self.id, self.epoch


def summaries(file: Path) -> Iterator[Summary] | None:
    """Of every sample, the last where it stands there twice; None where the log isn't closed."""
    if not is_closed(file):
        return None
    return map(_summary, summary_rows(file))


def is_closed(file: Path) -> bool:
    with zipfile.ZipFile(file) as archive:
        return SUMMARIES in archive.namelist()


def _summary(row: Row) -> Summary:
    return Summary(str(row["id"]), int(row["epoch"]), row["metadata"], row.get("scores") or {})


def summary_rows(file: Path) -> Iterator[Row]:
    """Each sample's row of a closed log: one by one out of a log that has them a line each."""
    with zipfile.ZipFile(file) as archive, archive.open(SUMMARIES) as lines:
        first = lines.readline()
        if first == b"[\n":
            for line in lines:
                if line != b"]":
                    yield from_json(line.rstrip(b",\n"))
        else:
            rows: list[Row] = from_json(first + lines.read())
            yield from {(row["id"], row["epoch"]): row for row in rows}.values()


def write_summaries(archive: zipfile.ZipFile, rows: Iterable[bytes]) -> None:
    """A line each, so that they needn't all stand in memory when they are read."""
    with archive.open(SUMMARIES, "w", force_zip64=True) as file:
        file.write(b"[\n")
        for place, row in enumerate(rows):
            file.write((b",\n" if place else b"") + row)
        file.write(b"\n]")


def member_of(key: Key) -> str:
    """Where the sample stands."""
    return f"{_SAMPLES}{key[0]}_epoch_{key[1]}.json"


def sample_rows(file: Path) -> Iterator[Row]:
    """Every sample as it stands, one at a time."""
    with zipfile.ZipFile(file) as archive:
        for name in dict.fromkeys(archive.namelist()):
            if name.startswith(_SAMPLES):
                yield from_json(archive.read(name))


def sample_metadata(file: Path, keys: Iterable[Key]) -> Iterator[Row]:
    """The whole metadata of these samples, one after another. KeyError where one isn't there."""
    with zipfile.ZipFile(file) as archive:
        for sample, epoch in keys:
            row = from_json(archive.read(member_of((sample, epoch))))
            metadata: Row = row["metadata"]
            yield metadata


def copy_packed(source: zipfile.ZipFile, member: str, into: zipfile.ZipFile) -> None:
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
