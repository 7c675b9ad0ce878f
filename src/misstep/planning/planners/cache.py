"""Answers kept on disk, each under the digest of all that decides it.

Written whole or not at all; an entry that can't be read counts as none. A solved problem and a
proof hold whatever the limits were. Running out is kept with its limits and holds only where no
limit asked for is wider; a search out of nodes is kept as it is, since its key names their
number. Time by the clock depends on the machine's load and is never kept, nor are failures of the
planner itself. A folder that can't be written to keeps nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from misstep.planning.model import step_text
from misstep.planning.planners.answers import (
    DECIDED,
    OUT_OF_LIMITS,
    Answer,
    Limits,
    Outcome,
    Statistics,
)

_FORMAT = 1
_ALWAYS = DECIDED | {Outcome.OUT_OF_NODES}


def cache_key(*parts: str) -> str:
    """The digest of the parts in their order."""
    return sha256(json.dumps([_FORMAT, *parts]).encode()).hexdigest()


def cached_answer(folder: Path, key: str, limits: Limits) -> Answer | None:
    """The answer kept under this key, if it holds for these limits."""
    try:
        entry = json.loads(_path(folder, key).read_text(encoding="utf-8"))
        answer, kept_limits = _read(entry)
    except OSError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None  # torn or foreign: found again, and written over
    holds = answer.is_decided or limits.within(kept_limits)
    return replace(answer, is_cached=True) if holds and entry["key"] == key else None


def keep_answer(folder: Path, key: str, limits: Limits, answer: Answer) -> None:
    """Keeps what will hold next time too; makes the folder where it isn't there."""
    by_clock = answer.statistics.wall_seconds >= limits.wall_seconds
    if answer.outcome not in _ALWAYS and (answer.outcome not in OUT_OF_LIMITS or by_clock):
        return
    with contextlib.suppress(OSError):
        _write(_path(folder, key), _entry(key, limits, answer))


def _write(path: Path, entry: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem[:8]}-", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(entry, file)
        Path(name).replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()


def _path(folder: Path, key: str) -> Path:
    return folder / key[:2] / f"{key}.json"


def _entry(key: str, limits: Limits, answer: Answer) -> dict[str, object]:
    steps = None if answer.plan is None else [step_text(step) for step in answer.plan]
    return {**asdict(answer), "plan": steps, "limits": asdict(limits), "key": key}


def _read(entry: dict[str, Any]) -> tuple[Answer, Limits]:  # Any: whatever stands in the file
    limits = Limits(**entry["limits"])
    steps = entry["plan"]
    plan = None if steps is None else tuple(tuple(step[1:-1].split()) for step in steps)
    answer = Answer(
        Outcome(entry["outcome"]),
        str(entry["planner"]),
        plan=plan,
        cost=entry["cost"],
        is_optimal=entry["is_optimal"],
        said=str(entry["said"]),
        exit_code=entry["exit_code"],
        statistics=Statistics(**entry["statistics"]),
    )
    if (plan is None) != (answer.outcome is not Outcome.SOLVED):
        raise ValueError("a plan stands exactly where the problem was solved")
    return answer, limits
