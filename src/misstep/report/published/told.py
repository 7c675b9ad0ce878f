"""What `misstep check-paper` prints: the checked tables in words, or as plain JSON values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from misstep.analyse.inference.paper import UsualTest
from misstep.core.errors import BadInput
from misstep.report.published.checking import NoCount, PCheck, Status, TableCheck, check
from misstep.report.published.data import figures, tables, without_results

SCHEMA = 1
_METHOD = "p: one-sided pooled two-proportion z, the arm below direct, on the nearest counts of N"


def checks(number: int | None) -> tuple[TableCheck, ...]:
    """Every table of that number, or all. BadInput where no paper has one with results."""
    found = [table for table in tables() if number in (None, table.number)]
    if found:
        return tuple(map(check, found))
    for other in without_results():
        if other.number == number:
            raise BadInput(f"--table: {other.paper}, Table {number} prints no results: it holds "
                           f"{other.holds}")  # fmt: skip
    known = ", ".join(str(one) for one in sorted({table.number for table in tables()}))
    raise BadInput(f"--table: no paper has a Table {number} with results; known: {known}")


def to_json(found: Iterable[TableCheck]) -> dict[str, object]:
    return {"schema": SCHEMA, "tables": [_plain(one) for one in found]}


def _plain(one: TableCheck) -> dict[str, object]:
    table = one.table
    own = [asdict(figure) for figure in figures()]
    return {
        "paper": table.paper,
        "table": table.number,
        "section": table.section,
        "about": table.about,
        "n_from": table.n_from,
        "p_values": [asdict(p) for p in one.ps],
        "shares": one.shares,
        "no_counts": [asdict(share) for share in one.no_counts],
        "changes": one.changes,
        "off": [asdict(change) for change in one.off],
        "figures": [
            figure
            for figure in own
            if (figure["paper"], figure["table"]) == (table.paper, table.number)
        ],
    }


def show(found: Sequence[TableCheck], console: Console) -> None:
    for one in found:
        console.print()
        console.print(Text(one.table.caption, style="bold"))
        if one.ps and one.table.n_from:
            _print(_METHOD, console)
        if one.ps:
            console.print(_p_table(one.ps))
        for line in _lines(one):
            _print(line, console)
    console.print()
    console.print(Text(_summary(found), style="bold"))


def _print(line: str, console: Console) -> None:
    console.print(Padding(Text(line), (0, 0, 0, 2)))


def _p_table(ps: Sequence[PCheck]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, collapse_padding=True)
    table.add_column("row", overflow="fold", min_width=12)
    for heading in ("N", "direct", "arm", "printed", "p"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    has_arms = len({p.arm for p in ps}) > 1
    for one in ps:
        style = "bold red" if one.status is Status.NOT_REPRODUCED else ""
        table.add_row(
            Text(f"{one.row}, {one.arm}" if has_arms else one.row),
            "–" if one.n is None else f"{one.n:,}",
            one.baseline_share,
            one.arm_share,
            one.printed,
            p_text(one.p),
            Text(one.status.value, style=style),
        )
    return table


def p_text(p: float | None) -> str:
    """ ".963"; four digits below .001, and "<.0001"."""
    if p is None:
        return "–"
    if p < 0.0001:
        return "<.0001"
    return f"{p:.{4 if p < 0.001 else 3}f}".replace("0.", ".", 1) if p < 0.9995 else "1"


def _lines(one: TableCheck) -> Iterator[str]:
    yield from map(_about_p, (p for p in one.ps if p.status in _TOLD))
    if any(p.status is Status.NO_DATA for p in one.ps):
        yield "Means are printed without their spread: no p can be reckoned from them."
    if not one.ps:
        yield "It prints no p-values."
    yield from _about_shares(one)
    yield from _about_changes(one)


_TOLD = (Status.ROUNDED, Status.NOT_REPRODUCED)


def _about_p(one: PCheck) -> str:
    said = f"{one.row}: printed {one.printed}, reckoned {p_text(one.p)}"
    if p_text(one.least) != p_text(one.most):
        said += f", by the shares' rounding {p_text(one.least)} to {p_text(one.most)}"
    said += "."
    if one.status is Status.ROUNDED:
        return said
    if one.given_by:
        return f"{said} What is printed is given by: {', '.join(one.given_by)}."
    return f"{said} No usual test gives what is printed: {_grouped(one.tests)}."


def _grouped(tests: Sequence[UsualTest]) -> str:
    """ "pooled z .118 one-sided, .882 other side, .236 two-sided; …"."""
    kinds: dict[str, list[str]] = {}
    for test in tests:
        kind, _, side = test.name.partition(", ")
        kinds.setdefault(kind, []).append(f"{p_text(test.p)} {side}".strip())
    return "; ".join(f"{kind} {', '.join(ps)}" for kind, ps in kinds.items())


def _about_shares(one: TableCheck) -> Iterator[str]:
    if not one.shares:
        return
    padded = [share for share in one.no_counts if share.is_padded]
    none = [share for share in one.no_counts if not share.is_padded]
    total = f"{one.shares} shares"
    if not one.no_counts:
        yield f"{total}: each is a count of its N."
    for share in none:
        yield _no_count(share)
    if padded:
        shares = ", ".join(dict.fromkeys(f"{share.printed} of {share.n:,}" for share in padded))
        yield f"Counts only without their last digit, a 0: {shares}."


def _no_count(one: NoCount) -> str:
    asked = one.n * one.prompts
    ways = f", asked in {one.prompts} ways," if one.prompts > 1 else ""
    near = " and ".join(f"{count:,} are {100 * count / asked:.3f} %" for count in one.nearest)
    return f"{one.printed} of {one.n:,}{ways} is no count: {near} ({one.row}, {one.column})."


def _about_changes(one: TableCheck) -> Iterator[str]:
    if one.changes and not one.off:
        yield f"{one.changes} changes: each follows from the results beside it."
    columns: dict[tuple[str, str], list[str]] = {}
    for change in one.off:
        against = change.against or "neither side"
        shown = f"{change.printed} for {change.expected:+.2f}% ({change.row})"
        columns.setdefault((change.column, against), []).append(shown)
    for (column, against), rows in columns.items():
        yield f"{column}: reckoned against {against}, not against direct: {', '.join(rows)}."


def _summary(found: Sequence[TableCheck]) -> str:
    statuses = Counter(p.status for one in found for p in one.ps)
    told = ", ".join(
        f"{statuses[status]} {_SUMMED[status]}" for status in Status if statuses[status]
    )
    shares = sum(one.shares for one in found)
    none = sum(not share.is_padded for one in found for share in one.no_counts)
    stands = f"{none} no count of it" if none else "each a count of it"
    counted = f"{shares} shares of a stated N: {stands}" if shares else ""
    ps = f"{statuses.total()} printed p-values: {told}" if statuses else ""
    return ". ".join(part for part in (ps, counted) if part) + "."


_SUMMED = {
    Status.AGREES: "agree",
    Status.ROUNDED: "within the shares' rounding",
    Status.HOLDS: "hold as bounds",
    Status.NOT_REPRODUCED: "not reproduced",
    Status.NO_DATA: "without the data for it",
}
