"""Items: made in bulk, or shown one by one."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

import misstep
from misstep.cli import completing
from misstep.cli.options import (
    JSON,
    LIMIT,
    OPTIONS,
    PLACE,
    SCALE,
    SEED,
    making,
    print_json,
    read_options,
)
from misstep.core.errors import BadInput

TEST_SHARE = 0.1
_OPTIONS_PART = re.compile(r"~[0-9a-f]{6}(?=-)")


@click.command()
@click.argument("family", shell_complete=completing.families)
@SCALE
@LIMIT
@SEED
@click.option(
    "--arm",
    "arms",
    multiple=True,
    metavar="A",
    shell_complete=completing.arms,
    help="Only this arm; may be repeated.",
)
@OPTIONS
@click.option("--out", type=PLACE, metavar="F", help="A .jsonl, .parquet or .csv file.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["rows", "chat"]),
    default="rows",
    show_default=True,
    help="chat: prompts and right answers to fine-tune on, split into F.train and F.test; "
    "without --arm the first arm only.",
)
@click.option(
    "--test-share",
    type=float,
    metavar="S",
    help=f"With --format chat: the part kept for testing, 0 to 1.  [default: {TEST_SHARE}]",
)
def items(
    family: str,
    scale: str,
    limit: int | None,
    seed: int,
    arms: tuple[str, ...],
    options: tuple[str, ...],
    out: Path | None,
    form: str,
    test_share: float | None,
) -> None:
    """Make a family's items, a line for each item and arm. The same for the same seed.

    \b
    misstep items grammar --scale paper --seed 0 --out items.jsonl
    misstep items planbench --scale paper --out blocks.jsonl --format chat
    """
    chosen = _Chosen(family, scale, limit, seed, arms, read_options(options))
    if form == "rows" and test_share is not None:
        raise BadInput("--test-share: is for --format chat only")
    with making():
        if form == "chat":
            _write_chats(chosen, out, TEST_SHARE if test_share is None else test_share)
        else:
            _write_rows(chosen, out)


@dataclass(frozen=True)
class _Chosen:
    """Which items, as the command line says it; the fields are parameters of `misstep.items`."""

    family: str
    scale: str
    limit: int | None
    seed: int
    arms: tuple[str, ...]
    options: dict[str, str]


def _write_rows(chosen: _Chosen, out: Path | None) -> None:
    from misstep.report import item_files

    rows = misstep.items(**vars(chosen))
    if out is None:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
    else:
        click.echo(f"{item_files.write(out, rows)} lines in {out}")


def _write_chats(chosen: _Chosen, out: Path | None, share: float) -> None:
    from misstep.core.splitting import check_share
    from misstep.report import item_files

    check_share(share)
    if out is None:
        raise BadInput("--out: --format chat writes two files and needs a name, as in x.jsonl")
    done = item_files.write_chats(out, misstep.chats(**vars(chosen), test_share=share))
    words = f"{done.trained} lines in {done.train}, {done.tested} in {done.test}"
    click.echo(f"{words}; {done.left_out} left out, whose prompts show a test instance")


@click.command()
@click.argument("family", shell_complete=completing.families)
@click.option("--item", "item_id", metavar="ID", help="The item's id; without it the first item.")
@click.option(
    "--arm",
    "arms",
    multiple=True,
    metavar="A",
    shell_complete=completing.arms,
    help="An arm; without it the baseline.",
)
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
    """Show one item as a person would see it. The right answer stands below, apart.

    \b
    misstep show grammar
    misstep show grammar --item grammar-0-003-17 --arm cot
    """
    from misstep.registry import family as room_of

    wanted = arms or (room_of(family).spec.arms[0].name,)
    with making():
        rows = _rows_of_item(family, item_id, wanted, seed, read_options(options))
    if as_json:
        print_json({"schema": 1, "items": rows})
        return
    for row in rows:
        click.echo(f"{row['prompt']}\n\n---\n{row['id']}, arm {row['arm']}; right: {row['truth']}")


def _rows_of_item(
    family: str, item_id: str | None, arms: Sequence[str], seed: int, options: dict[str, str]
) -> list[dict[str, object]]:
    """The rows of one item, looked for at paper scale where it is named.

    The part of an id that stands for options ("~cd355f") may be left out.
    """
    scale = "paper" if item_id else "quick"
    rows = list(misstep.items(family, scale=scale, seed=seed, arms=arms, options=options))
    wanted = item_id or rows[0]["id"]
    found = [row for row in rows if wanted in (row["id"], _OPTIONS_PART.sub("", str(row["id"])))]
    if not found:
        first, last = rows[0]["id"], rows[-1]["id"]
        raise BadInput(
            f"--item: {family} has no item {item_id!r} at seed {seed} with these options; "
            f"its ids run from {first} to {last}"
        )
    return found
