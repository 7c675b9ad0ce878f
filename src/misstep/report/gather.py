"""Runs → all that a page shows: comparisons, records, reference solvers, words, and what ran."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from misstep.analyse import compare
from misstep.core.records import Record
from misstep.registry import family, specs
from misstep.report.data import ReportData, RunFacts
from misstep.runner.logs import (
    log_files,
    read_facts,
    read_items,
    read_records,
    read_transcripts,
)
from misstep.runner.solvers import reference_records


def gather(runs: Sequence[Path]) -> ReportData:
    """What the runs' logs hold. The solvers answer the same items, in this process."""
    files = log_files(runs)
    records = read_records(files)
    known = specs()
    return ReportData(
        comparisons=compare(records, known),
        records=records,
        references=_references(files),
        transcripts=tuple(read_transcripts(files)),
        facts=tuple(RunFacts(file.parent.name, tuple(read_facts(file))) for file in files),
        specs=known,
    )


def _references(files: Sequence[Path]) -> list[Record]:
    return [
        record
        for (name, variant), items in read_items(files, family).items()
        for record in reference_records(family(name), items, variant)
    ]
