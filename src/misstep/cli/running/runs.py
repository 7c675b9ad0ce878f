"""Runs: carried out, reported, graded again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import misstep
from misstep.cli import completing
from misstep.cli.comparing import Asked, print_records
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
    refuse_twice,
    trying,
    trying_words,
)
from misstep.cli.running.machines import (
    LOG_DIR,
    carry_out_on,
    check_machines,
    items_on,
    machine_words,
    machines,
    terms_of,
)
from misstep.cli.running.merging import check_workers, tell_missing, tell_shard, worker_words
from misstep.cli.running.preflight import PREFLIGHT, STRICT, preflight
from misstep.cli.running.spending import (
    Calls,
    agree,
    check_batches,
    open_purse,
    prices_of,
    spending,
    spending_words,
    warn_of_hopeless,
)
from misstep.cli.studies.held import held_against
from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from misstep.runner.run import Plan, Request, Run
    from misstep.runner.shards.hands import Hand


@click.command()
@click.argument(
    "families",
    nargs=-1,
    required=True,
    metavar="FAMILY...",
    shell_complete=completing.families,
)
@click.option(
    "--model",
    "names",
    multiple=True,
    metavar="M",
    shell_complete=completing.models,
    help="PROVIDER/MODEL; repeatable.",
)
@click.option(
    "-M", "model_args", multiple=True, metavar="KEY=VALUE", help="An argument of the model."
)
@click.option(
    "--arms",
    metavar="A,B",
    shell_complete=completing.arms,
    help="Arms, the baseline first. [default: the family's]",
)
@click.option("--arms-file", type=PLACE, metavar="F", help="Arms of your own (docs/arms.md).")
@SCALE
@LIMIT
@click.option("--repeat", default=1, show_default=True, metavar="K", help="Ask everything K times.")
@SEED
@click.option("--temperature", type=float, help="Of each reply. [default: 0; with --repeat 0.7]")
@click.option("--max-tokens", type=int, help="Token limit of a reply. [default: the model's own]")
@click.option(
    "--extractor",
    type=click.Choice(["rules", "model"]),
    default="rules",
    show_default=True,
    help="model: a second model reads what the rules leave unparsed.",
)
@click.option(
    "--reader",
    metavar="M",
    shell_complete=completing.models,
    help="The second model, for --extractor model.",
)
@click.option("--sequential", is_flag=True, help="Stop at the verdict (docs/sequential.md).")
@click.option(
    "--workers",
    default=1,
    show_default=True,
    metavar="N",
    help="Processes that share the run (docs/many-machines.md).",
)
@click.option("--shard", metavar="I/N", help="Only part I of N of the run; misstep merge.")
@machines
@PREFLIGHT
@STRICT
@spending
@trying
@LOG_DIR
@click.option(
    "--log-images",
    "images",
    type=click.Choice(["yes", "no"]),
    help="no: keep no pictures in the log (docs/pictures.md).  [default: yes]",
)
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
    how: str,
    is_strict: bool,
    price_file: Path | None,
    budget: float | None,
    is_agreed: bool,
    as_json: bool,
    images: str | None,
    workers: int,
    **settings: Any,  # Any: the options that pass through to `misstep.run` by their names
) -> None:
    """Ask models a family's items, and print the comparison. Every arm gets the same items.

    The same command again goes on where the run stood; nothing is asked twice. No --model: the
    embedded one.

    \b
    misstep run grammar
    misstep run grammar --model openai/gpt-4o --scale paper
    misstep run grammar --model openai/gpt-5.2 --arms think:none,think:high
    misstep run grammar --model openai/gpt-4o --arms direct,tot:3,self-consistency:9
    misstep run grammar --model openai/gpt-4o --scale paper --sequential
    misstep run grammar --model openai/gpt-4o --prices prices.toml --budget 5 --max-tokens 1000
    misstep run grammar --model openai/gpt-4o --scale paper --on ray
    misstep run grammar --model ref/bigram-rule --arms direct
    """
    from misstep.runner.shards.hands import waiting

    # Before all that takes long to load.
    hands = click.get_current_context().with_resource(waiting(workers))
    from misstep.core.options import read_pairs, typed
    from misstep.runner.paying.earlier import count_earlier
    from misstep.runner.run import plan

    if (extractor == "model") != (reader is not None):
        raise BadInput(f"--extractor: {extractor} and --reader M go together, or neither")
    settings |= {"reader": reader, "arms": _named(arms)}
    settings["model_args"] = typed(read_pairs("-M", model_args))
    settings["options"] = read_options(options)
    purse = open_purse(budget, is_agreed=is_agreed, shard=settings["shard"])
    settings |= {"prices": prices_of(price_file), "budget": purse}
    refuse_twice("FAMILY", families)
    refuse_twice("--model", names)
    settings["log_images"] = _keeps_images(images, families)
    terms = terms_of(settings, workers)
    # All are checked before the first is asked anything.
    with items_on(terms.on if terms else None), making():
        pairs = [(family, name) for family in families for name in names or (None,)]
        requests = [misstep.request(family, name, **settings) for family, name in pairs]
        plans = [plan(request) for request in requests]
    check_workers(plans, workers)
    check_batches(requests, plans, workers if terms is None else 2)
    count_earlier(plans)
    how = check_machines(plans, terms, how)
    warn_of_hopeless(plans)
    agree(requests, plans, purse, is_agreed=is_agreed)
    ready = preflight(plans, how, is_strict=is_strict, as_json=as_json)
    if ready is not None:
        both = list(zip(ready, requests, strict=True))
        if terms is None:
            runs, left = _carry_all(both, workers, hands, is_shown=not as_json)
        else:
            runs, left = carry_out_on(both, terms, is_shown=not as_json)
        if runs:
            calls = Calls(settings["connections"], settings["batch"])
            words = [*spending_words(price_file, budget, calls), *worker_words(workers)]
            words += [*machine_words(terms), *_trying_words(settings)]
            _print_runs(runs, words, as_json=as_json)
            tell_shard(settings["shard"], as_json=as_json)
        _tell_left(left)


def _trying_words(settings: dict[str, Any]) -> list[str]:  # Any: options of all kinds
    return trying_words(settings["max_retries"], settings["attempt_timeout"])


def _named(arms: str | None) -> list[str]:
    """None: the family's own choice."""
    asked = [arm.strip() for arm in arms.split(",") if arm.strip()] if arms is not None else []
    if arms is not None and not asked:
        raise BadInput("--arms: names no arm")
    return asked


