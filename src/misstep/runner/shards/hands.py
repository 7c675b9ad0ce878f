"""Processes that wait for an order: they load what they need while the run is still planned.

A worker takes seconds to load the runner, and the run as long to plan: one after the other they are
a good part of a short run. This module itself loads nothing that takes long.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from tempfile import TemporaryFile
from typing import IO

MOST_WORKERS = 256
"""Each takes two of the files that a process may have open, which are often 1,024."""
_COMMAND = (sys.executable, "-m", "misstep.cli.running.working")
"""Starts a worker, given the number of its pipe. A process of its own, not a module below us."""


@dataclass(frozen=True)
class Hand:
    """A process that waits for an order, our end of the pipe to it, and what it prints."""

    process: subprocess.Popen[bytes]
    pipe: Connection
    words: IO[bytes]

    def dismiss(self) -> None:
        """It is killed, if it still runs, and what it held is closed."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.pipe.close()
        self.words.close()

    def last_words(self) -> str:
        self.words.seek(0)
        lines = self.words.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:200] if lines else "it said nothing"


def start() -> Hand:
    ours, theirs = Pipe()
    words = TemporaryFile()  # noqa: SIM115 (closed with the process)
    with theirs:
        process = subprocess.Popen(
            [*_COMMAND, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=words,
            # Ctrl-C is ours to hear: we pass it on, once.
            start_new_session=True,
        )
    return Hand(process, ours, words)


@contextmanager
def waiting(workers: int) -> Iterator[list[Hand]]:
    """Processes for the crew of so many workers, which takes them from the list.

    No more than there are processors: others would only be in the way of the planning. Those that
    nobody has taken are dismissed at the end. None for a run that has no workers.
    """
    hands: list[Hand] = []
    try:
        # What can't be started now is tried again, and told, when it is needed.
        with suppress(OSError):
            for _ in range(min(workers, _cores()) if 1 < workers <= MOST_WORKERS else 0):
                hands.append(start())
        yield hands
    finally:
        for hand in hands:
            hand.dismiss()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
