"""Before a run: what its design can decide (`power`), and what it will cost (`cost`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from misstep.cli import completing
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
)
from misstep.cli.running.spending import PRICES, prices_of
from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from misstep.analyse.before.design import Outlook, Sourced
    from misstep.core.arms import Arm
    from misstep.core.family import Family
    from misstep.core.items import Item
    from misstep.core.records import Record
    from misstep.report.before.designs import Asked

_ARMS = click.option(
    "--arms",
    metavar="A,B",
    shell_complete=completing.arms,
    help="Arms, the baseline first. [default: the family's]",
)
_ARMS_FILE = click.option(
    "--arms-file", type=PLACE, metavar="F", help="Arms of your own (docs/arms.md)."
)
_REPEAT = click.option(
    "--repeat", type=click.IntRange(1, 1_000), default=1, show_default=True, metavar="K",
    help="Everything K times.",
)  # fmt: skip
_FROM = click.option(
    "--from", "logs", type=PLACE, multiple=True, metavar="LOGS",
    help="Earlier runs to learn from; repeatable.",
)  # fmt: skip


@click.command()
@click.argument("family", shell_complete=completing.families)
@_ARMS
@_ARMS_FILE
@SCALE
@LIMIT
@click.option(
    "--groups", type=click.IntRange(1, 1_000_000), metavar="N",
    help="So many groups as the scale's; instead of --limit.",
)  # fmt: skip
@click.option("--effect", type=float, metavar="POINTS", help="A difference that is to be found.")
@click.option(
    "--power", "wanted", type=float, default=0.8, show_default=True, help="Asked for, .05 to .999."
)
@click.option("--discordance", type=float, help="Share of pairs that differ. [default: .35]")
@click.option("--between-sd", type=float, help="SD of the groups' differences. [default: .1]")
@click.option("--icc", type=float, help="Instead: the share of variance between groups.")
@_REPEAT
@click.option(
    "--margin", type=float, metavar="POINTS", help="Of equivalence. [default: the family's]"
)
@_FROM
@click.option("--sequential", "is_sequential", is_flag=True, help="What stopping early saves.")
@SEED
@OPTIONS
@JSON
def power(family: str, as_json: bool, **asked: Any) -> None:  # Any: the options above, by name
    """Say what a design can decide, before it is asked. The effect it finds, or what that takes.

    Exit 1 where it can't decide anything.

    \b
    misstep power grammar --scale paper
    misstep power grammar --effect 8
    misstep power grammar --effect 8 --from logs --repeat 5
    """
    from misstep.report.before import designs

    _check(asked)
    found = _outlooks(family, asked)
    if as_json:
        print_json({"schema": 1, "designs": [designs.to_json(*one) for one in found]})
    else:
        for one in found:
            click.echo("\n".join(designs.folded(designs.lines(*one), console().width)) + "\n")
    refused = next((one.refusal for _, one in found if one.refusal is not None), None)
    if refused is not None:
        raise MisstepError(f"{family}: this design can't decide: {refused}")


def _check(asked: Mapping[str, Any]) -> None:  # Any: as clicked
    for name, low, high in (
        ("wanted", 0.05, 0.999),
        ("discordance", 0.0, 1.0),
        ("between_sd", 0.0, 1.0),
        ("icc", 0.0, 1.0),
    ):
        value = asked[name]
        if value is not None and not low <= value <= high:
            flag = "--power" if name == "wanted" else f"--{name.replace('_', '-')}"
            raise BadInput(f"{flag}: {value:g} is not from {low:g} to {high:g}")
    if asked["icc"] is not None and asked["between_sd"] is not None:
        raise BadInput("--icc: says the same as --between-sd; give one of them")
    if asked["groups"] is not None and asked["limit"] is not None:
        raise BadInput("--groups: --limit says the number of items already; give one of them")


def _outlooks(
    name: str,
    asked: Mapping[str, Any],  # Any: as clicked
) -> list[tuple[Asked, Outlook]]:
    from misstep.analyse.before.design import design_of, outlook
    from misstep.registry import family as room_of
    from misstep.report.before.designs import Asked

    room = room_of(name)
    arms, items = _chosen(room, asked)
    if len(arms) < 2:
        raise BadInput(f"--arms: {arms[0].name!r} alone has nothing to be compared with")
    measure = room.spec.measure
    effect = _within("--effect", asked["effect"], measure.span)
    margin = _within("--margin", asked["margin"], measure.span)
    groups = [item.group for item in items]
    design = design_of(
        groups, repetitions=asked["repeat"], comparisons=len(arms) - 1, measure=measure
    )
    if asked["groups"] is not None:
        design = replace(design, groups=asked["groups"])
    records = _read(asked["logs"])
    found = []
    for arm in arms[1:]:
        sourced = _sourced(room, records, (arms[0], arm), asked)
        one = outlook(
            design,
            sourced.assumed,
            room.spec.margin if margin is None else margin,
            effect=effect,
            power=asked["wanted"],
            is_sequential=asked["is_sequential"],
        )
        said = "the family's margin" if margin is None else "as asked"
        found.append((Asked(name, arms[0].name, arm.name, measure, sourced.sources, said), one))
    return found


def _within(flag: str, value: float | None, span: float) -> float | None:
    """The size of an effect or a margin, which has no sign here."""
    if value is None:
        return None
    if not 0 < abs(value) < span:
        raise BadInput(f"{flag}: {value:g} is not between 0 and {span:g}")
    return abs(value)


def _sourced(
    room: Family[Any],  # Any: any payload
    records: Sequence[Record],
    pair: tuple[Arm, Arm],
    asked: Mapping[str, Any],  # Any: as clicked
) -> Sourced:
    from misstep.analyse.before.design import source, usual
    from misstep.analyse.before.observed import observe

    own = [record for record in records if record.family == room.spec.name]
    baseline, arm = (one.name for one in pair)
    observed = observe(own, baseline, arm, room.spec.measure)
    if records and observed is None:
        raise BadInput(f"--from: no model answered {room.spec.name} in {baseline} and in {arm}")
    return source(
        usual(room.spec.measure),
        observed,
        discordance=asked["discordance"],
        between=asked["between_sd"],
        icc=asked["icc"],
    )


def _chosen(
    room: Family[Any],
    asked: Mapping[str, Any],  # Any: any payload; as clicked
) -> tuple[tuple[Arm, ...], list[Item[Any]]]:  # Any: any payload
    """The arms and the items that a run with these options would ask."""
    from misstep.core import arms_file
    from misstep.core.family import select
    from misstep.core.options import read_options as typed_options
    from misstep.runner.task import arm_names, arms_of

    own = arms_file.read(asked["arms_file"]) if asked["arms_file"] else ()
    names = arm_names(asked["arms"]) if asked["arms"] is not None else []
    if asked["arms"] is not None and not names:
        raise BadInput("--arms: names no arm")
    options = typed_options(room.spec.options, read_options(asked["options"]), room.spec.name)
    with making():
        items = list(select(room, asked["scale"], asked["limit"], asked["seed"], options))
    if not items:
        raise BadInput(f"{room.spec.name}: these options make no items")
    return arms_of(room, names, own), items


def _read(logs: Sequence[Path]) -> list[Record]:
    from misstep.runner.logged.logs import log_files, read_records

    return read_records(log_files(logs)) if logs else []


@click.command()
@click.argument(
    "families", nargs=-1, required=True, metavar="FAMILY...", shell_complete=completing.families
)
@click.option(
    "--model", "names", multiple=True, metavar="M", shell_complete=completing.models,
    help="PROVIDER/MODEL; repeatable. [default: the embedded one]",
)  # fmt: skip
@_ARMS
@_ARMS_FILE
@SCALE
@LIMIT
@_REPEAT
@click.option("--max-tokens", type=click.IntRange(min=1), help="Token limit of a reply.")
@PRICES
@_FROM
@SEED
@OPTIONS
@JSON
def cost(
    families: tuple[str, ...],
    names: tuple[str, ...],
    price_file: Path | None,
    logs: tuple[Path, ...],
    as_json: bool,
    **asked: Any,  # Any: the options above, by name
) -> None:
    """Say what a run will take, before it is asked. Calls, tokens and money, low and high.

    \b
    misstep cost grammar --model openai/gpt-4o --scale paper --prices prices.toml
    misstep cost grammar --arms direct,cot+vote5 --from logs
    """
    from misstep.models.store import DEFAULT
    from misstep.registry import family as room_of
    from misstep.report.before import costs as report
    from misstep.runner.paying.costs import Asked, estimate
    from misstep.runner.paying.lengths import history
    from misstep.runner.paying.tokens import counter_for

    refuse_twice("FAMILY", families)
    refuse_twice("--model", names)
    prices = prices_of(price_file)
    models = names or (f"embedded/{DEFAULT}",)
    counters = {model: counter_for(model) for model in models}
    records = _read(logs)
    found = []
    for name in families:
        room = room_of(name)
        arms, items = _chosen(room, asked)
        for model in models:
            what = Asked(room, arms, items, model, asked["repeat"], asked["max_tokens"])
            past = history(records, name)
            found += estimate(what, prices.of(model), counters[model], past)
    shows = any(room_of(name).pictures is not None for name in families)
    seen = "; pictures by a rule of thumb for each provider" if shows else ""
    counted = {model: counter.about + seen for model, counter in counters.items()}
    if as_json:
        print_json({"schema": 1, "cost": report.to_json(found, prices, counted)})
    else:
        report.show(found, prices, counted, console())
