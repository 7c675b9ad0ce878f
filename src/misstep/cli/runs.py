"""Runs: carried out, compared, reported, graded again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import misstep
from misstep.cli.options import (
    JSON,
    LIMIT,
    OPTIONS,
    PLACE,
    SCALE,
    SEED,
    console,
    making,
    print_json,
    read_options,
)
from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from misstep.analyse import Comparison
    from misstep.core.records import Record
    from misstep.runner.run import Plan, Run

    Comparisons = Sequence[Comparison]


@click.command()
@click.argument("families", nargs=-1, required=True, metavar="FAMILY...")
@click.option("--model", "names", multiple=True, metavar="M", help="PROVIDER/MODEL; repeatable.")
@click.option(
    "-M", "model_args", multiple=True, metavar="KEY=VALUE", help="An argument of the model."
)
@click.option("--arms", metavar="A,B", help="Arms, the baseline first. [default: the family's]")
@SCALE
@LIMIT
@click.option("--repeat", default=1, show_default=True, metavar="K", help="Ask everything K times.")
@SEED
@click.option("--temperature", type=float, help="[default: 0; with --repeat 0.7]")
@click.option("--max-tokens", type=int, help="Token limit of a reply. [default: the model's own]")
@click.option(
    "--extractor",
    type=click.Choice(["rules", "model"]),
    default="rules",
    show_default=True,
    help="model: a second model reads what the rules leave unparsed.",
)
@click.option("--reader", metavar="M", help="The second model, for --extractor model.")
@click.option("--log-dir", type=PLACE, default=Path("logs"), show_default=True)
@OPTIONS
@JSON
def run(
    families: tuple[str, ...],
    names: tuple[str, ...],
    model_args: tuple[str, ...],
    arms: str | None,
    extractor: str,
    reader: str | None,
    options: tuple[str, ...],
    as_json: bool,
    **settings: Any,  # Any: the options that pass through to `misstep.run` by their names
) -> None:
    """Ask models a family's items in every arm, and print the comparison.

    The same command again goes on where the run stood; nothing is asked twice. No --model: the
    embedded one.

    \b
    misstep run grammar
    misstep run grammar --model openai/gpt-4o --scale paper
    misstep run grammar --model ref/bigram-rule --arms direct
    """
    from misstep.core.options import read_pairs, typed
    from misstep.runner.run import plan

    asked = [arm.strip() for arm in arms.split(",") if arm.strip()] if arms is not None else []
    if arms is not None and not asked:
        raise BadInput("--arms: names no arm")
    if (extractor == "model") != (reader is not None):
        raise BadInput(f"--extractor: {extractor} and --reader M go together, or neither")
    settings |= {"reader": reader, "arms": asked, "model_args": typed(read_pairs("-M", model_args))}
    settings["options"] = read_options(options)
    _refuse_twice("FAMILY", families)
    _refuse_twice("--model", names)
    # All are checked before the first is asked anything.
    with making():
        plans = [
            plan(misstep.request(family, name, **settings))
            for family in families
            for name in names or (None,)
        ]
    _print_runs([_carry_out(made, is_shown=not as_json) for made in plans], as_json=as_json)


@click.command()
@click.argument("runs", nargs=-1, required=True, type=PLACE, metavar="RUN...")
@click.option("--by", metavar="FACTOR", help="Each level of a factor by itself, too.")
@JSON
def compare(runs: tuple[Path, ...], by: str | None, as_json: bool) -> None:
    """Every arm against its baseline: effect, interval, p, and the verdict in a word.

    \b
    misstep compare logs
    misstep compare logs --by length --json
    """
    from misstep.runner.logs import log_files, read_records

    _print_records(read_records(log_files(runs)), by=by, as_json=as_json)


@click.command()
@click.argument("runs", nargs=-1, required=True, type=PLACE, metavar="RUN...")
@click.option(
    "--out", type=PLACE, default=Path("report.html"), show_default=True, metavar="F",
    help="The page; .md, .tex or .csv by the ending.",
)  # fmt: skip
def report(runs: tuple[Path, ...], out: Path) -> None:
    """Write the page: verdict, figures, examples, and what ran. It opens offline.

    \b
    misstep report logs --out report.html
    """
    from misstep.report import page
    from misstep.report.gather import gather

    page.check_ending(out)
    page.write(out, gather(list(runs)))
    click.echo(f"wrote {out.resolve()}")


@click.command()
@click.argument("runs", nargs=-1, required=True, type=PLACE, metavar="RUN...")
@click.option("--out", type=PLACE, required=True, metavar="F", help="A .parquet or .csv file.")
def records(runs: tuple[Path, ...], out: Path) -> None:
    """Write the records, a row for each answer, with the columns of docs/records.md.

    \b
    misstep records logs --out records.parquet
    """
    from misstep.analyse import write_frame
    from misstep.runner.logs import log_files, read_records

    found = read_records(log_files(runs))
    write_frame(found, out)
    click.echo(f"{len(found)} records in {out}")


@click.command()
@click.argument("runs", nargs=-1, required=True, type=PLACE, metavar="RUN...")
@click.option("--dry-run", is_flag=True, help="Say what would change, and leave the logs alone.")
@JSON
def regrade(runs: tuple[Path, ...], dry_run: bool, as_json: bool) -> None:
    """Grade old logs again by today's rules, with no call to a model.

    \b
    misstep regrade logs --dry-run
    """
    from misstep.registry import family as room_of
    from misstep.runner.logs import log_files
    from misstep.runner.regrade import regrade as regrade_log

    done = [regrade_log(file, room_of, is_dry=dry_run) for file in log_files(runs)]
    if as_json:
        logs = [asdict(each) | {"file": str(each.file)} for each in done]
        print_json({"schema": 1, "logs": logs})
        return
    for each in done:
        click.echo(f"{each.file}: {len(each.changes)} of {each.samples} grades changed")
        for change in each.changes:
            click.echo(f"  {change.sample}: {change.before} -> {change.after}")


def _refuse_twice(what: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"{what}: {name!r} is named twice")


def _carry_out(made: Plan, *, is_shown: bool) -> Run:
    from misstep.registry import family
    from misstep.report.progress import RunProgress
    from misstep.runner.run import Stopped, carry_out

    spec = family(made.manifest.family).spec
    with RunProgress(console(stderr=not is_shown), made, spec) as progress:
        try:
            return carry_out(made, progress.hear)
        except Stopped as stopped:
            raise MisstepError(f"{stopped}; the same command goes on from there") from None


def _print_runs(runs: Sequence[Run], *, as_json: bool) -> None:
    from misstep.registry import family
    from misstep.report.going_on import command

    records = [record for run in runs for record in run.records]
    comparisons = _print_records(records, by=None, as_json=as_json)
    lines = [
        command(run.manifest, run.folder.parent, family(run.manifest.family).spec, comparisons)
        for run in runs
    ]
    for line in lines:
        if line is not None and not as_json:
            click.echo(line)


def _print_records(records: Sequence[Record], *, by: str | None, as_json: bool) -> Comparisons:
    """Print the comparisons; of arms that have nothing to be compared with, their results."""
    from misstep.analyse import arms_to_json, summarise, to_json
    from misstep.analyse import compare as compare_records
    from misstep.registry import specs
    from misstep.report import terminal

    comparisons = compare_records(records, specs(), by)
    arms = summarise(records, specs())
    compared = {(one.family, one.version, one.variant, one.who) for one in comparisons}
    if as_json:
        print_json({**to_json(comparisons), **arms_to_json(arms)})
        return comparisons
    terminal.show(comparisons, console())
    alone = [arm for arm in arms if (arm.family, arm.version, arm.variant, arm.who) not in compared]
    terminal.show_arms(alone, console())
    return comparisons
