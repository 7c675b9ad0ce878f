"""A user's own planning domains, as `misstep list planbench` shows them below the shipped ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from misstep.planning.finding import Known

FAMILY = "planbench"


def own_domains() -> Sequence[Known]:
    """Raises BadInput where MISSTEP_DOMAINS names no folder."""
    from misstep.planning import PlanningError
    from misstep.planning.finding import known_domains

    try:
        return [known for known in known_domains() if not known.is_shipped]
    except PlanningError as error:
        raise BadInput(str(error)) from None


def to_json(known: Known) -> dict[str, object]:
    """`clash` says why the name can't be used; null where it can."""
    return {"name": known.name, "folder": str(known.folder), "clash": known.clash or None}


def show(known: Sequence[Known], console: Console) -> None:
    console.print("[bold]your own domains, -T domain=[/bold]")
    for one in known:
        line = f"{one.name:<12} {one.clash or one.folder}"
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    if not known:
        console.print("none; docs/own-domain.md says where they go", highlight=False)
