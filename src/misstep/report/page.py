"""The report as a file; its ending says which kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.report.data import ReportData, RunFacts
from misstep.report.html import page
from misstep.report.text import comma_separated, latex, markdown

__all__ = ["ENDINGS", "ReportData", "RunFacts", "check_ending", "write"]

_WRITERS: dict[str, Callable[[ReportData], str]] = {
    ".html": page,
    ".md": markdown,
    ".tex": latex,
    ".csv": comma_separated,
}
ENDINGS = tuple(_WRITERS)


def check_ending(out: Path) -> None:
    """Raises BadInput for an ending that no report has; call it before any work is done."""
    if out.suffix.lower() not in _WRITERS:
        raise BadInput(f"--out: {out.name!r} ends in none of {', '.join(ENDINGS)}")


def write(out: Path, data: ReportData) -> None:
    check_ending(out)
    text = _WRITERS[out.suffix.lower()](data)
    # A reply may hold half a surrogate pair, which no file can.
    try:
        out.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise BadInput(f"--out: {out}: {error.strerror or error}") from None
