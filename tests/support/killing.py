"""Runs in processes of their own, ended after so many calls; their scripts use provider `slow`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path


def start(
    script: Path, tmp_path: Path, *words: str, env: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """The script with LOG_DIR, COUNT_FILE and the words."""
    places = [str(tmp_path / "logs"), str(tmp_path / "calls")]
    return subprocess.Popen(
        [sys.executable, str(script), *places, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(env or {})},
    )


def calls(tmp_path: Path) -> int:
    path = tmp_path / "calls"
    return len(path.read_text().splitlines()) if path.exists() else 0


def kill_after(tmp_path: Path, process: subprocess.Popen[str], wanted: int) -> None:
    deadline = time.monotonic() + 60
    while calls(tmp_path) < wanted and time.monotonic() < deadline:
        time.sleep(0.002)
    process.kill()
    process.communicate()
