"""How far long work has come: who works reports it, who shows it listens; neither knows whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[int, int, str], None]
"""Takes how much is done, of how much, and what is being done. It is called in the thread that
reports; where the two numbers are equal, that work has ended."""

_listener: ContextVar[Listener | None] = ContextVar("progress", default=None)


@contextmanager
def reporting(listener: Listener) -> Iterator[None]:
    """Within it the listener hears every report of this thread."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def report(done: int, total: int, what: str) -> None:
    """Costs next to nothing where nobody listens."""
    listener = _listener.get()
    if listener is not None:
        listener(done, total, what)
