"""Sets of faces from other sources: bought from an image service, or cut out of photographs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from misstep.cli.options import JSON, PLACE, SEED, making, print_json
from misstep.cli.running.spending import is_person
from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from misstep.families.faces.photographs.making import Made as Cut
    from misstep.families.faces.photographs.people import Skipped
    from misstep.families.faces.service.buying import Account, Bought
    from misstep.families.faces.service.making import Order
    from misstep.families.faces.service.prices import Tariff

Command = TypeVar("Command", bound=Callable[..., Any])  # Any: a command of any options
SCHEMA = 1
_SIZE = click.option(
    "--size", type=click.Choice(["512", "1024"]), default="512", show_default=True,
    help="Width and height of the pictures.",
)  # fmt: skip
_OUT = click.option(
    "--out", type=PLACE, required=True, metavar="DIR",
    help="The set's folder; one that is begun goes on.",
)  # fmt: skip
_BUYING = (
    click.option(
        "--problems", "count", type=click.IntRange(1, 100_000), default=24, show_default=True,
        metavar="N", help="Problems in the set; the paper has 500.",
    ),
    SEED,
    _SIZE,
    click.option(
        "--left-out", type=PLACE, metavar="FILE",
        help="Combinations of attributes to leave out, instead of the family's own.",
    ),
    click.option(
        "--draws", type=click.IntRange(1, 100), default=6, show_default=True, metavar="N",
        help="Draws of one picture before its problem is given up.",
    ),
    click.option(
        "--strength", type=click.FloatRange(0, 1), default=0.7, show_default=True, metavar="X",
        help="How strongly the right picture's structure holds in the four others.",
    ),
    click.option(
        "--workers", type=click.IntRange(1, 64), default=4, show_default=True, metavar="N",
        help="Problems at a time.",
    ),
    click.option(
        "--rate", type=click.FloatRange(0.01, 1_000), default=10.0, show_default=True, metavar="N",
        help="Calls a second, at most.",
    ),
    click.option(
        "--budget", type=click.FloatRange(0, 1e9), metavar="DOLLARS",
        help="Never spend more on this folder, earlier calls included.",
    ),
    click.option(
        "--price", "prices", multiple=True, metavar="CALL=CREDITS",
        help="Of a call, pair or other, where it isn't as published.",
    ),
    click.option(
        "--base-url", "base", metavar="URL",
        help="A compatible service. [default: https://api.stability.ai]",
    ),
    click.option("--yes", "is_agreed", is_flag=True, help="Buy without asking."),
)  # fmt: skip


def _buying(command: Command) -> Command:
    for option in reversed(_BUYING):
        command = option(command)
    return command


@click.group()
def faces() -> None:
    """Sets of faces: bought, or out of photographs.

    \b
    misstep faces buy --out faces-bought --problems 2
    misstep faces photos people --out faces-people
    """


@faces.command("buy")
@_OUT
@_buying
@JSON
def buy_faces(
    out: Path, is_agreed: bool, as_json: bool, **asked: Any
) -> None:  # Any: the options of `_BUYING`
    """Buy faces from an image service, as the paper did.

    A pair of one person and four others for each problem. Shows the cost (docs/faces-sources.md)
    and asks before anything is bought. The key is read from STABILITY_API_KEY. Every answer is
    kept in DIR/bought and none is asked for twice: the same command goes on where it was stopped.

    \b
    misstep faces buy --out faces-bought --problems 2
    misstep faces buy --out faces-bought --problems 500 --budget 200 --yes
    misstep run faces -T set=faces-bought --scale paper
    """
    from misstep.families.faces.gate import require_extra
    from misstep.families.faces.looking import eyes
    from misstep.families.faces.service.buying import buy
    from misstep.families.faces.service.making import jobs

    account = _account(asked)
    require_extra("faces buy")
    order = _order(out, asked)
    todo = jobs(order)
    if todo:
        _tell_cost(len(todo), account.tariff, asked)
        _agree(is_agreed)
    with making(), _going_on("what was bought"):
        bought = buy(order, todo, account, eyes.embedding)
    if as_json:
        print_json(_bought_json(order, bought))
    else:
        click.echo("\n".join(_bought(order, bought, account.tariff)))


@faces.command("photos")
@click.argument("folder", type=PLACE, metavar="FOLDER")
@_OUT
@click.option(
    "--table",
    type=PLACE,
    metavar="FILE",
    help="People's attributes. [default: people.csv in FOLDER, where there is one]",
)
@click.option(
    "--gate",
    type=click.Choice(["apply", "report"]),
    default="apply",
    show_default=True,
    help="Leave out what the gate doesn't pass, or only count it.",
)
@SEED
@_SIZE
@JSON
def cut_faces(
    folder: Path, out: Path, table: Path | None, gate: str, seed: int, size: str, as_json: bool
) -> None:  # fmt: skip
    """Make a set of faces out of photographs.

    FOLDER has a sub-folder for each person. Faces are found, cut out and turned upright on this
    machine. Who or what can't be used is named with the reason (docs/faces-sources.md). Have the
    consent of those who are shown to send their pictures to the model that you will ask.

    \b
    misstep faces photos people --out faces-people
    misstep faces photos people --out faces-people --gate report
    misstep run faces -T set=faces-people
    """
    from misstep.families.faces.gate import MARGIN, require_extra
    from misstep.families.faces.photographs.choosing import NEAREST, Terms
    from misstep.families.faces.photographs.making import check_out, make
    from misstep.families.faces.photographs.people import read_people
    from misstep.families.faces.photographs.portraits import read_sitters
    from misstep.families.faces.photographs.table import find_table, read_table

    people = read_people(folder)
    place = table or find_table(folder)
    described = read_table(place) if place else None
    check_out(out, seed)
    require_extra("faces photos")
    terms = Terms(seed, MARGIN, NEAREST, is_gated=gate == "apply")
    with making(), _going_on("what is made"):
        found = read_sitters(people, described, int(size))
        made = make(out, found.sitters, terms)
    skipped = [*found.skipped, *made.skipped]
    if as_json:
        print_json(_cut_json(out, place, made, skipped))
    else:
        click.echo("\n".join(_cut(out, place, made, skipped)))
    if not made.made and not made.kept:
        raise BadInput(f"FOLDER: {folder}: makes no problem; each person's reason stands above")


@contextmanager
def _going_on(what: str) -> Iterator[None]:
    """Ctrl-C within it is told with how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        raise MisstepError(f"stopped; {what} is kept, and the same command goes on") from None


