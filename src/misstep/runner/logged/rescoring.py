"""Samples of a log read one at a time, and the log written anew with other scores of theirs."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from inspect_ai.log import EvalSampleSummary
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score
from pydantic_core import from_json, to_json

from misstep.core.errors import BadInput
from misstep.runner.logged import joined, logs
from misstep.runner.logged.archive import (
    SUMMARIES,
    Key,
    Row,
    copy_packed,
    member_of,
    sample_rows,
    summary_rows,
    write_summaries,
)


@dataclass(frozen=True)
class Logged:
    """A sample of a log, with what a judgement of it needs; `scores` by name."""

    key: Key
    metadata: Row
    output: ModelOutput
    scores: Row


def read_samples(file: Path) -> Iterator[Logged]:
    """Every sample, one at a time."""
    try:
        for row in sample_rows(file):
            output = ModelOutput.model_validate(row["output"])
            key = (str(row["id"]), int(row["epoch"]))
            yield Logged(key, row["metadata"], output, row.get("scores") or {})
    except logs.DAMAGE as error:
        raise BadInput(f"{file}: damaged log: {error}") from None


def rescored(file: Path, into: Path, name: str, scores: Mapping[Key, Score]) -> None:
    """Write `file`, a closed log, into another; these samples get the score of that name.

    A sample that keeps its own is moved as it is packed. The records kept in a joined log are left
    out: they are of the scores before.
    """
    changed = {member_of(key): score for key, score in scores.items()}
    with into.open("wb") as file_of, zipfile.ZipFile(file) as source:
        with zipfile.ZipFile(file_of, "w", compression=93) as target:
            for member in dict.fromkeys(source.namelist()):
                if member == SUMMARIES:
                    write_summaries(target, _summaries(file, name, scores))
                elif member in changed:
                    row = _with_score(from_json(source.read(member)), name, changed[member])
                    target.writestr(member, to_json(row))
                elif member != joined.MEMBER:
                    copy_packed(source, member, target)
        file_of.flush()
        os.fsync(file_of.fileno())


def _summaries(file: Path, name: str, scores: Mapping[Key, Score]) -> Iterator[bytes]:
    """The runner's own model of a summary cuts what is too long for it."""
    for row in summary_rows(file):
        score = scores.get((str(row["id"]), int(row["epoch"])))
        if score is None:
            yield to_json(row)
        else:
            summary = EvalSampleSummary.model_validate(_with_score(row, name, score))
            yield to_json(summary, exclude_none=True)


def _with_score(row: Row, name: str, score: Score) -> Row:
    plain = score.model_dump(mode="json", exclude_none=True)
    return {**row, "scores": {**row["scores"], name: plain}}
