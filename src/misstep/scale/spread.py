"""Items made on many machines: `misstep items faces --on ray`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import Any, TypeVar

import ray
from ray.exceptions import RayError, RayTaskError

from misstep.core.errors import MisstepError
from misstep.core.spreading import Spread
from misstep.scale.cluster import Machines, joined

A = TypeVar("A")
B = TypeVar("B")
RETRIES = 5
"""Times that Ray does one piece again whose node was lost."""
_AHEAD = 2
"""Pieces begun for each one that is under way, so that no core waits for the next."""


@contextmanager
def over(on: str, tell: Callable[[str], None]) -> Iterator[Spread]:
    """Spreads work over the cluster, which is joined, or started, when there is some."""
    with ExitStack() as stack:
        known: list[Machines] = []

        def spread(do: Callable[[A], B], wanted: Iterable[A]) -> Iterator[B]:
            if not known:
                known.append(stack.enter_context(joined(on)))
                tell(f"made on {len(known[0].cpus)} nodes with {sum(known[0].cpus):g} CPUs")
            return _in_order(do, wanted, known[0])

        yield spread


def _in_order(do: Callable[[A], B], wanted: Iterable[A], machines: Machines) -> Iterator[B]:
    task: Any = ray.remote(_done).options(
        num_cpus=1, max_retries=RETRIES, scheduling_strategy="SPREAD"
    )
    begun = ray.put(do)
    left = iter(wanted)
    ahead = _AHEAD * max(1, machines.at_once(1, 0))
    pending: deque[Any] = deque(
        task.remote(begun, one) for one in islice(left, ahead)
    )  # Any: Ray's references
    try:
        while pending:
            yield _result(pending.popleft())
            pending.extend(task.remote(begun, one) for one in islice(left, 1))
    finally:
        for reference in pending:
            ray.cancel(reference, force=True)


def _done(do: Callable[[A], B], one: A) -> B | MisstepError:
    """What can't be made is said at home, in its own words."""
    try:
        return do(one)
    except MisstepError as error:
        return error


def _result(reference: Any) -> Any:  # Any: whatever comes of the work
    try:
        found = ray.get(reference)
    except RayTaskError as error:
        cause = str(error.cause).strip().splitlines()
        raise MisstepError(
            f"--on: on a node: {type(error.cause).__name__}: {cause[0] if cause else ''}"[:300]
        ) from None
    except RayError as error:
        first = str(error).strip().splitlines()
        raise MisstepError(
            f"--on: {type(error).__name__}: {first[0] if first else ''}; the same command goes on"
        ) from None
    if isinstance(found, MisstepError):
        raise found
    return found
