"""The commands that a family's README shows do what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from misstep import registry

ROOMS = Path(registry.__file__).parent / "families"


@pytest.mark.parametrize("name", registry.ROOMS)
def test_what_a_readme_says_to_try_works(name: str, tmp_path: Path) -> None:
    text = (ROOMS / name / "README.md").read_text(encoding="utf-8")
    found = re.search(r"## Try it\n\n```\n(.*?)```", text, re.DOTALL)
    assert found is not None, "the README shows nothing to try"
    lines = found[1].splitlines()
    assert {line.split()[1] for line in lines} >= {"list", "show", "items", "run"}
    for line in lines:
        assert line.startswith(f"misstep {line.split()[1]} ")
        done = subprocess.run(
            [sys.executable, "-m", *line.split()],
            cwd=tmp_path,
            env={**os.environ, "MISSTEP_CACHE": str(tmp_path / "cache")},
            check=False,
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (0, ""), line
        assert done.stdout, line
    assert (tmp_path / "items.jsonl").stat().st_size > 1_000
