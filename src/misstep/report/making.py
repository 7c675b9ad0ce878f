"""What is seen while items are made, if it takes a while: a bar on a terminal, else lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from misstep.core.progress import reporting

PATIENCE = 1.0
"""Seconds that pass before anything is shown."""
EVERY = 60.0
"""Seconds between two lines where there is no terminal: a log should say that work goes on."""


@contextmanager
def making(console: Console, patience: float = PATIENCE) -> Iterator[None]:
    """Shows what is reported within it; the bar goes when the work has ended, without a trace."""
    bar = _Bar(console, patience)
    try:
        with reporting(bar.hear):
            yield
    finally:
        bar.stop()


@contextmanager
def telling(console: Console, every: float = EVERY) -> Iterator[None]:
    """As `making`, where no terminal would draw a bar: a line now and then."""
    last = monotonic()

    def hear(done: int, total: int, what: str) -> None:
        nonlocal last
        if 0 < done < total and monotonic() - last >= every:
            last = monotonic()
            console.print(f"{what}: {done:,} of {total:,}", highlight=False, markup=False)

    with reporting(hear):
        yield


class _Bar(Progress):
    def __init__(self, console: Console, patience: float) -> None:
        self._shown_from = float("inf")
        self._patience = patience
        self._job: TaskID | None = None
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        """Drawn by a thread of its own ten times a second, so that also a first item that takes
        long is seen to be worked on."""
        if monotonic() >= self._shown_from:
            yield from super().get_renderables()

    def hear(self, done: int, total: int, what: str) -> None:
        if self._job is None:
            self._shown_from = monotonic() + self._patience
            self._job = self.add_task(what, total=total)
            self.start()
        self.update(self._job, completed=done, total=total, description=what)
        if done >= total:
            self.stop()
            self.remove_task(self._job)
            self._job = None
