"""The command line with the provider `steady`, at work in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

COMMAND = [sys.executable, str(Path(__file__).with_name("steady_cli.py"))]


@contextmanager
def at_work(folder: Path, *words: str, env: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Logs and list of calls are in the folder; Ctrl-C's signal is as a shell leaves it."""
    process = subprocess.Popen(
        [*COMMAND, *words, "--log-dir", str(folder / "logs")],
        env={**os.environ, "COLUMNS": "80", "STEADY_CALLS": str(folder / "calls"), **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
