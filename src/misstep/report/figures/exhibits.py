"""A figure with its heading, caption and numbers: on the page, or as files of its own."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from urllib.parse import quote

from misstep.core.errors import BadInput
from misstep.report import wording
from misstep.report.figures.drawing import Drawing, inline, png, standalone
from misstep.report.page.markup import table, tag

MOST_ROWS = 300
"""Rows of a table of numbers on the page; the files hold them all."""

Cell = str | int | float | None


@dataclass(frozen=True)
class Exhibit:
    """`name` is that of its files.

    `caption` is text, `key` and `below` are markup. A cell of None is a number that is not known.
    """

    name: str
    heading: str
    drawing: Drawing
    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    key: str = ""


def markup(one: Exhibit, level: int = 3) -> str:
    """The figure, what it says, and its numbers, folded."""
    caption = " ".join(part for part in (one.key, escape(one.caption)) if part)
    return tag(
        "figure",
        tag(f"h{level}", escape(one.heading))
        + inline(one.drawing)
        + tag("figcaption", caption)
        + _numbers(one),
    )


def comma_separated(heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Unrounded; what is not known is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return out.getvalue()


def named_apart(exhibits: Sequence[Exhibit]) -> list[Exhibit]:
    """With a number behind a name that stands there already: "1-toy-m-by-size-cot-2"."""
    times: Counter[str] = Counter()
    found = []
    for one in exhibits:
        times[one.name] += 1
        again = f"-{times[one.name]}" if times[one.name] > 1 else ""
        found.append(replace(one, name=f"{one.name}{again}"))
    return found


def write_files(folder: Path, exhibits: Sequence[Exhibit]) -> None:
    """Of each an .svg, a .png and a .csv; files of these names are replaced."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for one in exhibits:
            text = comma_separated(one.heads, one.rows)
            _write(folder / f"{one.name}.svg", standalone(one.drawing))
            _write(folder / f"{one.name}.csv", text)
            (folder / f"{one.name}.png").write_bytes(png(one.drawing))
    except OSError as error:
        raise BadInput(f"--figures: {folder}: {error.strerror or error}") from None


def _write(file: Path, text: str) -> None:
    # A name may hold half a surrogate pair, which no file can.
    file.write_text(text, encoding="utf-8", errors="replace", newline="\n")


def _numbers(one: Exhibit) -> str:
    shown = one.rows[:MOST_ROWS]
    caption = f"The numbers of the figure: {one.heading}"
    if len(shown) < len(one.rows):
        caption += f" (the first {len(shown):,} of {len(one.rows):,} rows; --figures writes all)"
    rows = [tuple(map(_said, row)) for row in shown]
    href = "data:text/csv;charset=utf-8," + quote(
        comma_separated(one.heads, shown), safe=",-.", errors="replace"
    )
    save = f'<a class="save" download="{one.name}.csv" href="{href}">Save as CSV</a>'
    inner = tag("div", table(caption, one.heads, rows) + tag("p", save))
    return tag("details", tag("summary", "Numbers") + inner, kind="quiet")


def _said(cell: Cell) -> str:
    if cell is None:
        return wording.NONE
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
