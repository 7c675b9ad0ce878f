"""People among those who answered: participants are one side, pooled."""

from __future__ import annotations

from collections.abc import Iterable

from misstep.core.records import Record

PERSON = "person/"
PEOPLE = "people"


def is_person(who: str) -> bool:
    return who.startswith(PERSON)


def side(who: str) -> str:
    """The name under which records are compared: all participants are one side."""
    return PEOPLE if is_person(who) else who


def participants(records: Iterable[Record]) -> int:
    return len({record.who for record in records if is_person(record.who)})
