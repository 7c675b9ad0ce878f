"""A study served by a process of its own, which tests may kill: STUDY.toml DATABASE."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from misstep.study.course.file import read_study
from misstep.study.server import serving
from misstep.study.server.serving import LOCAL, Opened, serve
from study_way import ASSETS


def start(study: Path, database: str) -> tuple[subprocess.Popen[str], str]:
    """The process and its address, as soon as it answers."""
    process = subprocess.Popen(
        [sys.executable, __file__, str(study), database],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise AssertionError(process.communicate()[1])
    return process, json.loads(line)["address"]


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _ready(opened: Opened) -> None:
    said = {"address": opened.address, "desk": opened.desk, "notes": opened.notes}
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    setattr(serving, "assets", lambda: ASSETS)  # noqa: B010 (the page isn't needed, nor its build)
    serve(read_study(Path(sys.argv[1])), sys.argv[2], LOCAL, 0, _ready, say=_say)
