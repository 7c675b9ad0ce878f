"""What a set of faces is worth by eye: the page on which each problem is accepted or rejected."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from misstep.cli.options import PLACE, SEED
from misstep.cli.own.labelling import open_page
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from misstep.study.reviewing.review import Review


@click.group()
def review() -> None:
    """Look at made pictures by eye.

    \b
    misstep review faces
    """


@review.command("faces")
@click.option(
    "--set",
    "folder",
    type=PLACE,
    metavar="DIR",
    help="A set's folder. [default: the ready-made problems and those that were drawn since]",
)
@SEED
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Of the page. [default: any free one]",
)
@click.option("--no-browser", is_flag=True, help="Only print the address of the page.")
def review_faces(folder: Path | None, seed: int, port: int, no_browser: bool) -> None:  # fmt: skip
    """Accept or reject the problems of a set of faces.

    Each is shown as a model sees it, and decided by key press, on a page on this machine alone.
    Every decision is on disk at once: Ctrl-C stops, the same command goes on. Rejected problems
    are no longer asked (docs/faces-sources.md).

    \b
    misstep review faces
    misstep review faces --set faces-bought
    """
    found = _open(folder, seed)
    from misstep.study.local.hosting import serve_page
    from misstep.study.reviewing.application import application

    what = f"{len(found.problems):,} problems to review; Ctrl-C stops, and all decisions are kept"
    serve_page(
        lambda token, finish: application(found, token, finish),
        port,
        lambda address: open_page(address, what, is_opened=not no_browser),
    )
    click.echo(_summary(found, folder), err=True)


def _open(folder: Path | None, seed: int) -> Review:
    from misstep.families.faces.review.problems import find_problems
    from misstep.study.reviewing.review import open_review

    found = find_problems(folder, seed)
    if not found.problems:
        raise BadInput(f"--set: {found.folder}: holds no problem")
    return open_review(found.folder, found.problems, found.content)


def _summary(found: Review, folder: Path | None) -> str:
    from misstep.families.faces.review.decisions import Decision

    accepted, rejected = found.count(Decision.ACCEPT), found.count(Decision.REJECT)
    left = len(found.problems) - accepted - rejected
    more = f"{left:,} left" if left else "none left"
    again = f" --set {folder}" if folder and left else ""
    on = f"; go on with: misstep review faces{again}" if left else ""
    return f"{accepted:,} accepted, {rejected:,} rejected, {more}{on}"
