"""`misstep study serve`: the study's page for participants, and the researcher's desk."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from misstep.cli.studies.choosing import (
    about_a_study,
    chosen_study,
    database_of,
    make_items,
    naming,
)
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from misstep.study.server.serving import Opened

_HOST = re.compile(r"(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


@click.command("serve")
@about_a_study
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Where it listens; 0.0.0.0: also for other machines.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    metavar="N",
    help="Where it listens; 0: any free one.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="A host name under which it may be asked; others are refused. May be given again.",
)
@click.option("--proxy", is_flag=True, help="It stands behind a proxy on this machine.")
def serve_study(
    study: Path | None,
    family: str | None,
    people: int | None,
    seed: int | None,
    database: str | None,
    host: str,
    port: int,
    names: tuple[str, ...],
    proxy: bool,
) -> None:
    """Serve a study to people: consent, instructions, trials, debriefing, completion code.

    Every answer is durable before the page is told so: Ctrl-C stops, the same command goes on
    (docs/study-server.md).

    \b
    misstep study serve --family grammar
    misstep study serve STUDY.toml --database postgresql://localhost/study
    """
    _check(host, names)
    asked = chosen_study(study, family, people, seed)
    from misstep.study.export.downloads import downloads
    from misstep.study.server.serving import serve

    kept = database_of(study, family, database)
    make_items(asked, study)
    serve(
        asked,
        kept,
        host,
        port,
        _tell,
        say=lambda line: click.echo(line, err=True),
        downloads=lambda store: downloads(asked, store),
        names=[name.lower() for name in names],  # as browsers send them
        proxy=proxy,
    )
    again = naming(study, family, people, seed, database)
    click.echo(f"stopped; all answers are kept; go on with: misstep study serve {again}", err=True)


def _check(host: str, names: tuple[str, ...]) -> None:
    if not host:
        raise BadInput("--host: '' is no address; 0.0.0.0 serves other machines, too")
    for name in names:
        if not _HOST.fullmatch(name):
            raise BadInput(f"--name: {name!r} is no host name; as in study.example.org")


def _tell(opened: Opened) -> None:
    click.echo(f"for participants: {opened.address}", err=True)
    click.echo(f"for the researcher: {opened.desk}", err=True)
    for note in opened.notes:
        click.echo(f"note: {note}", err=True)
    click.echo("Ctrl-C stops", err=True)
