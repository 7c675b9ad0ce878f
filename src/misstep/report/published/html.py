"""The papers' tables as a section of the page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby

from misstep.report.page.markup import tag
from misstep.report.published.grids import OWN, PUBLISHED, Grid, Line, Sheet

STYLE = """
table.paper thead th{white-space:normal;vertical-align:bottom}
table.paper tbody th{white-space:normal;min-width:8rem}
table.paper .over{text-align:center}
table.paper tbody .source{text-align:left;color:var(--soft);font-weight:600}
table.paper .own{background:var(--panel)}
"""


def section(sheets: Iterable[Sheet]) -> str:
    said = "What the papers print, in their layout, and the same of your runs."
    body = "".join(map(_sheet, sheets))
    return tag("section", tag("h2", "The papers' tables") + tag("p", said, kind="soft") + body)


def _sheet(sheet: Sheet) -> str:
    title = sheet.table.title
    full = _grid(sheet.full, title) if sheet.full is not None else ""
    return tag("h3", escape(title)) + _grid(sheet.grid, title) + full


def _grid(grid: Grid, title: str) -> str:
    """The heading above says which table it is; who comes to it by keyboard hears it again."""
    label, said = escape(grid.caption), escape(grid.caption.removeprefix(f"{title}: "))
    body = "".join(
        _body(list(lines), grid, is_own=is_own)
        for is_own, lines in groupby(grid.lines, lambda line: line.is_own)
    )
    made = tag("table", tag("caption", said) + tag("thead", _heads(grid)) + body, kind="paper")
    notes = "".join(tag("p", escape(note), kind="soft") for note in grid.notes)
    return f'<div class="table" role="region" tabindex="0" aria-label="{label}">{made}</div>{notes}'


def _heads(grid: Grid) -> str:
    rows = []
    if grid.over:
        over = "".join(
            f'<th class="over" scope="colgroup" colspan="{head.span}">{escape(head.text)}</th>'
            for head in grid.over
        )
        rows.append(tag("tr", f"<td></td>{over}"))
    heads = (f'<th scope="col">{escape(head)}</th>' for head in (grid.corner, *grid.heads))
    return "".join([*rows, tag("tr", "".join(heads))])


def _body(lines: list[Line], grid: Grid, *, is_own: bool) -> str:
    """Rows of one source; a heading says which, where the table holds both."""
    heading = ""
    if grid.is_mixed:
        source = OWN if is_own else PUBLISHED
        span = len(grid.heads) + 1
        heading = f'<th class="source" scope="rowgroup" colspan="{span}">{source}</th>'
        heading = tag("tr", heading)
    return tag("tbody", heading + "".join(_row(line, grid) for line in lines))


def _row(line: Line, grid: Grid) -> str:
    cells = (
        tag("td", escape(cell.text), kind="own" if place in grid.own_columns else "")
        for place, cell in enumerate(line.cells)
    )
    kind = "own" if line.is_own else ""
    name = escape(line.name_and_n if line.is_own and grid.is_mixed else line.name)
    return tag("tr", f'<th scope="row">{name}</th>' + "".join(cells), kind=kind)