@click.command()
@click.argument("runs", nargs=-1, required=True, type=PLACE, metavar="RUN...")
@click.option(
    "--out", type=PLACE, default=Path("report.html"), show_default=True, metavar="F",
    help="The page; .md, .tex or .csv by the ending.",
)  # fmt: skip
@click.option("--paper", is_flag=True, help="The published tables, with these runs beside.")
@click.option("--paper-all", is_flag=True, help="Also published tables that no run belongs to.")
@click.option(
    "--figures", type=PLACE, metavar="DIR",
    help="Each figure as .svg and .png too, its numbers as .csv.",
)  # fmt: skip
@click.option("--frozen", type=PLACE, metavar="F.json", help="A study's frozen file: what changed?")
def report(
    runs: tuple[Path, ...],
    out: Path,
    paper: bool,
    paper_all: bool,
    figures: Path | None,
    frozen: Path | None,
) -> None:
    """Write the page: verdict, figures, examples, and what ran. It opens offline.

    \b
    misstep report logs --out report.html
    misstep report people.parquet logs    # a study's people beside models
    misstep report logs --paper --out tables.tex
    misstep report logs --figures figures
    misstep report people.parquet --frozen study.frozen.json
    """
    from misstep.analyse.record_files import parted
    from misstep.report.page import files as page
    from misstep.report.page.gather import gather
    from misstep.runner.logged.logs import log_files

    page.check_ending(out)
    tell_missing(log_files(parted(runs)[1]))
    which = page.Which.ALL if paper_all else page.Which.OWN if paper else None
    data = gather(list(runs))
    if frozen is not None:
        data = held_against(frozen, data)
    page.write(out, data, which)
    click.echo(f"wrote {out.resolve()}")
    if figures is not None:
        count = page.write_figures(figures, data)
        click.echo(f"wrote {count} figures to {figures.resolve()}")


