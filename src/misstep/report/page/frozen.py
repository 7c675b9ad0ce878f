"""What was changed since a study was frozen: a part of the page, where a frozen file was named."""

from __future__ import annotations

from html import escape

from misstep.report.page.data import Frozen
from misstep.report.page.markup import items, tag

TITLE = "Since the study was frozen"


def lead(frozen: Frozen) -> str:
    count = len(frozen.departures)
    if not count:
        found = "the people's records and the contrasts shown are those that were planned"
    else:
        found = "one difference from the plan" if count == 1 else f"{count} differences from it"
    return f"Held against {frozen.name} (sha256 {frozen.sha256}): {found}."


def body(frozen: Frozen | None) -> str:
    """Empty where no file was named."""
    if frozen is None:
        return ""
    return tag("p", escape(lead(frozen))) + items(frozen.departures)
