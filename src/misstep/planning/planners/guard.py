"""Runs one planner's calls under limits and ends them when the process that asked is gone.

A program of its own (standard library only, started as `python guard.py` in the call's temporary
folder). It reads `order.json`, runs the calls one after another, each in a process group of its
own, and writes `report.json`. Its standard input is a lifeline: nobody writes to it, and its end,
which also comes when the asking process was killed, stops the planner and removes the folder.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import resource
import select
import signal
import subprocess
import sys
import time
from typing import TypedDict

LIFELINE = 0
NO_PROGRAM = (errno.ENOENT, errno.EACCES, errno.ENOTDIR, errno.ENOEXEC)


class Order(TypedDict):
    """What is asked: limits, and the calls in their order."""

    cpu_seconds: int
    wall_seconds: float
    memory_bytes: int
    file_bytes: int
    calls: list[CallOrder]


class CallOrder(TypedDict):
    """One program: `go_on` lists the exit codes after which the next call is made."""

    command: list[str]
    stdin: str | None
    environment: dict[str, str]
    go_on: list[int]


class CallReport(TypedDict):
    """How a call ended. `exit_code` is negative for a signal; `stopped` is "cpu", "wall",
    "missing" (the program), "input" (its input is missing), or "" where it ended by itself."""

    exit_code: int
    stopped: str
    cpu_seconds: float
    wall_seconds: float
    peak_kib: int


def main() -> int:
    with open("order.json", encoding="utf-8") as file:  # noqa: PTH123 - pathlib doubles the start
        order: Order = json.load(file)
    wake = _wake_on_child()
    deadline = time.monotonic() + order["wall_seconds"]
    reports: list[CallReport] = []
    cpu_left = float(order["cpu_seconds"])
    for number, call in enumerate(order["calls"]):
        report = _run(number, call, order, cpu_left, deadline, wake)
        if report is None:
            _remove_folder()
            return 1
        reports.append(report)
        cpu_left -= report["cpu_seconds"]
        if report["stopped"] or report["exit_code"] not in call["go_on"]:
            break
    with open("report.json", "w", encoding="utf-8") as file:  # noqa: PTH123 - as above
        json.dump(reports, file)
    return 0


def _run(
    number: int, call: CallOrder, order: Order, cpu_left: float, deadline: float, wake: int
) -> CallReport | None:
    """None: the asking process is gone."""
    started, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    if call["stdin"] and not os.path.exists(call["stdin"]):  # noqa: PTH110 - as above
        return _report(0, "input", before, started)
    try:
        process = _start(number, call, order, cpu_left)
    except OSError as error:
        if error.errno not in NO_PROGRAM:
            raise
        return _report(127, "missing", before, started)
    ending = _wait(process, deadline, wake)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    exit_code = process.wait()
    if ending == "alone":
        return None
    report = _report(exit_code, ending, before, started)
    if _used_up(report, cpu_left):
        report["stopped"] = "cpu"
    return report


def _used_up(report: CallReport, cpu_left: float) -> bool:
    """The system's first signal at the limit can be ignored, its second can't."""
    killed = report["exit_code"] == -signal.SIGKILL and report["cpu_seconds"] >= cpu_left
    return not report["stopped"] and (killed or report["exit_code"] == -signal.SIGXCPU)


def _start(number: int, call: CallOrder, order: Order, cpu_left: float) -> subprocess.Popen[bytes]:
    cpu = max(1, math.ceil(cpu_left))

    def limit() -> None:
        _limit(resource.RLIMIT_CPU, cpu, cpu + 1)
        _limit(resource.RLIMIT_FSIZE, order["file_bytes"], order["file_bytes"])
        _limit(resource.RLIMIT_CORE, 0, 0)
        if sys.platform != "darwin":  # which refuses a limit of the address space
            _limit(resource.RLIMIT_AS, order["memory_bytes"], order["memory_bytes"])

    with (
        open(call["stdin"] or os.devnull, "rb") as stdin,  # noqa: PTH123 - as above
        open(f"out.{number}", "wb") as out,  # noqa: PTH123 - as above
        open(f"err.{number}", "wb") as err,  # noqa: PTH123 - as above
    ):
        return subprocess.Popen(
            call["command"],
            stdin=stdin,
            stdout=out,
            stderr=err,
            env=call["environment"],
            process_group=0,
            preexec_fn=limit,  # safe: this program has no threads
        )


def _limit(kind: int, soft: int, hard: int) -> None:
    """Limits that already stand are never raised."""
    standing = resource.getrlimit(kind)[1]
    if standing != resource.RLIM_INFINITY:
        soft, hard = min(soft, standing), min(hard, standing)
    resource.setrlimit(kind, (soft, hard))


def _wait(process: subprocess.Popen[bytes], deadline: float, wake: int) -> str:
    """ "" when it ended by itself, "wall" at the deadline, "alone" when the lifeline is cut."""
    while process.poll() is None:
        left = deadline - time.monotonic()
        if left <= 0:
            return "wall"
        ready = select.select([LIFELINE, wake], [], [], left)[0]
        if LIFELINE in ready:
            return "alone"
        if wake in ready:
            os.read(wake, 4096)
    return ""


def _wake_on_child() -> int:
    """A file descriptor that can be read as soon as a child has ended."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    return reading


def _report(
    exit_code: int, stopped: str, before: resource.struct_rusage, started: float
) -> CallReport:
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = after.ru_maxrss // 1024 if sys.platform == "darwin" else after.ru_maxrss
    return CallReport(
        exit_code=exit_code,
        stopped=stopped,
        cpu_seconds=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        wall_seconds=time.monotonic() - started,
        peak_kib=peak,
    )


def _remove_folder() -> None:
    """Nobody else is left to do it. Planners write no folders of their own."""
    folder = os.getcwd()  # noqa: PTH109 - as above
    for name in os.listdir(folder):  # noqa: PTH208 - as above
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108 - as above
    with contextlib.suppress(OSError):
        os.rmdir(folder)  # noqa: PTH106 - as above


if __name__ == "__main__":
    sys.exit(main())
