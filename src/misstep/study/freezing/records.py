"""What records of people show of changes since their study was frozen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from misstep.analyse.comparison import Comparison
from misstep.analyse.people import is_person, participants
from misstep.core.records import Record
from misstep.study.freezing.analysis import name_of
from misstep.study.freezing.document import Document
from misstep.study.screens import Json


def departures(
    document: Document, records: Sequence[Record], comparisons: Iterable[Comparison]
) -> tuple[str, ...]:
    """A line for each way in which the people's records, and the comparisons shown of people, are
    not those that were frozen. Records of models are not looked at."""
    people = [one for one in records if is_person(one.who)]
    return (
        *_of_study(document, people),
        *_of_items(document, people),
        *_of_plan(document, comparisons),
    )


def _of_study(document: Document, people: Sequence[Record]) -> Iterator[str]:
    study = _table(document["study"])
    count = participants(people)
    if count != study["people"]:
        yield f"people in the records: {count}; planned: {study['people']}"
    for field, detail, said in (
        ("consent_digest", "consent", "consented to another text"),
        ("digest", "study", "met another version of the study"),
    ):
        others = {one.who for one in people if one.details.get(detail) not in (None, study[field])}
        if others:
            yield f"people who {said}: {len(others)} of {count}"


def _of_items(document: Document, people: Sequence[Record]) -> Iterator[str]:
    """A record belongs to the blocks of its family, version and variant."""
    blocks = [_table(one) for one in _listed(document["blocks"])]
    asked = {(block["family"], block["version"], block["variant"]) for block in blocks}
    for family, version, variant in dict.fromkeys(map(_asked, people)):
        own = [one for one in people if _asked(one) == (family, version, variant)]
        named = f"{family} {version}" + (f" ({variant})" if variant else "")
        if (family, version, variant) not in asked:
            yield f"{named}: {len(own)} records of what was not planned"
            continue
        mine = [block for block in blocks if block["family"] == family]
        items = {name for block in mine for name in _table(block["trial_items"])}
        arms = {
            _table(arm)["in_records"] for block in mine for arm in _table(block["arms"]).values()
        }
        yield from _not_among(f"{named}: items", [one.item for one in own], items)
        yield from _not_among(f"{named}: arms", [one.arm for one in own], arms)


def _not_among(what: str, met: Sequence[str], planned: Iterable[Json]) -> Iterator[str]:
    known = set(planned)
    others = [name for name in dict.fromkeys(met) if name not in known]
    if others:
        count = len(dict.fromkeys(met))
        yield f"{what} that were not planned: {len(others)} of {count}, first: {others[0]}"


def _of_plan(document: Document, comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Of people alone: a comparison with a model is no part of a study's plan."""
    shown = [
        one
        for one in comparisons
        if one.arm_summary.participants and one.baseline_who is None and one.factor is None
    ]
    planned = _table(_table(document["analysis"])["contrasts"])
    found = {name_of(one): one for one in shown}
    for name in planned:
        if name not in found:
            yield f"planned contrast {name}: is not shown"
    for name, one in found.items():
        if name not in planned:
            yield f"contrast {name}: was not planned"
            continue
        plan = _table(planned[name])
        for field, now in (("test", one.test), ("margin", one.equivalence.margin)):
            if plan[field] != now:
                yield f"planned contrast {name}: {field}: {plan[field]} → {now}"


def _asked(record: Record) -> tuple[str, int, str]:
    return record.family, record.version, record.variant


def _table(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, Mapping) else {}


def _listed(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else ()
