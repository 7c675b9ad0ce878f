"""What everyone's way came to so far; people who have answered since are looked at again."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from misstep.study.course.judging import judged
from misstep.study.course.nouns import Planned, Study
from misstep.study.course.way import finished
from misstep.study.store import answers, people
from misstep.study.store.nouns import Kept, Participant
from misstep.study.store.opening import Store
from misstep.study.trials.nouns import Given, Judged


@dataclass(frozen=True)
class Tried:
    """A trial that is over. `ms` is the time on all its screens, None where one isn't known."""

    number: int
    planned: Planned
    judged: Judged
    given: tuple[Given, ...]
    ms: float | None


@dataclass(frozen=True)
class Page:
    """One person's. `at` is the key of the screen at which they are, or stopped; `signs` how often
    each kind came, and how much of it (`store.nouns.Sign.n`)."""

    who: Participant
    at: str
    answers: int
    tried: tuple[Tried, ...]
    signs: Mapping[str, tuple[int, float]]


@dataclass(frozen=True)
class _Seen:
    """What the database said at one moment; `fresh` are the answers of those who gave more."""

    everyone: Sequence[Participant]
    counts: Mapping[int, int]
    at: Mapping[int, str]
    fresh: Mapping[int, tuple[Kept, ...]]


class Book:
    """A page a person, kept between looks; may be asked from several threads."""

    def __init__(self, study: Study, store: Store) -> None:
        self._study, self._store = study, store
        self._pages: dict[int, Page] = {}
        self._lock = threading.Lock()

    def pages(self) -> tuple[Page, ...]:
        """Everyone's, in the order of entering. Blocks; Away where the database can't be had."""
        with self._lock:
            seen = self._store.read(self._look)
            found = [self._page(seen, who) for who in seen.everyone]
            self._pages = {page.who.id: page for page in found}
            return tuple(found)

    def _look(self, connection: Connection) -> _Seen:
        number = self._store.number
        counts = answers.counts(connection, number)
        grown = [who for who, count in counts.items() if self._count(who) != count]
        fresh = {who: answers.kept_of(connection, who) for who in grown}
        at = answers.stops(connection, number)
        return _Seen(people.everyone(connection, number), counts, at, fresh)

    def _count(self, who: int) -> int:
        return self._pages[who].answers if who in self._pages else 0

    def _page(self, seen: _Seen, who: Participant) -> Page:
        kept, old = seen.fresh.get(who.id), self._pages.get(who.id)
        at = seen.at.get(who.id, "")
        if kept is None:
            tried, signs = (old.tried, old.signs) if old is not None else ((), {})
        else:
            tried, signs = self._tried(who, kept, old.tried if old is not None else ()), _sum(kept)
        return Page(who, at, seen.counts.get(who.id, 0), tried, signs)

    def _tried(
        self, who: Participant, kept: Sequence[Kept], before: tuple[Tried, ...]
    ) -> tuple[Tried, ...]:
        """A trial that is over stays what it was judged to be."""
        known = {one.number: one for one in before}
        over = finished(self._study, who.slot, [one.sent.given for one in kept])
        found = []
        for planned, given in over:
            number = int(given[0].key.split("/")[1])
            found.append(known.get(number) or self._judge(number, planned, given))
        return tuple(found)

    def _judge(self, number: int, planned: Planned, given: tuple[Given, ...]) -> Tried:
        times = [one.rt_ms for one in given if one.rt_ms is not None]
        ms = sum(times) if len(times) == len(given) else None
        return Tried(number, planned, judged(self._study, planned, given), given, ms)


def _sum(kept: Sequence[Kept]) -> dict[str, tuple[int, float]]:
    often: Counter[str] = Counter()
    much: Counter[str] = Counter()
    for one in kept:
        for sign in one.sent.signs:
            often[sign.kind] += 1
            much[sign.kind] += sign.n  # type: ignore[assignment]  # a counter of amounts
    return {kind: (often[kind], float(much[kind])) for kind in sorted(often)}
