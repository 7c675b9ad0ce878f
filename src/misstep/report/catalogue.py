"""What there is to choose from: families with arms, options and solvers; embedded models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from misstep.core.arms import DRAWS, general
from misstep.core.family import Family, Listing
from misstep.models.store import Listed

AnyFamily = Family[Any]  # Any: families of every payload
_GENERAL = (
    "tot:N, self-consistency:N, think:none, think:low, think:medium, think:high, think:TOKENS and "
    "+voteN"
)
_ABOUT_GENERAL = (
    (
        "think:none",
        (
            "the words of direct, the model told not to think; think:low, think:medium, think:high "
            "and think:TOKENS: told how much"
        ),
    ),
    ("tot:N", f"a tree: N thoughts, N votes for the best one; tot is tot:{DRAWS}"),
    ("self-consistency:N", f"the majority of N replies to cot; without a number {DRAWS}"),
    ("+voteN", "after any single-reply arm, as in direct+vote5: the majority of N"),
)


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
        "general_arms": [{"name": arm.name, "about": arm.about} for arm in general(spec.arms)],
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
        "listings": [_listing_to_json(listing) for listing in family.listings],
        "chance": spec.chance,
        "chances": dict(spec.chances),
        "margin": spec.margin,
    }


def _listing_to_json(listing: Listing) -> dict[str, object]:
    return {
        "option": listing.option or None,
        "title": listing.title,
        "entries": [{"name": one.name, "about": one.about} for one in listing.entries],
        "endings": [{"name": one.name, "about": one.about} for one in listing.endings],
    }


def show_names(families: Sequence[AnyFamily], console: Console) -> None:
    """A few lines for each family: what it measures, and the names that there are."""
    for family in families:
        spec = family.spec
        rows = [("arms", [arm.name for arm in spec.arms])]
        rows += [(one.title, _names(one)) for one in family.listings if one.option]
        rows += [("solvers", [f"ref/{name}" for name in family.solvers])]
        _show_head(family, console)
        console.print(_rows(f"version {spec.version}", ((t, ", ".join(n)) for t, n in rows)))
    console.print(f"Every family has the arms {_GENERAL}, too.", highlight=False)
    console.print("misstep list NAME says what each of them is.", highlight=False)


def _names(listing: Listing) -> list[str]:
    endings = [f"NAME{ending.name}" for ending in listing.endings]
    return [one.name for one in listing.entries] + endings


def show(family: AnyFamily, console: Console) -> None:
    """All that there is to choose from in one family, and what each of it is."""
    spec = family.spec
    _show_head(family, console)
    arms = [(arm.name, arm.about) for arm in spec.arms]
    console.print(_rows("arms", [*arms, *_ABOUT_GENERAL]))
    options = ((f"{option.name}={option.default}", option.about) for option in spec.options)
    console.print(_rows("-T options", options))
    for listing in family.listings:
        title = f"{listing.title}, -T {listing.option}=" if listing.option else listing.title
        entries = (*listing.entries, *listing.endings)
        console.print(_rows(title, ((one.name, one.about) for one in entries)))
    solvers = ((f"ref/{name}", about) for name, about in family.solver_about.items())
    console.print(_rows("solvers (--model)", solvers))


def _show_head(family: AnyFamily, console: Console) -> None:
    console.print(f"[bold]{family.spec.name}[/bold]  {family.spec.title}", highlight=False)
    console.print(f"{family.spec.measures}\n", highlight=False)


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
