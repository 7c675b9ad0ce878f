"""Items: made in bulk, or shown one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

import misstep
from misstep.cli.options import JSON, LIMIT, OPTIONS, PLACE, SCALE, SEED, print_json, read_options
from misstep.core.errors import BadInput


@click.command()
@click.argument("family")
@SCALE
@LIMIT
@SEED
@click.option("--arm", "arms", multiple=True, metavar="A", help="Only this arm; may be repeated.")
@OPTIONS
@click.option("--out", type=PLACE, metavar="F", help="A .jsonl, .parquet or .csv file.")
def items(
    family: str,
    scale: str,
    limit: int | None,
    seed: int,
    arms: tuple[str, ...],
    options: tuple[str, ...],
    out: Path | None,
) -> None:
    """Make a family's items: a line for each item and arm, the same for the same seed.

    \b
    misstep items grammar --scale paper --seed 0 --out items.jsonl
    """
    from misstep.report import item_files

    rows = misstep.items(
        family, scale=scale, limit=limit, seed=seed, arms=arms, options=read_options(options)
    )
    if out is None:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
    else:
        click.echo(f"{item_files.write(out, rows)} lines in {out}")


@click.command()
@click.argument("family")
@click.option("--item", "item_id", metavar="ID", help="The item's id; without it the first item.")
@click.option("--arm", "arms", multiple=True, metavar="A", help="An arm; without it the baseline.")
@SEED
@OPTIONS
@JSON
def show(
    family: str,
    item_id: str | None,
    arms: tuple[str, ...],
    seed: int,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """One item as a person would see it; the right answer stands below, apart.

    \b
    misstep show grammar
    misstep show grammar --item grammar-0-003-17 --arm cot
    """
    from misstep.registry import family as room_of

    wanted = arms or (room_of(family).spec.arms[0].name,)
    rows = _rows_of_item(family, item_id, wanted, seed, read_options(options))
    if as_json:
        print_json({"schema": 1, "items": rows})
        return
    for row in rows:
        click.echo(f"{row['prompt']}\n\n---\n{row['id']}, arm {row['arm']}; right: {row['truth']}")


def _rows_of_item(
    family: str, item_id: str | None, arms: Sequence[str], seed: int, options: dict[str, str]
) -> list[dict[str, object]]:
    """The rows of one item, looked for at paper scale where it is named."""
    scale = "paper" if item_id else "quick"
    rows = list(misstep.items(family, scale=scale, seed=seed, arms=arms, options=options))
    wanted = item_id or rows[0]["id"]
    found = [row for row in rows if row["id"] == wanted]
    if not found:
        raise BadInput(f"--item: {family} has no item {item_id!r} at seed {seed}")
    return found
