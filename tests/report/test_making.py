"""What is seen while items are made: a bar on a terminal after a while, else a line at times."""

from __future__ import annotations

import io
import time

from rich.console import Console

from misstep.core.progress import report
from misstep.report.making import making, telling


def shown(*, is_terminal: bool, patience: float) -> str:
    out = io.StringIO()
    screen = Console(file=out, force_terminal=is_terminal, width=100, _environ={})
    with making(screen, patience):
        report(0, 4, "making items")
        report(3, 4, "making items")
        time.sleep(0.3)
        report(4, 4, "making items")
    return out.getvalue()


def test_work_that_takes_long_has_a_bar_on_a_terminal() -> None:
    text = shown(is_terminal=True, patience=0.0)
    assert "making items" in text
    assert "3/4" in text


def test_quick_work_shows_nothing() -> None:
    assert "making items" not in shown(is_terminal=True, patience=60.0)


def test_a_pipe_gets_nothing() -> None:
    assert shown(is_terminal=False, patience=0.0) == ""


def told(every: float) -> str:
    """Where there is no terminal, of four items."""
    screen = Console(file=io.StringIO(), force_terminal=False, width=80)
    with telling(screen, every):
        for done in range(5):
            report(done, 4, "making items")
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def test_without_a_terminal_a_line_is_said_now_and_then() -> None:
    assert told(0.0).splitlines() == [f"making items: {done} of 4" for done in (1, 2, 3)]
    assert told(60.0) == ""
