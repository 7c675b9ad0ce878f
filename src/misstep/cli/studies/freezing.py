"""`misstep study freeze`: a study as one file for its preregistration, and what changed since."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from misstep.cli import completing
from misstep.cli.options import PLACE
from misstep.cli.studies.choosing import chosen_study, make_items
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from misstep.study.course.nouns import Study


@click.command("freeze")
@click.argument("study", type=PLACE, metavar="[STUDY.toml]", required=False)
@click.option(
    "--family",
    metavar="FAMILY",
    shell_complete=completing.families,
    help="A study of this family's defaults, without a file.",
)
@click.option("--people", type=int, metavar="N", help="Of a study without a file. [default: 40]")
@click.option("--seed", type=int, metavar="S", help="Of a study without a file. [default: 0]")
@click.option("--out", type=PLACE, metavar="F.json", help="The frozen file; never overwritten.")
@click.option("--check", type=PLACE, metavar="F.json", help="Say what was changed since.")
def freeze(
    study: Path | None,
    family: str | None,
    people: int | None,
    seed: int | None,
    out: Path | None,
    check: Path | None,
) -> None:
    """Freeze a study before its data are seen: items, texts, who meets what, rules, analysis.

    The same study gives the same file everywhere. --check holds the study against it: a line for
    each change and exit status 1, or 0 where there is none (docs/study-freeze.md).

    \b
    misstep study freeze STUDY.toml --out study.frozen.json
    misstep study freeze STUDY.toml --check study.frozen.json
    """
    if (out is None) == (check is None):
        raise BadInput("--out: name the file to write, or with --check the one to hold against")
    asked = chosen_study(study, family, people, seed)
    if out is not None:
        _write(asked, study, out)
        return
    assert check is not None  # noqa: S101 (one of the two is named)
    if _tell(asked, study, check):
        sys.exit(1)


def _write(asked: Study, path: Path | None, out: Path) -> None:
    from misstep.study.freezing.document import frozen, not_compared, text

    if out.exists():
        raise BadInput(f"--out: {out} is there already, and a frozen file is not to change")
    make_items(asked, path)
    document = frozen(asked)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text(document))
    except OSError as error:
        raise BadInput(f"--out: {out}: {error.strerror or error}") from None
    click.echo(f"frozen in {out}")
    click.echo(f"sha256 {document['sha256']}")
    for line in not_compared(document):
        click.echo(f"! {line}", err=True)


def _tell(asked: Study, path: Path | None, check: Path) -> bool:
    """Whether something changed."""
    from misstep.study.freezing.changes import changes
    from misstep.study.freezing.document import frozen
    from misstep.study.freezing.reading import read_frozen

    before = read_frozen(check, "--check")
    make_items(asked, path)
    found = changes(before, frozen(asked))
    for line in found:
        click.echo(line)
    count = "1 change" if len(found) == 1 else f"{len(found)} changes"
    click.echo(f"{count} since it was frozen" if found else "nothing changed since", err=True)
    return bool(found)
