"""How many cores are idle. Two threads on one free core run many times slower than one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_SAMPLE_SECONDS = 0.25
_SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
_QUOTA = Path("/sys/fs/cgroup/cpu.max")


@cache
def idle_cores() -> int:
    """Physical cores that nobody uses now, at least one. Judged once in a process."""
    cores = min(_physical(_usable()), _quota())
    return max(1, min(cores, round(_idle_share() * len(_usable()))))


def _usable() -> list[int]:
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def _physical(cpus: Iterable[int]) -> int:
    return len({_siblings(cpu) for cpu in cpus})


def _siblings(cpu: int) -> str:
    path = Path(_SIBLINGS.format(cpu))
    return path.read_text().strip() if path.exists() else str(cpu)


def _quota() -> int:
    """Whole cores that a container may use."""
    if not _QUOTA.exists():
        return os.cpu_count() or 1
    quota, period = _QUOTA.read_text().split()
    return (os.cpu_count() or 1) if quota == "max" else max(1, int(quota) // int(period))


def _idle_share() -> float:
    """Share of all processor time that is idle: over a moment, or by the minute's load."""
    before = _ticks()
    if before is None:
        return _idle_by_load()
    time.sleep(_SAMPLE_SECONDS)
    after = _ticks() or before
    total = sum(after) - sum(before)
    idle = (after[3] + after[4]) - (before[3] + before[4])
    return idle / total if total else 1.0


def _ticks() -> tuple[int, ...] | None:
    """User, nice, system, idle, waiting, interrupts (2), stolen: of all processors together."""
    path = Path("/proc/stat")
    if not path.exists():
        return None
    return tuple(int(field) for field in path.read_text().split("\n", 1)[0].split()[1:9])


def _idle_by_load() -> float:
    if not hasattr(os, "getloadavg"):
        return 1.0
    return max(0.0, 1.0 - os.getloadavg()[0] / (os.cpu_count() or 1))
