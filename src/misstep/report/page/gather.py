"""Runs → all that a page shows: comparisons, records, reference solvers, words, and what ran."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from misstep.analyse import compare
from misstep.analyse.people import is_person, participants
from misstep.analyse.record_files import parted, read_tables
from misstep.core.faults import Faults, together
from misstep.core.items import Item
from misstep.core.records import Record, Transcript
from misstep.registry import family_of, specs
from misstep.report.own import exchanging
from misstep.report.page.choosing import Key, choose, key_of
from misstep.report.page.data import Reading, ReportData, RunFacts
from misstep.runner import manifest
from misstep.runner.logged.logs import (
    Found,
    find_records,
    log_files,
    read_facts,
    read_items,
    read_words,
)
from misstep.runner.logged.seen import read_seen
from misstep.runner.solvers import reference_records

Items = Mapping[tuple[str, str], Mapping[str, Item[Any]]]  # Any: items of every payload


def gather(runs: Sequence[Path]) -> ReportData:
    """What the runs' logs hold, and files of records, which have no words. The solvers answer the
    items of the logs, in this process.

    Of the replies only those that a page shows are read.
    """
    held, places = parted(runs)
    files = log_files(places)
    found = find_records(files)
    tables = read_tables(held)
    records = [one.record for one in found]
    known = specs()
    items = {
        asked: {item.id: item for item in listed}
        for asked, listed in read_items(found, family_of).items()
    }
    choice = choose(records)
    exchanged = exchanging.wanted(records)
    records += [record for own in tables.values() for record in own]
    told = _words(found, {*choice.examples, *choice.readings, *choice.unparsed, *exchanged}, items)
    return ReportData(
        comparisons=compare(records, known),
        records=records,
        references=_references(items),
        transcripts=[told[key].transcript for key in choice.examples],
        readings=[told[key] for key in (*choice.readings, *choice.unparsed)],
        facts=(
            *(RunFacts(file.parent.name, tuple(read_facts(file))) for file in files),
            *(_table_facts(file, own) for file, own in tables.items()),
        ),
        specs=known,
        exchanged=[told[key].transcript for key in exchanged],
        faults=_faults(files),
    )


def _table_facts(file: Path, records: Sequence[Record]) -> RunFacts:
    """Of a file of records that is all that is known."""
    people = participants(records)
    models = dict.fromkeys(one.who for one in records if not is_person(one.who))
    facts = [("records", f"{len(records):,}")]
    facts += [("people", f"{people:,}")] if people else []
    facts += [("model", name) for name in models]
    facts += [("family", name) for name in dict.fromkeys(one.family for one in records)]
    beside = dict.fromkeys((one.details.get("human_arm"), one.arm) for one in records)
    facts += [("arm of people", f"{own}, beside {arm}") for own, arm in beside if own is not None]
    for label in ("study", "consent"):
        digests = dict.fromkeys(one.details[label] for one in records if label in one.details)
        facts += [(label, str(digest)) for digest in digests]
    return RunFacts(file.name, tuple(facts))


def _faults(files: Sequence[Path]) -> dict[tuple[str, str], Faults]:
    """By family and model; a log that stands in no run's folder has none."""
    folders = dict.fromkeys(file.parent for file in files)
    found: dict[tuple[str, str], list[Faults]] = {}
    for asked in (manifest.read(one) for one in folders if (one / manifest.NAME).exists()):
        found.setdefault((asked.family, asked.model), []).append(asked.faults)
    return {asked: together(listed) for asked, listed in found.items()}


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
