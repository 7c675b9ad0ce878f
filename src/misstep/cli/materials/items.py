"""Items: made in bulk, or shown one by one."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from misstep.cli.running.machines import ON, check_spread, items_on
from misstep.core.errors import BadInput
from misstep.core.options import read_options as options_of

if TYPE_CHECKING:
    from misstep.core.family import Family
    from misstep.report.item_pictures import Folder

TEST_SHARE = 0.1
_NUMBER = re.compile(r"-(\d{1,6})(?:\.\d+)?$")
_OPTIONS_PART = re.compile(r"~[0-9a-f]{6}(?=-)")


_ARMS_FILE = click.option(
    "--arms-file", type=PLACE, metavar="F", help="Arms of your own (docs/arms.md)."
)


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
@_ARMS_FILE
@OPTIONS
@ON
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
    arms_file: Path | None,
    options: tuple[str, ...],
    on: str | None,
    out: Path | None,
    form: str,
    test_share: float | None,
) -> None:
    """Make a family's items, a line for each item and arm. The same for the same seed.

    \b
    misstep items grammar --scale paper --seed 0 --out items.jsonl
    misstep items planbench --scale paper --out blocks.jsonl --format chat
    misstep items grammar --arms-file arms.toml --arm mine
    misstep items faces --scale paper --on ray --out faces.jsonl
    """
    chosen = _Chosen(family, scale, limit, seed, arms, read_options(options), arms_file)
    if form == "rows" and test_share is not None:
        raise BadInput("--test-share: is for --format chat only")
    check_spread(family, on)
    with items_on(on), making():
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
    arms_file: Path | None = None


def _write_rows(chosen: _Chosen, out: Path | None) -> None:
    from misstep.report import item_files, item_pictures

    if out is None:
        for row in misstep.items(**vars(chosen)):
            click.echo(json.dumps(row, ensure_ascii=False))
        return
    item_files.check_ending(out)
    folder = item_pictures.beside(out)
    count = item_files.write(out, misstep.items(**vars(chosen), pictures=folder.path))
    click.echo(f"{count} lines in {out}{folder.told}")


def _write_chats(chosen: _Chosen, out: Path | None, share: float) -> None:
    from misstep.core.splitting import check_share
    from misstep.report import item_files, item_pictures

    check_share(share)
    if out is None:
        raise BadInput("--out: --format chat writes two files and needs a name, as in x.jsonl")
    item_files.chat_places(out)
    folder = item_pictures.beside(out)
    rows = misstep.chats(**vars(chosen), test_share=share, pictures=folder.path)
    done = item_files.write_chats(out, rows)
    words = f"{done.trained} lines in {done.train}, {done.tested} in {done.test}{folder.told}"
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
@_ARMS_FILE
@OPTIONS
@click.option(
    "--out", type=PLACE, metavar="DIR", help="Where pictures are saved.  [default: pictures]"
)
@JSON
def show(
    family: str,
    item_id: str | None,
    arms: tuple[str, ...],
    seed: int,
    arms_file: Path | None,
    options: tuple[str, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Show one item as a person would see it. The right answer stands below, apart.

    Pictures are saved, and named where they stand.

    \b
    misstep show grammar
    misstep show grammar --item grammar-0-003-17 --arm cot
    """
    from misstep.registry import family as room_of
    from misstep.report import item_pictures

    room = room_of(family)
    if out is not None and room.pictures is None:
        raise BadInput(f"--out: {family} shows no pictures")
    wanted = arms or (() if arms_file else (room.spec.arms[0].name,))
    scale = "paper" if item_id else "quick"
    given = read_options(options)
    limit = _reach(item_id, room, given) if item_id and room.spec.ready else None
    chosen = _Chosen(family, scale, limit, seed, wanted, given, arms_file)
    folder = item_pictures.Folder(out or Path("pictures"), str(out or "pictures"))
    with making():
        found = _rows_of_item(chosen, item_id, folder)
        rows = [item_pictures.with_saved(row, folder) for row in found]
    if as_json:
        print_json({"schema": 1, "items": rows})
        return
    for row in rows:
        below = f"{row['id']}, arm {row['arm']}; right: {row['truth']}"
        asked = item_pictures.in_words(row["prompt"])
        click.echo(f"{asked}\n\n---\n{below}{_turns(chosen, str(row['arm']))}")


def _turns(chosen: _Chosen, arm: str) -> str:
    """What follows the turn that is shown, in a family of conversations."""
    from misstep.core import arms_file
    from misstep.registry import family as room_of

    room = room_of(chosen.family)
    if room.conversation is None:
        return ""
    own = () if chosen.arms_file is None else arms_file.read(chosen.arms_file)
    (asked,) = arms_file.chosen([arm], room.spec.arms, (), own, "--arm")
    length = room.conversation.length(asked.prompt)
    asides = ", an aside after each" if length.asides else ""
    return f"\nthe first of {length.fewest} to {length.most} answers, each with feedback{asides}"


def _reach(item_id: str, room: Family[Any], given: dict[str, str]) -> int | None:  # Any: any
    """Up to which item to look, in a family that would take long to make all: its number's.

    None, so all, for an id that is none of the family's own making: what is there is soon read.
    """
    if not item_id.startswith(f"{room.spec.name}-"):
        whole = options_of(room.spec.options, given, room.spec.name)
        return None if room.variant(whole) else 1
    number = _NUMBER.search(item_id)
    return int(number[1]) + 1 if number else 1


def _rows_of_item(chosen: _Chosen, item_id: str | None, folder: Folder) -> list[dict[str, object]]:
    """The rows of one item, looked for at paper scale where it is named; no picture is saved yet.

    The part of an id that stands for options ("~cd355f") may be left out.
    """
    rows = list(misstep.items(**vars(chosen), pictures=folder.note))
    wanted = item_id or rows[0]["id"]
    found = [row for row in rows if wanted in (row["id"], _OPTIONS_PART.sub("", str(row["id"])))]
    if not found:
        first, last = rows[0]["id"], rows[-1]["id"]
        raise BadInput(
            f"--item: {chosen.family} has no item {item_id!r} at seed {chosen.seed} with these "
            f"options; its ids run from {first} to {last}"
        )
    return found
