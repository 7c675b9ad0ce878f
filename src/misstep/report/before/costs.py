"""The table of `misstep cost`: calls, tokens and money, low and high."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from misstep.core.prices import Prices
from misstep.runner.paying.costs import ArmCost, total
from misstep.runner.paying.tokens import Range


def show(
    costs: Sequence[ArmCost], prices: Prices, counted: Mapping[str, str], out: Console
) -> None:
    """A table for each family and model; `counted` says by model how prompts were counted."""
    for family, model in dict.fromkeys((cost.family, cost.model) for cost in costs):
        own = [cost for cost in costs if (cost.family, cost.model) == (family, model)]
        out.print(f"{family}, {model}", markup=False, highlight=False)
        out.print(_table(own, prices))
        for line in (f"tokens in: {counted[model]}", *_bases(own), price_line(model, prices)):
            out.print(f"  {line}", markup=False, highlight=False)
        out.print()
    if len({(cost.family, cost.model) for cost in costs}) > 1:
        out.print(f"all together: {money(total(costs), prices)}", markup=False, highlight=False)


def _table(own: Sequence[ArmCost], prices: Prices) -> Table:
    table = Table(box=SIMPLE_HEAD)
    table.add_column("arm", no_wrap=True)
    for name in ("calls", "tokens in", "tokens out", "money"):
        table.add_column(name, justify="right", no_wrap=name != "money")
    for cost in own:
        table.add_row(cost.arm, *_cells(cost), money(cost.money, prices))
    if len(own) > 1:
        sums = [
            _sum([getattr(cost, part) for cost in own]) for part in ("calls", "input", "output")
        ]
        table.add_section()
        table.add_row("all", *map(count, sums), money(total(own), prices))
    return table


def _cells(cost: ArmCost) -> list[str]:
    return [count(cost.calls), count(cost.input), count(cost.output)]


def _sum(parts: Sequence[Range]) -> Range:
    return Range(sum(part.low for part in parts), sum(part.high for part in parts))


def _bases(own: Sequence[ArmCost]) -> list[str]:
    bases: dict[str, list[str]] = {}
    for cost in own:
        bases.setdefault(cost.basis, []).append(cost.arm)
    return [f"tokens out of {', '.join(arms)}: {basis}" for basis, arms in bases.items()]


def price_line(model: str, prices: Prices) -> str:
    price = prices.of(model)
    if price is None:
        return f"money: the price of {model} is unknown; --prices FILE gives it (docs/prices.md)"
    if not price.date:
        return f"money: {price.source}"
    return f"money: by the price of {price.date}, {price.source}"


def money(amount: Range | None, prices: Prices) -> str:
    """Low and high, with the currency; what is unknown is said, what is free is said."""
    if amount is None:
        return "unknown"
    if amount.high == 0:
        return "free"
    return f"{_between(_amount(amount.low), _amount(amount.high))} {prices.currency}"


def _amount(value: float) -> str:
    return f"{value:,.2f}" if value >= 0.1 else f"{value:.2g}"


def count(found: Range) -> str:
    return _between(_short(found.low), _short(found.high))


def _between(low: str, high: str) -> str:
    return low if low == high else f"{low}–{high}"


def _short(value: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.0f}"


def to_json(costs: Sequence[ArmCost], prices: Prices, counted: Mapping[str, str]) -> object:
    whole = total(costs)
    return {
        "currency": prices.currency or None,
        "arms": [{**asdict(cost), "counted": counted[cost.model]} for cost in costs],
        "prices": {
            model: None if (price := prices.of(model)) is None else asdict(price)
            for model in dict.fromkeys(cost.model for cost in costs)
        },
        "money": None if whole is None else asdict(whole),
    }
