"""Work that may be spread over machines: a room with much of it asks how, and knows of none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

A = TypeVar("A")
B = TypeVar("B")


class Spread(Protocol):
    """Does something with each of these on some machine, and gives what comes of them in order.

    `do` must hang on its argument alone, as it may be done again where a machine is lost. It and
    all that it takes and gives travel; nothing that it writes on its machine does. Some are begun
    ahead; what was begun and isn't taken is thrown away.
    """

    def __call__(self, do: Callable[[A], B], wanted: Iterable[A]) -> Iterator[B]: ...


_spread: ContextVar[Spread | None] = ContextVar("misstep_spread", default=None)


@contextmanager
def spreading(spread: Spread) -> Iterator[None]:
    """Within it, rooms spread their work so."""
    token = _spread.set(spread)
    try:
        yield
    finally:
        _spread.reset(token)


def spread() -> Spread | None:
    """None: all is done on this machine."""
    return _spread.get()
