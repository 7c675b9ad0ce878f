"""Shards into one run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from misstep.cli.options import PLACE

if TYPE_CHECKING:
    from misstep.runner.run import Plan
    from misstep.runner.shards.merging import Merged


@click.command()
@click.argument("runs", nargs=-1, required=True, type=PLACE, metavar="RUN...")
@click.option(
    "--out", type=PLACE, required=True, metavar="RUN",
    help="The run's folder; else one of its own name is made there.",
)  # fmt: skip
def merge(runs: tuple[Path, ...], out: Path) -> None:
    """Put shards, or several machines' parts, into one run.

    What is missing is named, and asked by the run's own command (docs/many-machines.md).

    \b
    misstep merge shards --out logs
    misstep merge machine-1/* machine-2/* --out logs
    """
    from misstep.runner.shards.merging import merge as merge_runs

    done = merge_runs(runs, out)
    click.echo(f"{done.parts} parts in {done.folder}")
    tell_unfinished(done)


def tell_unfinished(done: Merged) -> None:
    """Say, on standard error, what the run still lacks, and how it gets it."""
    from misstep.runner.shards.parts import said

    lacks = [said(done.missing)] if done.missing else []
    if done.unfinished:
        lacks.append(f"unfinished: {', '.join(map(str, done.unfinished))}")
    if lacks:
        go_on = "the run's own command, without --shard, asks what is missing"
        click.echo(f"! {'; '.join(lacks)}; {go_on}", err=True)


def tell_missing(files: Iterable[Path]) -> None:
    """Say which shards of a run are not among these logs."""
    from misstep.runner.shards.parts import notes

    for note in notes(files):
        click.echo(f"! {note}", err=True)


def check_workers(plans: Sequence[Plan], workers: int) -> None:
    """BadInput where the runs can't be shared by so many processes."""
    from misstep.runner.shards.crew import check

    for plan in plans:
        check(plan, workers)


def worker_words(workers: int) -> list[str]:
    """The option as a command that goes on repeats it."""
    return [] if workers == 1 else ["--workers", str(workers)]


def tell_shard(shard: str | None, *, as_json: bool) -> None:
    """Say that this was a part of a run, which decides nothing by itself."""
    if shard is not None:
        click.echo(f"shard {shard} of the run; misstep merge puts them together", err=as_json)
