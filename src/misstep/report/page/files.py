"""The report as a file; its ending says which kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from misstep.analyse.predictions import predicted
from misstep.core.errors import BadInput
from misstep.report.figures.exhibits import named_apart, write_files
from misstep.report.many import predictions
from misstep.report.page.data import ReportData, RunFacts, sections
from misstep.report.page.evidence import exhibits, factor_exhibits
from misstep.report.page.html import page
from misstep.report.page.text import comma_separated, latex, markdown
from misstep.report.published.adding import Which, with_tables

__all__ = [
    "ENDINGS",
    "ReportData",
    "RunFacts",
    "Which",
    "check_ending",
    "write",
    "write_figures",
]

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


def write(out: Path, data: ReportData, paper: Which | None = None) -> None:
    """With `paper`, the papers' tables as well, or in a .csv instead."""
    check_ending(out)
    ending = out.suffix.lower()
    text = _WRITERS[ending](data)
    if paper is not None:
        text = with_tables(text, ending, data, paper)
    # A reply may hold half a surrogate pair, which no file can.
    try:
        out.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise BadInput(f"--out: {out}: {error.strerror or error}") from None


def write_figures(folder: Path, data: ReportData) -> int:
    """Every figure of the page as .svg and .png, its numbers as .csv; how many figures."""
    found = [
        one
        for number, section in enumerate(sections(data), 1)
        for one in (*exhibits(section, number), *factor_exhibits(section, number))
    ]
    compared = [one for one in data.comparisons if one.factor is None]
    found += predictions.exhibits(predicted(compared, data.specs))
    write_files(folder, named_apart(found))
    return len(found)
