"""Before the first call of a run: what it may cost, whether it may, and whether it can decide."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from misstep.cli.options import PLACE
from misstep.core.errors import BadInput, MisstepError

if TYPE_CHECKING:
    from misstep.core.prices import Prices
    from misstep.runner.paying.purse import Purse
    from misstep.runner.paying.tokens import Range
    from misstep.runner.run import Plan, Request

Command = TypeVar("Command", bound=Callable[..., Any])  # Any: a command of any options

PRICES = click.option(
    "--prices", "price_file", type=PLACE, metavar="FILE", help="Prices of models (docs/prices.md)."
)
_BUDGET = click.option(
    "--budget", type=float, metavar="MONEY", help="Ask above this, and stop before it is passed."
)
_YES = click.option(
    "--yes", "is_agreed", is_flag=True, help="Don't ask where the estimate is above --budget."
)
_BATCH = click.option(
    "--batch", is_flag=True, help="By the provider's batch interface: cheaper, and hours later."
)
_CONNECTIONS = click.option(
    "--connections", type=int, metavar="N", help="Calls under way at once. [default: as it goes]"
)


def spending(command: Command) -> Command:
    """The options of a command that may spend money."""
    return PRICES(_BUDGET(_YES(_BATCH(_CONNECTIONS(command)))))


def spending_words(file: Path | None, budget: float | None, calls: Calls) -> list[str]:
    """The options as a command that goes on repeats them."""
    words = [] if file is None else ["--prices", str(file)]
    words += [] if budget is None else ["--budget", f"{budget:g}"]
    words += ["--batch"] if calls.is_batched else []
    return words if calls.connections is None else [*words, "--connections", str(calls.connections)]


@dataclass(frozen=True)
class Calls:
    """How calls go out: `connections` at a time at most, or gathered in batches."""

    connections: int | None = None
    is_batched: bool = False


def open_purse(budget: float | None, *, is_agreed: bool, shard: str | None = None) -> Purse | None:
    """None without a budget, which is of the whole run: a shard may spend its part of it."""
    from misstep.core.shards import read_shard
    from misstep.runner.paying.purse import Purse

    if budget is None:
        if is_agreed:
            raise BadInput("--yes: agrees to an estimate above --budget; there is no --budget")
        return None
    if not (math.isfinite(budget) and budget > 0):
        raise BadInput(f"--budget: {budget:g} is no sum above 0")
    return Purse(budget if shard is None else budget / read_shard(shard).of)


def agree(
    requests: Sequence[Request], plans: Sequence[Plan], purse: Purse | None, *, is_agreed: bool
) -> None:
    """Say what the runs may cost. Above the budget a person is asked, a script needs --yes."""
    from misstep.report.before.costs import money

    if purse is None:
        return
    prices = requests[0].prices
    estimated = _estimated(requests, plans)
    said = f"the run may cost {money(estimated, prices)}"
    budget = f"{purse.budget:g} {prices.currency}".strip()
    if purse.earlier:
        said = f"{said} beside the {purse.earlier:.4g} that it has"
    if estimated.high == 0:
        click.echo("the run costs nothing more", err=True)
    elif estimated.high <= purse.left:
        click.echo(f"{said}, within the budget of {budget}", err=True)
    elif is_agreed:
        click.echo(f"{said}; it stops before {budget} is passed", err=True)
    elif is_person():
        click.echo(f"{said}, above the budget of {budget}", err=True)
        if not click.confirm(f"Go on, and stop before {budget} is passed?", err=True):
            raise MisstepError("nothing was asked")
    else:
        raise BadInput(
            f"--budget: {said}, above {budget}; --yes runs it, and stops before that is passed"
        )


def check_batches(requests: Sequence[Request], plans: Sequence[Plan], workers: int) -> None:
    """BadInput, before anything is paid, for --batch where it can't be."""
    from misstep.runner.calls.batching import check

    for request, made in zip(requests, plans, strict=True):
        check(request, made, workers)


def is_person() -> bool:
    """Whether somebody sits there who can agree to a sum."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _estimated(requests: Sequence[Request], plans: Sequence[Plan]) -> Range:
    from misstep.runner.paying.costs import left_to_pay, total

    pairs = zip(requests, plans, strict=True)
    found = total(cost for request, plan in pairs for cost in left_to_pay(request, plan))
    # Plans with a budget have a price for each model (`runner.paying.till.open_accounts`).
    assert found is not None  # noqa: S101 (our own mistake)
    return found


def warn_of_hopeless(plans: Sequence[Plan]) -> None:
    """Say which of the runs can never be significant, before anything is paid for them."""
    from misstep.analyse.before.design import too_few_groups
    from misstep.analyse.splits import is_reference

    comparing = [
        plan
        for plan in plans
        # How many groups a whole run has, a shard of it doesn't know.
        if not is_reference(plan.manifest.model) and plan.manifest.shard is None
    ]
    comparisons = sum(len(plan.manifest.arms) - 1 for plan in comparing)
    said: set[str] = set()
    for plan in comparing:
        reason = too_few_groups(plan.groups, max(1, comparisons))
        if reason is not None and len(plan.manifest.arms) > 1 and reason not in said:
            said.add(reason)
            click.echo(f"! {plan.manifest.family}: {reason}", err=True)


def prices_of(path: Path | None) -> Prices:
    from misstep.core.prices import NO_PRICES, read_prices

    return NO_PRICES if path is None else read_prices(path)
