"""The papers' tables as Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from misstep.report.published.grids import NONE, OWN, PUBLISHED, Grid, Line, Sheet

COLUMNS = ("paper", "table", "source", "row", "column", "n", "text", "value")
_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "→": r"$\rightarrow$",
    "–": "--",
    "§": r"\S{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{sign: "\\" + sign for sign in "&%$#_{}"},
}


def markdown(sheets: Iterable[Sheet]) -> str:
    parts = ["## The papers' tables"]
    for sheet in sheets:
        parts.append(f"### {_md(sheet.grid.caption)}")
        parts += _md_grid(sheet.grid)
        if sheet.full is not None:
            parts.append(f"{_md(sheet.full.caption)}:")
            parts += _md_grid(sheet.full)
    return "\n\n".join(parts) + "\n"


def _md_grid(grid: Grid) -> list[str]:
    heads = [grid.corner, *_flat_heads(grid)]
    lines = [" | ".join(map(_md, heads)), " | ".join(["---"] + ["---:"] * (len(heads) - 1))]
    for line in grid.lines:
        cells = [_md(cell.text) for cell in line.cells]
        lines.append(" | ".join([_md_name(line, grid), *cells]))
    rows = "\n".join(f"| {line} |" for line in lines)
    return [rows, *map(_md, grid.notes)]


def _md_name(line: Line, grid: Grid) -> str:
    """The user's rows stand out by weight where a table holds printed ones too."""
    return f"**{_md(line.name_and_n)}**" if line.is_own and grid.is_mixed else _md(line.name)


def _flat_heads(grid: Grid) -> list[str]:
    over = [head.text for head in grid.over for _ in range(head.span)]
    if not over:
        return list(grid.heads)
    return [
        f"{above}: {head}" if above else head for above, head in zip(over, grid.heads, strict=True)
    ]


def _md(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|#~$])", r"\\\1", " ".join(text.split()))


def latex(sheets: Iterable[Sheet]) -> str:
    """A table environment (booktabs) for each grid, to be input by a paper."""
    grids = [grid for sheet in sheets for grid in (sheet.grid, sheet.full) if grid is not None]
    return "% needs \\usepackage{booktabs}\n" + "\n".join(map(_tex_grid, grids))


def _tex_grid(grid: Grid) -> str:
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{_tex(_said(grid))}}}"]
    lines += [rf"\begin{{tabular}}{{l{'r' * len(grid.heads)}}}", r"\toprule"]
    if grid.over:
        lines.append(_tex_over(grid))
    lines += [_tex_row((grid.corner, *grid.heads)), r"\midrule"]
    for before, line in zip((None, *grid.lines), grid.lines, strict=False):
        if before is not None and line.is_own and not before.is_own:
            lines.append(r"\midrule")
        name = line.name_and_n if line.is_own and grid.is_mixed else line.name
        lines.append(_tex_row((name, *(cell.text for cell in line.cells))))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"]) + "\n"


def _tex_over(grid: Grid) -> str:
    heads = (rf"\multicolumn{{{head.span}}}{{c}}{{{_tex(head.text)}}}" for head in grid.over)
    return " & ".join(("", *heads)) + r" \\"


def _said(grid: Grid) -> str:
    return " ".join((f"{grid.caption}.", *grid.notes))


def _tex_row(cells: Sequence[str]) -> str:
    return " & ".join(map(_tex, cells)) + r" \\"


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in text)


def comma_separated(sheets: Iterable[Sheet]) -> str:
    """A line for each cell that holds something, printed or the user's."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for sheet in sheets:
        for grid in (sheet.grid, sheet.full):
            if grid is not None:
                writer.writerows(_csv_rows(sheet, grid))
    return out.getvalue()


def _csv_rows(sheet: Sheet, grid: Grid) -> Iterator[tuple[object, ...]]:
    heads = [
        head.removeprefix(f"{OWN}: ").removeprefix(f"{PUBLISHED}: ") for head in _flat_heads(grid)
    ]
    named = 3 if grid is sheet.full else 0  # items, arm and n are in the row's name, or a column
    for line in grid.lines:
        name = ", ".join((line.name, *(cell.text for cell in line.cells[: max(0, named - 1)])))
        for place, cell in enumerate(line.cells[named:], named):
            if cell.value is not None or cell.text not in ("", NONE):
                is_own = line.is_own or place in grid.own_columns
                source = OWN if is_own else PUBLISHED
                table = sheet.table
                yield (
                    table.paper, table.number or table.section, source, name, heads[place], cell.n,
                    cell.text, cell.value,
                )  # fmt: skip
