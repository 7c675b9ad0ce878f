"""Runs → all that a page shows: comparisons, records, reference solvers, words, and what ran."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from misstep.analyse import compare
from misstep.core.items import Item
from misstep.core.records import Record, Transcript
from misstep.registry import family_of, specs
from misstep.report.own import exchanging
from misstep.report.page.choosing import Key, choose, key_of
from misstep.report.page.data import Reading, ReportData, RunFacts
from misstep.runner.logs import Found, find_records, log_files, read_facts, read_items, read_words
from misstep.runner.seen import read_seen
from misstep.runner.solvers import reference_records

Items = Mapping[tuple[str, str], Mapping[str, Item[Any]]]  # Any: items of every payload


def gather(runs: Sequence[Path]) -> ReportData:
    """What the runs' logs hold. The solvers answer the same items, in this process.

    Of the replies only those that a page shows are read.
    """
    files = log_files(runs)
    found = find_records(files)
    records = [one.record for one in found]
    known = specs()
    items = {
        asked: {item.id: item for item in listed}
        for asked, listed in read_items(found, family_of).items()
    }
    choice = choose(records)
    exchanged = exchanging.wanted(records)
    told = _words(found, {*choice.examples, *choice.readings, *choice.unparsed, *exchanged}, items)
    return ReportData(
        comparisons=compare(records, known),
        records=records,
        references=_references(items),
        transcripts=[told[key].transcript for key in choice.examples],
        readings=[told[key] for key in (*choice.readings, *choice.unparsed)],
        facts=tuple(RunFacts(file.parent.name, tuple(read_facts(file))) for file in files),
        specs=known,
        exchanged=[told[key].transcript for key in exchanged],
    )


def _words(found: Sequence[Found], wanted: Set[Key], items: Items) -> dict[Key, Reading]:
    chosen = [one for one in found if key_of(one.record) in wanted]
    seen = read_seen(chosen, family_of)
    pictures = {key_of(one.record): seen.get((one.file, *one.key), ()) for one in chosen}
    return {
        key_of(one.record): Reading(
            replace(_told(one, items), pictures=pictures[key_of(one.record)]), span
        )
        for one, span in read_words(chosen)
    }


def _references(items: Items) -> list[Record]:
    return [
        record
        for (name, variant), asked in items.items()
        for record in reference_records(family_of(name), asked.values(), variant)
    ]


def _told(one: Transcript, items: Items) -> Transcript:
    """With the answer in the words of the truth, where the family tells how."""
    record = one.record
    say = family_of(record.family).say
    item = items[record.family, record.variant][record.item]
    if say is None or record.answer is None or item.version != record.version:
        return one
    return replace(one, record=replace(record, answer=say(item, record.answer)))
