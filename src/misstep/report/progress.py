"""What a person sees while a run is under way: a bar, and each arm's result when it is complete."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
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
from misstep.analyse.labels.disagreements import has_unlabelled
from misstep.analyse.labels.labelled import arm_use
from misstep.core.family import Spec
from misstep.core.faults import tell
from misstep.core.looks import Look
from misstep.core.records import Record
from misstep.report.own import labelled
from misstep.report.terminal import arm_line
from misstep.runner.run import Plan, Run

_WIDE = 40


class RunProgress:
    """Hears records as they come. The bar shows only on a terminal and leaves no trace there."""

    def __init__(
        self, console: Console, plan: Plan, spec: Spec, shared: Progress | None = None
    ) -> None:
        """`shared` is a bar of several runs, which somebody else starts and stops."""
        asked, samples = plan.manifest, plan.samples
        self._console = console
        self._specs = {spec.name: spec}
        self._of_arm: dict[str, list[Record]] = {}
        self._per_arm = samples // len(asked.arms)
        self._up_to = "up to " if asked.is_sequential else ""
        self._is_shared = shared is not None
        self._bar = shared or _bar(console)
        self._named = f"{asked.family} {asked.model} "[:_WIDE] if self._is_shared else ""
        self._task = self._bar.add_task(f"{self._named}{asked.arms[0]}", total=samples)
        self._title = _wrapped(
            f"{asked.family} on {asked.model}: {self._up_to}{samples} answers to get "
            f"({self._per_arm} in each of {', '.join(asked.arms)}), kept in {plan.folder}",
            console.width,
        )

    def __enter__(self) -> RunProgress:
        self._console.print(self._title, highlight=False, soft_wrap=True, markup=False)
        if not self._is_shared:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._is_shared:
            self._bar.stop()

    def hear(self, record: Record) -> None:
        heard = self._of_arm.setdefault(record.arm, [])
        heard.append(record)
        description = None if record.look else f"{self._named}{record.arm}"
        self._bar.update(self._task, advance=1, description=description)
        if len(heard) == self._per_arm:
            line = f"{self._named}{self._result(heard)}"
            self._console.print(line, highlight=False, markup=False)

    def _result(self, heard: list[Record]) -> str:
        if has_unlabelled(heard):
            return labelled.arm_line(arm_use(heard))
        (summary,) = summarise(heard, self._specs)
        return arm_line(summary)

    def look(self, look: Look) -> None:
        """What the evidence says so far, beside the bar."""
        self._bar.update(self._task, description=f"look {look.looks}: {look.evidence}"[:_WIDE])

    def wait(self, line: str) -> None:
        """What is waited for: a line of its own, also where no bar is shown."""
        self._say(line)

    def end(self, run: Run) -> None:
        """What went wrong meanwhile, and where a run that could stop early came to its end."""
        told = tell(run.manifest.faults)
        if told is not None:
            self._say(f"calls: {told}")
        if run.look is None:
            return
        planned = max(record.look_of or 0 for record in run.records)
        word = "decided" if run.look.is_decided else "undecided"
        asked = "" if run.manifest.asked else "; nothing was left to ask"
        self._say(f"{word} after {run.look.looks} of {planned} groups{asked}: {run.look.evidence}")

    def _say(self, line: str) -> None:
        self._console.print(_wrapped(line, self._console.width), highlight=False, markup=False)


def _bar(console: Console) -> Progress:
    return Progress(
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


@contextmanager
def together(
    console: Console, asked: Sequence[tuple[Plan, Spec]]
) -> Iterator[tuple[list[RunProgress], Callable[[str], None]]]:
    """Several runs that are under way at once: a bar with a row for each, and what says a line."""
    with ExitStack() as stack:
        bar = _bar(console)
        shown = [RunProgress(console, plan, spec, bar) for plan, spec in asked]
        for one in shown:
            stack.enter_context(one)
        stack.enter_context(bar)
        yield shown, lambda line: console.print(line, highlight=False, soft_wrap=True, markup=False)


def _wrapped(text: str, width: int) -> str:
    """In lines of that width at most, but for a word (a path, say) that is longer by itself."""
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


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
