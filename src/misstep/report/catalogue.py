"""What there is to choose from: families with arms, options and solvers; embedded models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from misstep.core.family import Family
from misstep.models.store import Listed

AnyFamily = Family[Any]  # Any: families of every payload


def to_json(family: AnyFamily) -> dict[str, object]:
    spec = family.spec
    return {
        "name": spec.name,
        "title": spec.title,
        "version": spec.version,
        "source": spec.source,
        "measures": spec.measures,
        "arms": [
            {"name": arm.name, "about": arm.about, "default": arm.is_default} for arm in spec.arms
        ],
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "choices": list(option.choices),
                "about": option.about,
            }
            for option in spec.options
        ],
        "factors": list(spec.factors),
        "scales": {name: scale.groups for name, scale in spec.scales.items()},
        "solvers": [
            {"name": f"ref/{name}", "about": family.solver_about[name]} for name in family.solvers
        ],
        "chance": spec.chance,
        "margin": spec.margin,
    }


def show(families: Sequence[AnyFamily], console: Console) -> None:
    """A block for each family; with one family alone, its options and solvers as well."""
    for family in families:
        spec = family.spec
        console.print(f"[bold]{spec.name}[/bold]  {spec.title}", highlight=False)
        console.print(f"{spec.measures}\n", highlight=False)
        console.print(_rows("arms", ((arm.name, arm.about) for arm in spec.arms)))
        console.print(
            _rows("-T options", ((f"{o.name}={o.default}", o.about) for o in spec.options))
        )
        solvers = ((f"ref/{name}", about) for name, about in family.solver_about.items())
        console.print(_rows("solvers (--model)", solvers))


def _rows(title: str, pairs: Iterable[tuple[str, str]]) -> Table:
    table = Table(title, "", box=None, show_header=True, header_style="bold", pad_edge=False)
    for name, about in pairs:
        table.add_row(name, about)
    table.add_row("", "")
    return table


def weights_to_json(listed: Listed) -> dict[str, object]:
    weights = listed.weights
    return {
        "name": f"embedded/{weights.name}",
        "default": weights.is_default,
        "state": listed.state.value,
        "path": str(listed.path),
        "bytes": weights.size,
        "sha256": weights.sha256,
        "licence": weights.licence,
        "authors": weights.authors,
        "source": f"{weights.repository}/{weights.repository_file}",
        "mirror": sorted({f"{part.package} {part.version}" for part in weights.mirror}),
        "about": weights.about,
    }


def show_weights(listing: Sequence[Listed], console: Console) -> None:
    """A block for each model: what it is for, whether it is here, size, licence, source."""
    for listed in listing:
        weights = listed.weights
        default = ", the default" if weights.is_default else ""
        console.print(f"[bold]embedded/{weights.name}[/bold]  {listed.state.value}{default}")
        console.print(f"  {weights.about}", highlight=False)
        size = (
            f"{weights.size / 1e9:.2f} GB" if weights.size > 1e9 else f"{weights.size // 10**6} MB"
        )
        console.print(f"  {size}, {weights.licence}, {weights.authors}", highlight=False)
        console.print(f"  {weights.repository}/{weights.repository_file}", highlight=False)
        console.print(f"  sha256 {weights.sha256}\n", highlight=False)
