"""Many models on many families: the table on a terminal, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from misstep.analyse.comparison import Verdict
from misstep.analyse.matrix import Column, Judged, Matrix
from misstep.analyse.plain import plain
from misstep.report.many.summaries import Gathered
from misstep.report.wording import NONE, asked, counted, p_value, signed

SCHEMA = 1
_MARKS = {
    Verdict.HURTS: "\N{BLACK DOWN-POINTING TRIANGLE}",
    Verdict.HELPS: "\N{BLACK UP-POINTING TRIANGLE}",
    Verdict.NO_MEANINGFUL_DIFFERENCE: "=",
    Verdict.UNDECIDED: "?",
}
_STYLES = {
    Verdict.HURTS: "bold red",
    Verdict.HELPS: "bold green",
    Verdict.NO_MEANINGFUL_DIFFERENCE: "bold",
    Verdict.UNDECIDED: "",
}
_LEGEND = (
    "▼ hurts  ▲ helps  = no meaningful difference  ? undecided  ! has a warning (misstep compare)",
    "Beneath each effect p as it is, and after Benjamini and Hochberg over all models and columns.",
)
_CELL, _NAMES = 17, 24


def show(found: Matrix, gathered: Gathered, console: Console) -> None:
    """Models downwards, families across, in as many tables as the width takes."""
    each = max(1, (console.width - _NAMES) // _CELL)
    for at in range(0, len(found.columns), each):
        console.print(_table(found, found.columns[at : at + each]))
    for line in (*_LEGEND, *_counts(found), *notes(gathered)):
        console.print(Text(line))


def to_json(found: Matrix, gathered: Gathered) -> dict[str, object]:
    """docs/many-models.md has the keys."""
    return {
        "schema": SCHEMA,
        "models": list(found.models),
        "columns": [plain(column) for column in found.columns],
        "cells": [_flat(one) for one in found.cells],
        "logs": gathered.logs,
        "logs_read": [str(file) for file in gathered.read],
        "notes": list(notes(gathered)),
    }


def to_csv(found: Matrix) -> str:
    """A row for each cell; the columns are the keys of a cell in JSON."""
    out = io.StringIO()
    rows = [_row(_flat(one)) for one in found.cells]
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def notes(gathered: Gathered) -> Iterator[str]:
    """What was read, and what will have to be read again."""
    read = len(gathered.read)
    yield (
        f"{counted(gathered.logs, 'log')}, {read:,} of them read; "
        "the others are known by their summaries"
    )
    for folder in gathered.unkept:
        yield f"{folder}: its summary could be kept nowhere; its logs will be read again"


def _counts(found: Matrix) -> Iterator[str]:
    tally = [sum(one.verdict is verdict for one in found.cells) for verdict in Verdict]
    said = ", ".join(f"{verdict} {n}" for verdict, n in zip(Verdict, tally, strict=True))
    models, cells = len(found.models), len(found.cells)
    yield f"{counted(models, 'model')}, {counted(cells, 'comparison')}: {said}"


def _table(found: Matrix, columns: Sequence[Column]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("model", overflow="fold")
    for column in columns:
        table.add_column(Text(_heading(column, found.columns)), justify="right", overflow="fold")
    for who in found.models:
        cells = [found.at(who, column) for column in columns]
        if any(cells):
            table.add_row(Text(who), *(_cell(one) for one in cells))
    return table


def _heading(column: Column, columns: Iterable[Column]) -> str:
    """The version only where the family comes in several."""
    versions = {one.version for one in columns if one.family == column.family}
    version = f" v{column.version}" if len(versions) > 1 else ""
    named = f"{asked(column.family, column.variant)}{version}"
    return f"{named}\n{column.arm}\n\N{MINUS SIGN} {column.baseline}"


def _cell(one: Judged | None) -> Text:
    if one is None:
        return Text(NONE)
    digits = 1 if one.cell.unit == "points" else 2
    flag = "!" if one.cell.warnings else ""
    effect = f"{signed(one.cell.effect, digits)} {_MARKS[one.verdict]}{flag}"
    before, after = (p_value(p).removeprefix("= ") for p in (one.cell.p, one.p_adjusted))
    return Text.assemble((effect, _STYLES[one.verdict]), f"\n{before} \N{RIGHTWARDS ARROW} {after}")


def _flat(one: Judged) -> dict[str, object]:
    cell = one.cell
    return {
        "who": cell.who,
        "family": cell.column.family,
        "version": cell.column.version,
        "variant": cell.column.variant,
        "arm": cell.column.arm,
        "baseline": cell.column.baseline,
        "n": cell.n,
        "groups": cell.groups,
        "baseline_mean": cell.baseline_mean,
        "arm_mean": cell.arm_mean,
        "unit": cell.unit,
        "effect": cell.effect,
        "interval": plain(cell.interval),
        "test": cell.test,
        "p": cell.p,
        "p_adjusted": one.p_adjusted,
        "margin": cell.margin,
        "equivalence_p": cell.equivalence_p,
        "equivalence_p_adjusted": one.equivalence_p_adjusted,
        "verdict": str(one.verdict),
        "is_sequential": cell.is_sequential,
        "warnings": list(cell.warnings),
    }


def _row(flat: dict[str, object]) -> dict[str, object]:
    """Lists as cells of a table: both ends of the interval, and warnings in one."""
    ends, warnings = flat["interval"], flat["warnings"]
    low, high = ends if isinstance(ends, list) else (None, None)
    said = " ".join(map(str, warnings)) if isinstance(warnings, list) else ""
    row = {name: value for name, value in flat.items() if name not in ("interval", "warnings")}
    return row | {"interval_low": low, "interval_high": high, "warnings": said}
