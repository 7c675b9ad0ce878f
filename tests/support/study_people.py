"""People who take part in a study by the store alone, answering as a reference solver does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from misstep.study.course import judging
from misstep.study.course.nouns import Step, Study
from misstep.study.course.way import step
from misstep.study.screens import Ask, Json
from misstep.study.store import answers, people
from misstep.study.store.answers import Next
from misstep.study.store.nouns import Recruited, Sent, Sign, State
from misstep.study.store.opening import Store, open_store
from misstep.study.trials.nouns import Given
from study_walks import Change, walked

NOW = 1_800_000_000_000
SCREEN_MS = 1_500


@dataclass(frozen=True)
class Came:
    """How somebody takes part. `answers` of them are given, then they stay away (None: all);
    `signs` come on the screens of these keys; `change` answers otherwise than the solver."""

    solver: str = ""
    answers: int | None = None
    ends: State | None = None
    person: str = ""
    change: Change | None = None
    signs: Mapping[str, Sequence[Sign]] | None = None


def opened(study: Study, database: str) -> Store:
    return open_store(database, study, NOW, lambda _line: None)


def take_part(store: Store, study: Study, came: Came = Came()) -> str:
    """The public id of who came."""

    def job(connection: Connection) -> str:
        visitor = people.Visitor(Recruited(came.person, "study-7" if came.person else ""))
        entered = people.enter(connection, study, store.number, visitor, "consent", NOW)
        assert isinstance(entered, people.Entered)
        _answer(connection, study, came, entered)
        return entered.who.public

    return store.write(job).result()


def _answer(connection: Connection, study: Study, came: Came, entered: people.Entered) -> None:
    who, name = entered.who, people.hashed(entered.token)
    given, _ = walked(study, who.slot, came.change, came.solver)
    now = NOW
    for place, one in enumerate(given[: came.answers]):
        now += SCREEN_MS
        then = _then(study, who.slot, given[: place + 1])
        signs = tuple((came.signs or {}).get(one.key, ()))
        row = {"trial_index": place, "rt": one.rt_ms, "response": dict(one.answer)}
        sent = Sent(one, f"once-{place:012}", signs, row)
        assert answers.keep(connection, who.id, name, sent, then, now)
    if came.ends is not None:
        people.end(connection, who.id, came.ends, now)


def _then(study: Study, slot: int, given: Sequence[Given]) -> Next:
    at = step(study, slot, given)
    if at.part != "end":
        return Next(at.key)
    return Next(at.key, State.COMPLETE, judging.bonus(study, slot, given))


FILE = """
schema = 1
title = "Two statements"
people = 20
tries = 0

[[block]]
family = "inconsistency"
items = 4
practice = 0
pool = 8

[exclusions]
fast_ms = 300
most_fast = 0.4
most_missed = 0.4
least_answered = 0.75
"""


@dataclass(frozen=True)
class Held:
    """A study's file, its store, and who came: names of how they did it, with their ids."""

    file: Path
    study: Study
    store: Store
    database: str
    who: Mapping[str, str]


def missing(at: Step, answer: Mapping[str, Json]) -> Mapping[str, Json]:
    """Lets the time run out where there is a deadline."""
    has_deadline = isinstance(at.screen, Ask) and at.screen.deadline_ms is not None
    return {"value": None} if has_deadline else answer


CAME = {
    "whole": Came(person="PROLIFIC-1", signs={"trial/0/0": [Sign("paste", 10.0, 12.0)] * 2}),
    "another": Came(person="PROLIFIC-2"),
    "missed": Came(change=missing),
    "under_way": Came(answers=4),
    "withdrawn": Came(answers=5, ends=State.WITHDRAWN),
    "timed_out_late": Came(answers=9, ends=State.TIMED_OUT),
    "timed_out_early": Came(answers=5, ends=State.TIMED_OUT),
}
