"""A report's records of people held against their study's frozen file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from misstep.report.page.data import ReportData


def held_against(frozen: Path, data: ReportData) -> ReportData:
    """With what the records show of changes since; BadInput where nobody's are among them."""
    from misstep.analyse.people import participants
    from misstep.report.page.data import Frozen
    from misstep.study.freezing.reading import read_frozen
    from misstep.study.freezing.records import departures

    document = read_frozen(frozen, "--frozen")
    if not participants(data.records):
        raise BadInput(f"--frozen: {frozen}: no record among the runs is a person's")
    found = departures(document, data.records, data.comparisons)
    return replace(data, frozen=Frozen(frozen.name, str(document["sha256"]), found))
