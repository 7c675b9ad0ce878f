"""Replies read by the extractor, for an audit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from misstep.cli.options import print_json
from misstep.core.errors import BadInput


@click.command()
@click.argument(
    "replies", type=click.Path(path_type=Path, allow_dash=True), metavar="REPLIES.jsonl"
)
def read(replies: Path) -> None:
    """Read replies by the suite's one extractor. Prints the same lines with what was read.

    Lines hold `vocabulary` (yes_no, class_ab, abcd, one_to_five, apartment_1_to_4, or a list of
    words), `reply`, and optionally `stop_reason`; out come `outcome`, `answer`, `reason`, `span`.

    \b
    misstep read replies.jsonl
    """
    from misstep.core.answers.audit import read_lines

    name = "standard input" if str(replies) == "-" else str(replies)
    with _opened(replies) as file:
        for row in read_lines(file, name):
            print_json(row, indent=None)


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    if str(path) == "-":
        yield sys.stdin
        return
    try:
        file = path.open(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise BadInput(f"REPLIES.jsonl: {path}: {error.strerror}") from None
    with file:
        yield file