@click.command()
@click.argument("runs", nargs=-1, required=True, type=PLACE, metavar="RUN...")
@click.option("--out", type=PLACE, required=True, metavar="F", help="A .parquet or .csv file.")
def records(runs: tuple[Path, ...], out: Path) -> None:
    """Write the records, a row for each answer. The columns: docs/records.md.

    Files of records among the runs are joined in (misstep study export writes those of people).

    \b
    misstep records logs --out records.parquet
    misstep records people.parquet logs --out all.csv
    """
    from misstep.analyse import write_frame
    from misstep.analyse.record_files import parted, read_runs
    from misstep.runner.logged.logs import log_files

    tell_missing(log_files(parted(runs)[1]))
    found = read_runs(runs)
    write_frame(found, out)
    click.echo(f"{len(found)} records in {out}")


@click.command()
@click.argument("runs", nargs=-1, required=True, type=PLACE, metavar="RUN...")
@click.option("--dry-run", is_flag=True, help="Say what would change, and leave the logs alone.")
@JSON
def regrade(runs: tuple[Path, ...], dry_run: bool, as_json: bool) -> None:
    """Grade old logs again, with no call to a model. By the rules of today.

    \b
    misstep regrade logs --dry-run
    """
    from misstep.registry import family as room_of
    from misstep.runner.logged.logs import log_files
    from misstep.runner.logged.regrade import regrade as regrade_log

    done = [regrade_log(file, room_of, is_dry=dry_run) for file in log_files(runs)]
    if as_json:
        logs = [asdict(each) | {"file": str(each.file)} for each in done]
        print_json({"schema": 1, "logs": logs})
        return
    for each in done:
        click.echo(f"{each.file}: {len(each.changes)} of {each.samples} grades changed")
        for change in each.changes:
            click.echo(f"  {change.sample}: {change.before} -> {change.after}")


def _keeps_images(images: str | None, families: Sequence[str]) -> bool:
    from misstep.registry import family

    if images is not None and all(family(name).pictures is None for name in families):
        raise BadInput(f"--log-images: {', '.join(families)}: the questions show no pictures")
    return images != "no"


def _carry_all(
    asked: Iterable[tuple[Plan, Request]], workers: int, hands: list[Hand], *, is_shown: bool
) -> tuple[list[Run], list[MisstepError]]:
    """The finished runs, and those with questions left, which keep no other from being asked; but
    after the one that reached the budget none is."""
    from misstep.runner.failures import BudgetReached, Incomplete

    runs: list[Run] = []
    left: list[MisstepError] = []
    for made, request in asked:
        try:
            runs.append(_carry_out(made, request, workers, hands, is_shown=is_shown))
        except Incomplete as incomplete:
            left.append(incomplete)
        except BudgetReached as reached:
            return runs, [*left, reached]
    return runs, left


def _tell_left(left: Sequence[MisstepError]) -> None:
    """A line for each; the last one ends the command."""
    for one in left[:-1]:
        click.echo(f"misstep: {one}", err=True)
    for one in left[-1:]:
        raise one


def _carry_out(
    made: Plan, request: Request, workers: int, hands: list[Hand], *, is_shown: bool
) -> Run:
    from misstep.registry import family
    from misstep.report.progress import RunProgress
    from misstep.runner import stopping
    from misstep.runner.calls import batching, patience
    from misstep.runner.run import Stopped, carry_out
    from misstep.runner.shards import crew

    spec = family(made.manifest.family).spec
    with RunProgress(console(stderr=not is_shown), made, spec) as progress:
        try:
            with (
                stopping.telling(progress.look),
                patience.telling(progress.wait),
                batching.telling(progress.wait),
            ):
                done = (
                    carry_out(made, progress.hear)
                    if workers == 1
                    else crew.carry_out(made, request, workers, progress.hear, hands)
                )
            progress.end(done)
            return done
        except Stopped as stopped:
            raise MisstepError(f"{stopped}; the same command goes on from there") from None


def _print_runs(runs: Sequence[Run], spending: Sequence[str], *, as_json: bool) -> None:
    from misstep.registry import family
    from misstep.report.going_on import command

    records = [record for run in runs for record in run.records]
    comparisons = print_records(records, Asked(), as_json=as_json)
    lines = [
        command(
            run.manifest,
            run.folder.parent,
            family(run.manifest.family),
            comparisons,
            spending,
        )
        for run in runs
    ]
    for line in lines:
        if line is not None and not as_json:
            click.echo(line)
