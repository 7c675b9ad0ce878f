"""Problems drawn by several processes at once, or on several machines, handed over in order."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from misstep.core import spreading
from misstep.core.errors import MisstepError
from misstep.families.faces import sets
from misstep.families.faces.attributes import Attributes
from misstep.families.faces.plan import plan
from misstep.families.faces.sets import Problem

Wanted = tuple[int, int]
"""A problem's number, and its take."""


@dataclass(frozen=True)
class Work:
    """What all problems of a set are drawn with."""

    seed: int
    combinations: tuple[Attributes, ...]
    drawn_with: str
    size: int
    folder: Path


def cores() -> int:
    """Of this machine, as many as this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


Draw = Callable[[Work, int, int], Problem]
"""Draws the problem of a number and take into the work's folder."""


def drawn(
    work: Work, wanted: Iterator[Wanted], processes: int, draw: Draw | None = None
) -> Iterator[Problem]:
    """The wanted problems in order, each added to the set's index as it is handed over.

    Nothing starts before the first is asked for; as many are begun ahead as there are processes.
    When the iterator is closed, what is still being drawn is given up.
    """
    spread = spreading.spread()
    if spread is not None:
        yield from _spread(work, wanted, draw or _draw, spread)
        return
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_begin)
    pending: deque[Future[Problem]] = deque()
    try:
        for one in islice(wanted, processes):
            pending.append(pool.submit(draw or _draw, work, *one))
        while pending:
            problem = _result(pending.popleft())
            sets.add(work.folder, problem)
            for one in islice(wanted, 1):
                pending.append(pool.submit(draw or _draw, work, *one))
            yield problem
    except BrokenProcessPool:
        raise MisstepError(
            f"{work.folder}: a drawing process was ended from outside; run again to go on"
        ) from None
    finally:
        _stop(pool)


@dataclass(frozen=True)
class _Drawn:
    """A problem with its pictures, by the names of their files."""

    problem: Problem
    files: Mapping[str, bytes]


def _spread(
    work: Work, wanted: Iterator[Wanted], draw: Draw, spread: spreading.Spread
) -> Iterator[Problem]:
    """As `drawn`, on whatever machines; the set is written here alone."""
    for made in spread(partial(_drawn_away, draw, work), wanted):
        for name, content in made.files.items():
            sets.keep(work.folder, name, content)
        sets.add(work.folder, made.problem)
        yield made.problem


def _drawn_away(draw: Draw, work: Work, one: Wanted) -> _Drawn:
    with TemporaryDirectory(prefix="misstep-") as place:
        problem = draw(replace(work, folder=Path(place)), *one)
        names = (shot.file for shot in problem.shots)
        return _Drawn(problem, {name: (Path(place) / name).read_bytes() for name in names})


def _result(future: Future[Problem]) -> Problem:
    # Looked at now and then: a Ctrl-C that another thread receives would not wake this one.
    while not wait([future], timeout=0.2).done:
        pass
    return future.result()


def _draw(work: Work, number: int, take: int) -> Problem:
    from misstep.families.faces.drawing import draw

    made = plan(work.seed, number, take, work.combinations)
    return draw(made, work.drawn_with, work.size, work.folder)


def _begin() -> None:
    """In each process: Ctrl-C is the parent's to handle, and without a parent it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the processes at once: a problem half drawn is drawn again, the same."""
    # No public way to end them before Python 3.14.
    running = list((pool._processes or {}).values())  # noqa: SLF001
    pool.shutdown(wait=False, cancel_futures=True)
    for process in running:
        process.terminate()
    for process in running:
        process.join()
