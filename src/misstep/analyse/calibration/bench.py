"""All rows of the calibration, one after the other as they are reckoned."""

from __future__ import annotations

from collections.abc import Iterator

from misstep.analyse.calibration.discovery import discovery_rows
from misstep.analyse.calibration.early import looks_rows, share_rows
from misstep.analyse.calibration.fixed import coverage_rows, margin_rows, type_one_rows
from misstep.analyse.calibration.nouns import Effort, Row
from misstep.analyse.calibration.promised import power_rows


def rows(effort: Effort) -> Iterator[Row]:
    for part in (
        type_one_rows,
        coverage_rows,
        margin_rows,
        power_rows,
        discovery_rows,
        looks_rows,
        share_rows,
    ):
        yield from part(effort)
