"""The papers' printed tables, checked: `misstep check-paper`."""

from __future__ import annotations

import click

from misstep.cli.options import JSON, console, print_json


@click.command("check-paper")
@click.option("--table", "number", type=int, metavar="N", help="Only the tables of this number.")
@JSON
def check_paper(number: int | None, as_json: bool) -> None:
    """Reckon the papers' printed p-values again. Says which agree.

    Beside them: shares that are no count of the stated N, and changes that don't follow from the
    results beside them.

    \b
    misstep check-paper
    misstep check-paper --table 5 --json
    """
    from misstep.report.published import told

    found = told.checks(number)
    if as_json:
        print_json(told.to_json(found))
    else:
        told.show(found, console())
