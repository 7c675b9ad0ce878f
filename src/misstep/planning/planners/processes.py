"""Runs planner programs, several at a time: a temporary folder and a guard for each problem.

No thread and no shared file: each job's folder is new, and is removed when its result is read.
Whatever ends this process or the loop (Ctrl-C, an error, kill -9) ends the programs too.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from misstep.planning.planners.answers import Limits

FILE_BYTES = 1 << 30
"""No file of a planner, its printed text included, grows beyond this."""
TAIL_BYTES = 1 << 16
"""So much of the end of what it printed is read."""
RESULT_BYTES = 1 << 24
"""So much of the beginning of a result file is read; no plan is longer."""
GUARD = Path(__file__).with_name("guard.py")


@dataclass(frozen=True, slots=True)
class Call:
    """One program in the job's folder. The next call is made only after an exit code in `go_on`."""

    command: tuple[str, ...]
    stdin: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    go_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """Files to lay out (name, text), the calls, and the name of the file that holds the result."""

    files: tuple[tuple[str, str], ...]
    calls: tuple[Call, ...]
    result: str


@dataclass(frozen=True, slots=True)
class Ended:
    """How one call ended; `exit_code` is negative for a signal, `stopped` is "" (by itself),
    "cpu" (processor time ran out), "wall" (time by the clock did), "missing" (no such program,
    or not executable) or "input" (the call before left no input for it)."""

    exit_code: int
    stopped: str
    cpu_seconds: float
    wall_seconds: float
    peak_kib: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Finished:
    """`ended` has an entry per call that was made, none if the guard itself was killed; `result`
    is None where the result file wasn't written."""

    ended: tuple[Ended, ...]
    result: str | None


@dataclass(frozen=True, slots=True)
class _Running:
    guard: subprocess.Popen[bytes]
    folder: tempfile.TemporaryDirectory[str]

    @property
    def pipe(self) -> int:
        """Ends when the guard has ended: it never writes there."""
        assert self.guard.stdout is not None  # noqa: S101 - it was started with a pipe
        return self.guard.stdout.fileno()


def usable_cores() -> int:
    """The cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_jobs(
    jobs: Sequence[Job],
    limits: Limits,
    workers: int,
    on_done: Callable[[int, Finished], None],
) -> None:
    """Calls `on_done` with a job's place and result as each ends, in this thread."""
    running: dict[int, _Running] = {}
    todo = iter(enumerate(jobs))
    with selectors.DefaultSelector() as selector:

        def begin() -> None:
            if (entry := next(todo, None)) is not None:
                index, job = entry
                running[index] = _start(job, limits)
                selector.register(running[index].pipe, selectors.EVENT_READ, index)

        try:
            for _ in range(max(1, workers)):
                begin()
            while running:
                for key, _ in selector.select():
                    selector.unregister(key.fileobj)
                    index = key.data
                    finished = _collect(running[index], jobs[index])
                    _stop(running.pop(index))
                    on_done(index, finished)
                    begin()
        finally:
            for left in running.values():
                _stop(left)


def _start(job: Job, limits: Limits) -> _Running:
    folder = tempfile.TemporaryDirectory(prefix="planner-")
    for name, text in (*job.files, ("order.json", json.dumps(_order(job, limits)))):
        (Path(folder.name) / name).write_text(text, encoding="utf-8", newline="\n")
    guard = subprocess.Popen(
        [sys.executable, "-I", "-S", str(GUARD)],
        cwd=folder.name,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    return _Running(guard, folder)


def _order(job: Job, limits: Limits) -> dict[str, object]:
    return {
        "cpu_seconds": limits.cpu_seconds,
        "wall_seconds": limits.wall_seconds,
        "memory_bytes": limits.memory_mib << 20,
        "file_bytes": FILE_BYTES,
        "calls": [asdict(call) for call in job.calls],
    }


def _stop(running: _Running) -> None:
    """Cuts the lifeline, so that the guard ends its planner; harmless where both have ended."""
    guard = running.guard
    for stream in (guard.stdin, guard.stdout):
        assert stream is not None  # noqa: S101 - as above
        stream.close()
    guard.wait()
    running.folder.cleanup()


def _collect(running: _Running, job: Job) -> Finished:
    running.guard.wait()
    folder = Path(running.folder.name)
    return Finished(ended=tuple(_ended(folder)), result=_result(folder / job.result))


def _result(path: Path) -> str | None:
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return _text(file.read(RESULT_BYTES))


def _ended(folder: Path) -> Iterator[Ended]:
    report = folder / "report.json"
    if not report.is_file():
        return
    for number, entry in enumerate(json.loads(report.read_bytes())):
        yield Ended(
            **entry, out=_tail(folder / f"out.{number}"), err=_tail(folder / f"err.{number}")
        )


def _tail(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        file.seek(max(0, file.tell() - TAIL_BYTES))
        return _text(file.read())


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")
