"""`misstep compare --matrix`: many models on many families, from a folder that may grow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import click

from misstep.cli.options import PLACE, console, print_json
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from misstep.cli.comparing import Asked

_MANY = (
    click.option(
        "--matrix",
        "is_matrix",
        is_flag=True,
        help="Many models: effects by model and family, Benjamini-Hochberg (docs/many-models.md).",
    ),
    click.option("--out", type=PLACE, metavar="F", help="With --matrix: a .csv file as well."),
)


def many(command: Callable[..., None]) -> Callable[..., None]:
    """The options of the matrix."""
    for option in reversed(_MANY):
        command = option(command)
    return command


def print_matrix(runs: Sequence[Path], out: Path | None, *, as_json: bool) -> None:
    """With `out`, a .csv file as well."""
    from misstep.analyse.matrix import matrix
    from misstep.registry import specs
    from misstep.report.many import matrix as table
    from misstep.report.many import summaries

    if out is not None and out.suffix.lower() != ".csv":
        raise BadInput(f"--out: {out.name!r} does not end in .csv")
    gathered = summaries.gather(runs, specs())
    found = matrix(gathered.cells)
    if not found.cells:
        raise BadInput(f"RUN: no model in {runs[0]} was asked the same items in two arms")
    if out is not None:
        _write(out, table.to_csv(found))
    if as_json:
        print_json(table.to_json(found, gathered))
        return
    table.show(found, gathered, console())
    if out is not None:
        click.echo(f"wrote {out}")


def refuse_others(asked: Asked) -> None:
    """BadInput for any option that leads to another comparison than the matrix holds."""
    for field in fields(asked):
        value = getattr(asked, field.name)
        if value != field.default:
            name = "range" if field.name == "score_range" else field.name.replace("_", "-")
            said = "" if value is True else f"{value!r} "
            raise BadInput(f"--{name}: {said}is not for --matrix, which holds arm against arm")


def _write(out: Path, text: str) -> None:
    try:
        out.write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise BadInput(f"--out: {out}: {error.strerror or error}") from None
