"""`misstep study export` and `forget`: what people answered as files, and one person's gone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from misstep.cli.options import PLACE
from misstep.cli.studies.choosing import about_a_study, chosen_study, database_of, make_items
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from misstep.study.course.nouns import Study
    from misstep.study.export.parts import Choice, Part


@click.command("export")
@about_a_study
@click.option("--out", type=PLACE, metavar="F", help="Records, a .parquet or .csv file.")
@click.option("--jspsych", type=PLACE, metavar="F.json", help="jsPsych's own rows, as JSON.")
@click.option(
    "--psych-ds", type=PLACE, metavar="FOLDER", help="A new Psych-DS folder with its codebook."
)
@click.option(
    "--version", metavar="DIGEST", help="People of another version of the study, as it was then."
)
@click.option("--all", "everyone", is_flag=True, help="Also who is left out, marked.")
@click.option("--ids", is_flag=True, help="With the recruiting service's ids, and each bonus.")
def export_study(
    study: Path | None,
    family: str | None,
    people: int | None,
    seed: int | None,
    database: str | None,
    out: Path | None,
    jspsych: Path | None,
    psych_ds: Path | None,
    version: str | None,
    everyone: bool,
    ids: bool,
) -> None:
    """Write what people answered: records like a model's, jsPsych's rows, a Psych-DS folder.

    Who didn't finish, or is left out by the study's rules, is not in it without --all; how many are
    left out by which rule is said (docs/study-export.md).

    \b
    misstep study export STUDY.toml --out people.parquet
    misstep compare people.parquet logs      # people beside models
    misstep study export STUDY.toml --jspsych rows.json --psych-ds dataset
    misstep study export STUDY.toml --version DIGEST --out earlier.parquet
    """
    asked = chosen_study(study, family, people, seed)
    _check(out, jspsych, psych_ds, ids=ids)
    from misstep.study.export.opening import as_it_was, found_store
    from misstep.study.export.parts import Choice, parts
    from misstep.study.export.telling import elsewhere
    from misstep.study.store.versions import check_items, others

    with found_store(database_of(study, family, database), asked, version) as store:
        if version is not None:
            asked = as_it_was(store, version)
        else:
            store.read(lambda on: check_items(on, store.number))
            for line in elsewhere(store.read(lambda on: others(on, asked, store.number))):
                click.echo(line, err=True)
            make_items(asked, study)
        found = tuple(parts(asked, store))
    _write(asked, found, Choice(everyone, ids), out, jspsych, psych_ds)


def _check(out: Path | None, jspsych: Path | None, psych_ds: Path | None, *, ids: bool) -> None:
    """Before any work is done."""
    if out is None and jspsych is None and psych_ds is None:
        raise BadInput("--out: name what to write: --out, --jspsych or --psych-ds")
    if out is not None and out.suffix not in (".parquet", ".csv"):
        raise BadInput(f"--out: {out.name!r} ends in neither .parquet nor .csv")
    if jspsych is not None and jspsych.suffix != ".json":
        raise BadInput(f"--jspsych: {jspsych.name!r} does not end in .json")
    if psych_ds is not None and ids:
        raise BadInput("--ids: a Psych-DS folder is for others' eyes; leave out one of the two")
    if psych_ds is not None and psych_ds.exists():
        raise BadInput(f"--psych-ds: {psych_ds} is there already; name a new folder")


def _write(
    asked: Study,
    found: Sequence[Part],
    choice: Choice,
    out: Path | None,
    jspsych: Path | None,
    psych_ds: Path | None,
) -> None:
    from misstep.analyse import write_frame
    from misstep.study.export import jspsych as rows
    from misstep.study.export import psych_ds as dataset
    from misstep.study.export import telling
    from misstep.study.export.parts import chosen

    for line in telling.lines(found, everyone=choice.everyone):
        click.echo(line, err=True)
    kept = tuple(chosen(asked, found, choice))
    records = [record for one in kept for record in one.records]
    if not records:
        raise BadInput("STUDY: there is no trial to export" + ("" if choice.everyone else " (yet)"))
    if out is not None:
        _make_folder(out)
        write_frame(records, out)
        click.echo(f"{len(records)} records of {len(kept)} people in {out}")
    if psych_ds is not None:
        count = dataset.write(asked, kept, psych_ds)
        click.echo(f"{count} data files in {psych_ds}")
    if jspsych is not None:
        count = rows.write(kept, jspsych, choice)
        click.echo(f"{count} rows of jsPsych's in {jspsych}")
    for line in telling.commands(asked):
        click.echo(line, err=True)


def _make_folder(out: Path) -> None:
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--out: {out}: {error.strerror}") from None


@click.command("forget")
@about_a_study
@click.argument("participant", metavar="PARTICIPANT", required=False)
@click.option("--yes", is_flag=True, help="Don't ask first.")
def forget(
    study: Path | None,
    family: str | None,
    people: int | None,
    seed: int | None,
    database: str | None,
    participant: str | None,
    yes: bool,
) -> None:
    """Delete one participant wholly, by the id that records have after person/.

    Answers, times, ids and readings are gone from the database, which can't be undone; that
    somebody was deleted stays known. Files that were exported before are for you to delete.

    \b
    misstep study forget STUDY.toml k7m2p9xwq4tz
    misstep study forget --family grammar k7m2p9xwq4tz
    """
    if family is not None and participant is None and study is not None:
        study, participant = None, str(study)  # the only word that stands alone
    if participant is None:
        raise BadInput("PARTICIPANT: name whom to delete")
    asked = chosen_study(study, family, people, seed)
    from misstep.study.export.forgetting import check_there
    from misstep.study.export.forgetting import forget as delete
    from misstep.study.export.opening import found_store

    public = participant.removeprefix("person/")
    with found_store(database_of(study, family, database), asked, person=public) as store:
        check_there(store, public)
        if not yes:
            click.confirm(f"delete all of {public}? It can't be undone", abort=True, err=True)
        delete(store, public)
    click.echo(f"deleted: {public}")
