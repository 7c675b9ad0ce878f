"""`misstep study bundle` and `import`: a study where a lab has no server, and its answers back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from misstep.cli import completing
from misstep.cli.options import PLACE, making
from misstep.cli.studies.choosing import chosen_study, database_of, make_items
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from misstep.study.course.nouns import Study

_MOST_PLACES = 10_000


@click.command("bundle")
@click.argument("study", type=PLACE, metavar="[STUDY.toml]", required=False)
@click.option(
    "--family",
    metavar="FAMILY",
    shell_complete=completing.families,
    help="A study of this family's defaults, without a file.",
)
@click.option(
    "--people",
    type=click.IntRange(1, _MOST_PLACES),
    metavar="N",
    help="Places in the bundle. Without a file also the people wanted. [default: those wanted]",
)
@click.option("--seed", type=int, metavar="S", help="Of a study without a file. [default: 0]")
@click.option("--out", type=PLACE, metavar="FOLDER|F.zip", help="A new folder, or a zip of it.")
@click.option("--jatos", type=PLACE, metavar="F.jzip", help="A study archive to import in JATOS.")
@click.option("--with-truth", is_flag=True, help="Allow answers to checks and practice in it.")
def bundle(
    study: Path | None,
    family: str | None,
    people: int | None,
    seed: int | None,
    out: Path | None,
    jatos: Path | None,
    with_truth: bool,
) -> None:
    """Make a study that needs no server: a page for any web server, or an archive for JATOS.

    All screens are listed ahead. Where the page must know right answers to go on (checks, practice)
    it says so, and wants --with-truth (docs/study-bundle.md).

    \b
    misstep study bundle STUDY.toml --out page
    misstep study bundle STUDY.toml --people 60 --jatos study.jzip --with-truth
    misstep study import results/*.json --study STUDY.toml
    """
    _check(out, jatos)
    from misstep.study.bundle.fitting import check

    asked = chosen_study(study, family, None if study is not None else people, seed)
    truths = check(asked, with_truth=with_truth)
    make_items(asked, study)
    _write(asked, people or asked.people, truths, out, jatos)


def _check(out: Path | None, jatos: Path | None) -> None:
    """Before any work is done."""
    if out is None and jatos is None:
        raise BadInput("--out: name what to write: --out or --jatos")
    if jatos is not None and jatos.suffix != ".jzip":
        raise BadInput(f"--jatos: {jatos.name!r} does not end in .jzip")
    if out is not None and out.suffix != ".zip" and out.exists():
        raise BadInput(f"--out: {out} is there already; name a new folder")


def _write(
    asked: Study, places: int, truths: tuple[str, ...], out: Path | None, jatos: Path | None
) -> None:
    from misstep.study.bundle.folder import bundle_files, write_file, write_folder, zipped
    from misstep.study.bundle.jatos import archive
    from misstep.study.bundle.packing import packed

    with making():
        screens = packed(asked, places)
    if out is not None:
        files = bundle_files(asked, screens, places, truths)
        if out.suffix == ".zip":
            write_file(out, zipped(files), "--out")
        else:
            write_folder(out, files, "--out")
        click.echo(f"{places} places in {out}")
    if jatos is not None:
        write_file(jatos, archive(asked, screens, places), "--jatos")
        click.echo(f"{places} places in {jatos}")
    for one in truths:
        click.echo(f"warning: the page holds {one}", err=True)


@click.command("import")
@click.argument("results", nargs=-1, required=True, type=PLACE, metavar="RESULT...")
@click.option("--study", type=PLACE, metavar="STUDY.toml", help="The study's file.")
@click.option(
    "--family",
    metavar="FAMILY",
    shell_complete=completing.families,
    help="A study of this family's defaults, without a file.",
)
@click.option("--people", type=int, metavar="N", help="Of a study without a file. [default: 40]")
@click.option("--seed", type=int, metavar="S", help="Of a study without a file. [default: 0]")
@click.option(
    "--database",
    metavar="FILE|URL",
    help="A file of SQLite, or postgresql://… [default: a .db named as the study]",
)
def import_results(
    results: tuple[Path, ...],
    study: Path | None,
    family: str | None,
    people: int | None,
    seed: int | None,
    database: str | None,
) -> None:
    """Read the files of a study without a server into its database, to export them from there.

    RESULT: files that participants saved, result data downloaded from JATOS (.txt, .zip, .jrzip),
    or folders of them. Every answer is held against its screen; a result is imported once.

    \b
    misstep study import results --study STUDY.toml
    misstep study import jatos_results.jrzip --study STUDY.toml --database study.db
    misstep study export STUDY.toml --out people.parquet
    """
    asked = chosen_study(study, family, people, seed)
    from misstep.study.bundle.importing import imported
    from misstep.study.bundle.results import read_results

    found = read_results(results, asked)
    make_items(asked, study)
    for line in imported(asked, found, database_of(study, family, database)):
        click.echo(line)
