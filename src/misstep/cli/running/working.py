"""A worker of `misstep run --workers`: `python -m misstep.cli.running.working PIPE`.

It ends when the run does, even where that was killed.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from itertools import chain
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from misstep.core.records import Record
    from misstep.runner.run import Plan
    from misstep.runner.shards.orders import Ended, Order

_TOGETHER = 0.1
"""Seconds for which records are gathered, as sending each by itself costs more than scoring it."""
_LOADED_AHEAD = ("misstep.registry", "misstep.runner.shards.orders")
"""What takes long to load, while the run is still planned."""
_GRACE = 10
"""Seconds in which a worker that has lost its run may close its log."""


class _Mouth:
    """Says records to the run, some at a time."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._records: list[Record] = []
        self._said = time.monotonic()

    def say(self, record: Record) -> None:
        self._records.append(record)
        if time.monotonic() - self._said > _TOGETHER:
            self.flush()

    def wait(self, line: str) -> None:
        """What is waited for."""
        with suppress(BrokenPipeError):
            self._pipe.send(line)

    def flush(self) -> None:
        with suppress(BrokenPipeError):
            self._pipe.send(self._records)
        self._records = []
        self._said = time.monotonic()


def main() -> None:
    # A run that was started in the background of a script hands down that it is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    pipe = Connection(int(sys.argv[1]))
    with _interruptible(), pipe:
        for module in _LOADED_AHEAD:
            import_module(module)
        try:
            order: Order = pipe.recv()
        except EOFError:
            return  # there was nothing to do
        ended = _carried_out(order, pipe)
        # The run may be gone.
        with suppress(BrokenPipeError):
            pipe.send(ended)


@contextmanager
def _interruptible() -> Iterator[None]:
    """An interruption that comes while nothing is asked ends the worker without a word."""
    try:
        yield
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)


def _watch(pipe: Connection) -> None:
    """The run says nothing more; what can be read from now on is that it is gone."""
    pipe.poll(None)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(_GRACE)
    os._exit(1)


def _carried_out(order: Order, pipe: Connection) -> Ended:
    from misstep.runner.calls.patience import telling
    from misstep.runner.failures import BudgetReached, Incomplete
    from misstep.runner.run import Stopped, ask
    from misstep.runner.shards.orders import End, Ended

    mouth = _Mouth(pipe)
    try:
        with telling(mouth.wait):
            ask(_planned(order, pipe), mouth.say)
        return Ended(End.FINISHED)
    except (Stopped, KeyboardInterrupt):
        return Ended(End.STOPPED)
    except Incomplete as incomplete:
        return Ended(End.LEFT, incomplete.because)
    except BudgetReached:
        return Ended(End.SPENT)
    except BadInput as error:
        return Ended(End.REFUSED, str(error))
    except MisstepError as error:
        return Ended(End.FAILED, str(error))
    finally:
        mouth.flush()


def _planned(order: Order, pipe: Connection) -> Plan:
    from misstep.registry import family
    from misstep.runner.shards.orders import plan_of

    sys.path[:] = order.path
    for module in order.modules:
        import_module(module)
    room = family(order.family)
    samples = list(chain.from_iterable(iter(pipe.recv, [])))
    threading.Thread(target=_watch, args=(pipe,), daemon=True).start()
    return plan_of(order, room, samples)


if __name__ == "__main__":
    main()
