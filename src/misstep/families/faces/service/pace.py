"""How fast calls may follow each other, for all threads together."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Stopped(Exception):
    """The work was stopped while a call waited for its turn; nothing was asked."""


class Pace:
    """Lets at most `rate` calls a second start; a pause holds up every call that has not begun."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._gap = 1 / rate
        self._clock = clock
        self._free_at = clock()
        self._paused_until = clock()
        self._lock = threading.Lock()
        self._stop = threading.Event()

    def wait(self) -> None:
        """Return when it is this call's turn; Stopped where there won't be one."""
        with self._lock:
            turn = max(self._clock(), self._free_at)
            self._free_at = turn + self._gap
        while not self._stop.is_set():
            left = self._held_until(turn) - self._clock()
            if left <= 0:
                return
            self._stop.wait(left)
        raise Stopped

    def pause(self, seconds: float) -> None:
        """No call begins before so many seconds have passed."""
        with self._lock:
            self._paused_until = max(self._paused_until, self._clock() + seconds)

    def stop(self) -> None:
        self._stop.set()

    def _held_until(self, turn: float) -> float:
        with self._lock:
            return max(turn, self._paused_until)