def _account(asked: dict[str, Any]) -> Account:  # Any: the options of `_BUYING`
    from misstep.families.faces.service.buying import Account
    from misstep.families.faces.service.client import BASE, checked_base, checked_key
    from misstep.families.faces.service.prices import TARIFF, priced

    tariff = priced(TARIFF, asked["prices"])
    budget = asked["budget"]
    most = None if budget is None else budget / tariff.dollars
    base = checked_base(asked["base"] or BASE)
    return Account(base, checked_key(os.environ), tariff, asked["rate"], most)


def _order(out: Path, asked: dict[str, Any]) -> Order:  # Any: likewise
    from misstep.families.faces.attributes import allowed, read_rules
    from misstep.families.faces.gate import FARTHEST, MARGIN
    from misstep.families.faces.service.drawing import Terms
    from misstep.families.faces.service.making import Order

    terms = Terms(
        seed=asked["seed"],
        size=int(asked["size"]),
        draws=asked["draws"],
        strength=asked["strength"],
        farther=MARGIN,
        nearest=FARTHEST,
    )
    combinations = allowed(read_rules(asked["left_out"]))
    return Order(out, asked["count"], combinations, terms, asked["workers"])


def _tell_cost(problems: int, tariff: Tariff, asked: dict[str, Any]) -> None:  # Any: likewise
    """On standard error, before anything is bought."""
    least, budget = problems * tariff.of_problem(), asked["budget"]
    dearest = tariff.money(least * asked["draws"])
    never = "" if budget is None else f"; never above --budget ${budget:,.2f}"
    prices = ", ".join(f"{kind} {cost:g}" for kind, cost in tariff.credits.items())
    for line in (
        f"{_problems(problems)} to buy: 1 pair and 4 others each",
        f"prices in credits of ${tariff.dollars:g} ({tariff.date}): {prices}",
        f"cost: {tariff.money(least)} if every draw passes, {dearest} at most{never}",
        "answers kept in the folder cost nothing; the service's own price list holds",
    ):
        click.echo(line, err=True)


def _agree(is_agreed: bool) -> None:
    if is_agreed:
        return
    if not is_person():
        raise BadInput("--yes: nothing is bought without it where nobody can be asked")
    click.confirm("buy?", abort=True, err=True)


def _bought(order: Order, bought: Bought, tariff: Tariff) -> list[str]:
    """What came of it, for a person."""
    bill, made = bought.bill, bought.made
    calls = ", ".join(f"{count:,} {end.value}" for end, count in sorted(bill.ends.items()))
    lines = [
        f"{order.folder}: {_problems(made.made)} made",
        f"calls so far: {calls or 'none'}; paid: {bill.paid:g} credits, {tariff.money(bill.paid)}",
    ]
    if bill.unsure:
        lines.append(f"perhaps paid too, as no answer came: {bill.unsure:g} credits")
    if bought.repeated:
        lines.append(f"{bought.repeated:,} calls were under way when an earlier process ended")
    if made.redraws:
        reasons = ", ".join(f"{count:,} {why}" for why, count in sorted(made.redraws.items()))
        lines.append(f"drawn again: {reasons}")
    for number, what in sorted(made.given_up.items()):
        lines.append(f"problem {number}: given up, {what} never passed; more --draws try on")
    return lines


def _bought_json(order: Order, bought: Bought) -> dict[str, object]:
    bill, made = bought.bill, bought.made
    return {
        "schema": SCHEMA,
        "set": str(order.folder),
        "made": made.made,
        "given_up": [{"number": number, "picture": what} for number, what in made.given_up.items()],
        "redraws": dict(made.redraws),
        "calls": {end.value: count for end, count in bill.ends.items()},
        "credits_paid": bill.paid,
        "credits_unsure": bill.unsure,
        "repeated": bought.repeated,
    }


def _cut(out: Path, table: Path | None, made: Cut, skipped: list[Skipped]) -> list[str]:
    """What came of it, for a person."""
    alike = f"alike by {table}" if table else "anybody: there is no table of attributes"
    lines = [f"skipped: {_on_a_line(one.name)}: {one.why}" for one in skipped]
    kept = f", {made.kept:,} were there" if made.kept else ""
    lines.append(f"{out}: {_problems(made.made)} made{kept}; the four others are {alike}")
    if made.failing:
        lines.append(f"{made.failing:,} of them would not pass the gate")
    return lines


def _on_a_line(name: str) -> str:
    """A name as it is, unless something in it would end the line or steer the terminal."""
    return name if name.isprintable() else repr(name)


def _problems(count: int) -> str:
    return "1 problem" if count == 1 else f"{count:,} problems"


def _cut_json(
    out: Path, table: Path | None, made: Cut, skipped: list[Skipped]
) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "set": str(out),
        "table": str(table) if table else None,
        "made": made.made,
        "kept": made.kept,
        "failing": made.failing,
        "skipped": [asdict(one) for one in skipped],
    }
