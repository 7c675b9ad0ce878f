"""What was measured before, a line of JSON a kept run, in git; and what has grown slower since."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from figures import Figure

KEPT = Path(__file__).parent / "history.jsonl"
SCHEMA = 1
LEAST, LEAST_ELSEWHERE = 0.7, 0.5
"""The share of an earlier ratio that must be left; of one that another kind of machine kept, as
hashes, caches and interpreters weigh differently there."""


@dataclass(frozen=True)
class Kept:
    """A ratio as it was kept last, and the share of it that must be left."""

    ratio: float
    least: float = LEAST


@dataclass(frozen=True)
class Slower:
    """A figure whose ratio fell too far below that of the last kept run."""

    figure: Figure
    before: float

    @property
    def line(self) -> str:
        lost = 100 * (1 - self.figure.share_kept(self.before))
        now = f"{self.figure.ratio:.3g}"
        return f"{self.figure.what}: ratio {now}, was {self.before:.3g} (−{lost:.0f} %)"


def entry(form: str, figures: Sequence[Figure]) -> dict[str, object]:
    """The run as JSON; times are there to be read, only ratios are ever compared."""
    return {
        "schema": SCHEMA,
        "form": form,
        "commit": _commit(),
        "machine": machine(),
        "figures": [
            {
                "what": one.what,
                "measured": one.measured,
                "peer": one.peer,
                "ratio": None if one.ratio is None else float(f"{one.ratio:.4g}"),
                "better": one.better.value,
                "compared": one.is_compared,
            }
            for one in figures
        ],
    }


def machine() -> str:
    """The kind of machine: processor, cores, Python."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text(encoding="utf-8").splitlines() if known.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.machine()
    python = ".".join(platform.python_version_tuple()[:2])
    return f"{name}, {os.cpu_count()} cores, Python {python}"


def last_ratios(path: Path, form: str) -> dict[str, Kept]:
    """For each figure the ratio that was kept last in this form, by a machine of this kind if any
    did; empty where none was."""
    found: dict[str, Kept] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            run = json.loads(line)
            if run["schema"] == SCHEMA and run["form"] == form:
                is_here = run["machine"] == machine()
                for one in run["figures"]:
                    before = found.get(one["what"])
                    if one["compared"] and (is_here or before is None or before.least < LEAST):
                        least = LEAST if is_here else LEAST_ELSEWHERE
                        found[one["what"]] = Kept(one["ratio"], least)
    return found


def keep(path: Path, run: Mapping[str, object]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(run, ensure_ascii=False) + "\n")


def slower(figures: Sequence[Figure], before: Mapping[str, Kept]) -> list[Slower]:
    """Those that lost too much. What had no peer then or has none now is left out."""
    pairs = [(one, before[one.what]) for one in figures if one.is_compared and one.what in before]
    return [
        Slower(one, kept.ratio) for one, kept in pairs if one.share_kept(kept.ratio) < kept.least
    ]


def _commit() -> str:
    done = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or "unknown"
