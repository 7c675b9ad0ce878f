"""A fixed sum of money for `misstep ab`: a pilot, the plan in words, one question, and the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from misstep.cli.options import console, print_json
from misstep.cli.running.spending import PRICES, is_person, open_purse, prices_of
from misstep.core.errors import BadInput, MisstepError
from misstep.core.prices import NO_PRICES, Prices, priced

if TYPE_CHECKING:
    from misstep.analyse.before.pilot import Prospect, Sum
    from misstep.core.looks import Watcher
    from misstep.core.records import Record
    from misstep.runner.own.budget import Done
    from misstep.runner.paying.purse import Purse
    from misstep.runner.paying.till import Till
    from misstep.runner.run import Plan

Command = TypeVar("Command", bound=Callable[..., Any])  # Any: a command of any options

_OPTIONS = (
    click.option("--sequential", is_flag=True, help="Stop at the verdict (docs/sequential.md)."),
    click.option(
        "--budget", type=float, metavar="MONEY",
        help="A pilot, a plan, and a run that stops at the verdict and never passes this sum.",
    ),
    click.option(
        "--price", metavar="IN,OUT",
        help="Of the model, for a million tokens; a currency may follow.",
    ),
    PRICES,
    click.option("--yes", is_flag=True, help="Carry out the plan of --budget without asking."),
)  # fmt: skip


@dataclass(frozen=True)
class Money:
    """What may be spent: the options of `budgeting`. `pilot` is the purse of its first part."""

    budget: float | None = None
    prices: Prices = NO_PRICES
    is_sequential: bool = False
    is_agreed: bool = False
    pilot: Purse | None = field(default=None, compare=False)

    @property
    def watcher(self) -> Watcher | None:
        """What judges whether the run may stop; None: it asks everything."""
        from misstep.analyse.sequential.looks import watcher

        return watcher(None) if self.is_sequential or self.budget is not None else None

    @property
    def till(self) -> Till | None:
        from misstep.runner.paying.till import Till

        return None if self.pilot is None else Till(self.pilot)


def budgeting(command: Command) -> Command:
    """The options that say what may be spent."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def money_of(further: dict[str, Any], model: str) -> Money:  # Any: options of a command
    """Takes the options of `budgeting` out of the others; BadInput where they don't fit."""
    from misstep.runner.own.budget import pilot_purse

    names = ("sequential", "budget", "price", "price_file", "yes")
    is_sequential, budget, price, file, is_agreed = (further.pop(name) for name in names)
    if is_agreed and budget is None:
        raise BadInput("--yes: agrees to the plan of --budget; there is no --budget")
    purse = open_purse(budget, is_agreed=is_agreed)
    prices = prices_of(file)
    if price is not None:
        prices = priced(prices, model, price)
    if purse is not None and prices.of(model) is None:
        raise BadInput(
            f"--budget: the price of {model} is unknown; --price IN,OUT gives it, or --prices FILE"
        )
    pilot = None if purse is None else pilot_purse(purse.budget)
    return Money(budget, prices, is_sequential, is_agreed, pilot)


@contextmanager
def piloting(plan: Plan, money: Money) -> Iterator[None]:
    """The check of the first answers is paid from the pilot's purse, and may find it too small."""
    from misstep.runner.failures import BudgetReached
    from misstep.runner.own.budget import too_little

    try:
        yield
    except BudgetReached:
        assert money.pilot is not None  # noqa: S101 (nothing else has an end)
        raise too_little(plan, money.pilot, 0) from None


def within(
    plan: Plan, money: Money, carry: Callable[[Plan], object], *, as_json: bool
) -> Sequence[Record]:
    """The run with its budget: the pilot, the plan and the rest. Its records, as far as it came.

    MisstepError where the plan isn't agreed to, or the pilot did not do for one.
    """
    from misstep.runner.own import budget as parts

    watcher, pilot, whole = money.watcher, money.pilot, money.budget
    assert watcher is not None and pilot is not None and whole is not None  # noqa: S101, PT018 (our own mistake)
    first = parts.ask(parts.pilot_of(plan, watcher, pilot), carry)
    if first.is_decided or first.looks >= plan.groups:
        return first.records
    found = _prospect(plan, money, first, pilot)
    _agree(found, money, plan.folder, as_json=as_json)
    purse = parts.main_purse(whole, pilot)
    done = parts.ask(parts.rest_of(plan, watcher, purse), carry)
    if done.is_out_of_money and not done.is_decided:
        _tell_end(done, _sum(money, pilot, purse), as_json=as_json)
    return done.records


def _prospect(plan: Plan, money: Money, first: Done, pilot: Purse) -> Prospect:
    from misstep.analyse.before.pilot import observe_pilot, prospect
    from misstep.analyse.sequential.looks import MARGIN
    from misstep.runner.own.budget import too_little

    seen = observe_pilot(first.records, plan.manifest.arms, plan.groups, pilot.spent)
    if seen is None:
        raise too_little(plan, pilot, len({record.item for record in first.records}))
    return prospect(seen, _sum(money, pilot), MARGIN)


def _sum(money: Money, *purses: Purse) -> Sum:
    from misstep.analyse.before.pilot import Sum

    return Sum(
        budget=money.budget or 0.0,
        spent=sum(purse.spent for purse in purses),
        dearest=max(purse.dearest for purse in purses),
        currency=money.prices.currency,
    )


def _agree(found: Prospect, money: Money, folder: Path, *, as_json: bool) -> None:
    """Say the plan, and go on only where somebody agrees to it, or has."""
    from misstep.report.before import prospects

    prospects.show(prospects.lines(found), console(stderr=as_json))
    if money.is_agreed:
        return
    kept = f"the pilot's replies are kept in {folder}"
    if not is_person() or as_json:
        if as_json:
            print_json({"schema": 1, "plan": prospects.to_json(found)})
        raise MisstepError(f"--budget: the plan is as above; --yes carries it out; {kept}")
    if not click.confirm("Go on?", err=True):
        raise MisstepError(f"nothing more was asked; {kept}")


def _tell_end(done: Done, spent: Sum, *, as_json: bool) -> None:
    from misstep import analyse
    from misstep.analyse.before.pilot import money_for
    from misstep.report.before import prospects

    needed = [
        one.to_decide.items
        for one in analyse.compare(done.records, {})
        if one.to_decide is not None
    ]
    items = max(needed, default=0)
    more = (items, money_for(done.records, items)) if items else None
    prospects.show(["", prospects.ended(spent, more)], console(stderr=as_json))
