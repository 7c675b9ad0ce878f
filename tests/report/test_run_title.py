"""What a run says first, on a terminal of 80 columns."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from misstep.families.planbench import FAMILY
from misstep.report.progress import RunProgress
from misstep.runner.run import Request, plan


def first_lines(log_dir: Path) -> list[str]:
    asked = Request(
        FAMILY,
        "ref/planner",
        limit=3,
        options={"cache": "none"},
        arms=("direct", "cot", "explain"),
        log_dir=log_dir,
    )
    out = io.StringIO()
    with RunProgress(Console(file=out, width=80), plan(asked), FAMILY.spec):
        pass
    return out.getvalue().splitlines()


def test_it_is_wrapped_and_a_path_longer_than_a_line_stays_whole(tmp_path: Path) -> None:
    assert max(map(len, first_lines(Path("logs")))) <= 80
    assert "9 answers to get (3 in each of direct, cot, explain)" in " ".join(
        first_lines(Path("logs"))
    )
    long = tmp_path / ("folder" * 20)
    lines = first_lines(long)
    assert any(str(long) in line for line in lines)
    assert all(len(line) <= 80 or str(long) in line for line in lines)
