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
LEAST = 0.7
"""The share of an earlier ratio that must be left."""


@dataclass(frozen=True)
class Slower:
    """A figure whose ratio fell below `LEAST` of that of the last kept run."""

    figure: Figure
    before: float

    @property
    def line(self) -> str:
        lost = 100 * (1 - self.figure.share_kept(self.before))
        now = f"{self.figure.ratio:.3g}"
        return f"{self.figure.what}: ratio {now}, was {self.before:.3g} (−{lost:.0f} %)"


def entry(form: str, figures: Sequence[Figure]) -> dict[str, object]:
    """The run as JSON; times are there to be read, only ratios are ever compared."""
    python = platform.python_version()
    return {
        "schema": SCHEMA,
        "form": form,
        "commit": _commit(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {python}",
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


def last_ratios(path: Path, form: str) -> dict[str, float]:
    """For each figure the ratio that was kept last in this form; empty where none was."""
    found: dict[str, float] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            run = json.loads(line)
            if run["schema"] == SCHEMA and run["form"] == form:
                found |= {one["what"]: one["ratio"] for one in run["figures"] if one["compared"]}
    return found


def keep(path: Path, run: Mapping[str, object]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(run, ensure_ascii=False) + "\n")


def slower(figures: Sequence[Figure], before: Mapping[str, float]) -> list[Slower]:
    """Those that lost too much. What had no peer then or has none now is left out."""
    return [
        Slower(one, before[one.what])
        for one in figures
        if one.is_compared and one.what in before and one.share_kept(before[one.what]) < LEAST
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
