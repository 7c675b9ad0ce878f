"""A finished log's rows straight from its archive, without a model of the runner for each of them.

Fifty thousand summaries take the runner's own readers a minute, most of it to check every field.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Teaches `zipfile` the compression of the logs, which Python's own knows from 3.14 on.
import inspect_ai.log  # noqa: F401
from pydantic_core import from_json  # half again as quick as Python's own on a hundred megabytes

_SUMMARIES = "summaries.json"
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


def summaries(file: Path) -> list[Summary] | None:
    """Of every sample, the last where it stands there twice; None where the log isn't closed."""
    with zipfile.ZipFile(file) as archive:
        if _SUMMARIES not in archive.namelist():
            return None
        rows = from_json(archive.read(_SUMMARIES))
    found = (
        Summary(str(row["id"]), int(row["epoch"]), row["metadata"], row.get("scores") or {})
        for row in rows
    )
    return list({one.key: one for one in found}.values())


def sample_metadata(file: Path, keys: Iterable[Key]) -> Iterator[Row]:
    """The whole metadata of these samples, one after another. KeyError where one isn't there."""
    with zipfile.ZipFile(file) as archive:
        for sample, epoch in keys:
            row = from_json(archive.read(f"samples/{sample}_epoch_{epoch}.json"))
            metadata: Row = row["metadata"]
            yield metadata
