"""What a person sees while a run is under way: a bar, and each arm's result when it is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from misstep.analyse import summarise
from misstep.core.family import Spec
from misstep.core.records import Record
from misstep.report.terminal import arm_line
from misstep.runner.run import Plan


class RunProgress:
    """Hears records as they come. The bar shows only on a terminal and leaves no trace there."""

    def __init__(self, console: Console, plan: Plan, spec: Spec) -> None:
        asked, samples = plan.manifest, plan.samples
        self._console = console
        self._specs = {spec.name: spec}
        self._of_arm: dict[str, list[Record]] = {}
        self._per_arm = samples // len(asked.arms)
        self._bar = Progress(
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
        self._task = self._bar.add_task(asked.arms[0], total=samples)
        self._title = (
            f"{asked.family} on {asked.model}: {samples} answers to get "
            f"({self._per_arm} in each of {', '.join(asked.arms)}), kept in {plan.folder}"
        )

    def __enter__(self) -> RunProgress:
        self._console.print(self._title, highlight=False, soft_wrap=True, markup=False)
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def hear(self, record: Record) -> None:
        heard = self._of_arm.setdefault(record.arm, [])
        heard.append(record)
        self._bar.update(self._task, advance=1, description=record.arm)
        if len(heard) == self._per_arm:
            (summary,) = summarise(heard, self._specs)
            self._console.print(arm_line(summary), highlight=False, markup=False)


@contextmanager
def fetching(console: Console, name: str) -> Iterator[Callable[[int, int, str], None]]:
    """A bar for a download; its function takes bytes done, bytes in all, and the source."""
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task(name, total=None)

        def progress(done: int, total: int, source: str) -> None:
            bar.update(task, completed=done, total=total, description=f"{name} from {source}")

        yield progress
