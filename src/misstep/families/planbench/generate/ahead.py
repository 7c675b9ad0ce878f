"""Drafts in the order of their numbers, some made ahead while planners work as processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import TypeVar

T = TypeVar("T")


def in_order(make: Callable[[int], T], workers: int) -> Iterator[tuple[int, T]]:
    """`make(0)`, `make(1)` and so on with their numbers, without end; `make` must depend on its
    number alone. What was made ahead and isn't wanted is finished and thrown away."""
    if workers == 1:
        yield from ((number, make(number)) for number in count())
    pool = ThreadPoolExecutor(workers)
    try:
        waiting = deque(pool.submit(make, number) for number in range(workers))
        for number in count():
            made = waiting.popleft().result()
            waiting.append(pool.submit(make, number + workers))
            yield number, made
    finally:
        pool.shutdown(cancel_futures=True)
