"""Results of a study without a server into its store, where they are as if it had been served."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from sqlalchemy import Connection, delete, func, select

from misstep.core.errors import BadInput
from misstep.study.bundle.results import Answered, Result
from misstep.study.course.judging import bonus
from misstep.study.course.nouns import Ending, Study
from misstep.study.course.way import ending, step
from misstep.study.screens import Unfit, fit
from misstep.study.store import answers, people
from misstep.study.store.answers import Next
from misstep.study.store.nouns import Recruited, State
from misstep.study.store.opening import open_store
from misstep.study.store.statements import added
from misstep.study.store.tables import answer, participant, served
from misstep.study.trials.nouns import Given

NEW, LONGER, KNOWN, TWICE = "new", "longer than before", "there already", "the person twice"


@dataclass(frozen=True)
class _Walked:
    """A result that was held against the study: its answers as they are kept, how it ended."""

    result: Result
    answers: tuple[Answered, ...]
    then: tuple[Next, ...]
    state: State


def imported(study: Study, results: Sequence[Result], database: str) -> Iterator[str]:
    """Lines for the reader. Nothing is written where one of the results doesn't fit: BadInput names
    it, and the answer."""
    walked = [_walked(study, one) for one in results]
    last = max(one.result.ended or one.result.entered for one in walked)
    store = open_store(database, study, last, lambda _line: None)
    try:
        done = [store.write(_keeping(study, store.number, one)).result() for one in walked]
    finally:
        store.close()
    for one, how in zip(walked, done, strict=True):
        if how == TWICE:
            yield f"{one.result.source}: not imported: this person is in the database already"
    states = Counter(
        one.state.value.replace("_", " ")
        for one, how in zip(walked, done, strict=True)
        if how in (NEW, LONGER)
    )
    told = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    yield f"{states.total()} results imported{f' ({told})' if told else ''} into {database}"
    if done.count(KNOWN):
        yield f"{done.count(KNOWN)} were there already"


def public_of(run: str) -> str:
    """The name under which the records of a run stand, the same wherever it is imported."""
    return sha256(f"public/{run}".encode()).hexdigest()[:12]


def _walked(study: Study, result: Result) -> _Walked:
    """Every answer held against the very screen that it answers."""
    given: tuple[Given, ...] = ()
    kept: list[Answered] = []
    then: list[Next] = []
    state = State.UNDER_WAY
    for number, one in enumerate(result.answers, start=1):
        fitting = _fitting(study, result, number, given)
        given = (*given, fitting)
        kept.append(replace(one, sent=replace(one.sent, given=fitting)))
        over = ending(study, result.place, given)
        state = State.UNDER_WAY if over is None else State(over.value)
        earned = bonus(study, result.place, given) if over is Ending.COMPLETE else None
        then.append(Next(step(study, result.place, given).key, state, earned))
    return _Walked(result, tuple(kept), tuple(then), _state(result, state))


def _fitting(study: Study, result: Result, number: int, given: tuple[Given, ...]) -> Given:
    one = result.answers[number - 1].sent.given
    at = step(study, result.place, given)
    where = f"RESULT: {result.source}: answers.{number}"
    if at.key != one.key:
        raise BadInput(f"{where}: is to {one.key[:60]!r}, where {at.key!r} is asked")
    try:
        return replace(one, answer=fit(at.screen, one.answer))
    except Unfit as unfit:
        raise BadInput(f"{where}: {one.key}: {unfit}") from None


def _state(result: Result, reached: State) -> State:
    """Who neither got to an end nor withdrew has left, and doesn't come back."""
    if reached is State.UNDER_WAY and result.ending == State.WITHDRAWN.value:
        return State.WITHDRAWN
    said = None if reached is State.UNDER_WAY else reached.value
    if result.ending != said:
        ending = str(result.ending)[:40]
        raise BadInput(f"RESULT: {result.source}: ending: {ending!r} is not where its answers lead")
    return State.TIMED_OUT if reached is State.UNDER_WAY else reached


def _keeping(study: Study, number: int, walked: _Walked) -> Callable[[Connection], str]:
    return lambda connection: _keep(connection, study, number, walked)


def _keep(connection: Connection, study: Study, number: int, walked: _Walked) -> str:
    result, how = walked.result, NEW
    mark = people.hashed(f"import/{result.run}")  # "/" is in no mark that a page may send
    before = connection.execute(
        select(participant.c.id, participant.c.state).where(participant.c.entering == mark)
    ).one_or_none()
    if before is not None:
        count = select(func.count()).where(answer.c.participant == before.id)
        is_over = before.state != State.TIMED_OUT.value
        if is_over or connection.execute(count).scalar_one() >= len(walked.answers):
            return KNOWN
        connection.execute(delete(participant).where(participant.c.id == before.id))
        how = LONGER
    if _took_part(connection, number, result.visit):
        return TWICE
    _add(connection, study, number, walked, mark)
    return how


def _add(connection: Connection, study: Study, number: int, walked: _Walked, mark: str) -> None:
    result = walked.result
    token = people.hashed(secrets.token_urlsafe(32))  # nobody has it: nobody goes on here
    added(
        connection,
        participant,
        study=number,
        public=public_of(result.run),
        token=token,
        entering=mark,
        slot=result.place,
        held=_free(connection, number, result.place),
        person=result.visit.person or None,
        recruited_study=result.visit.study or None,
        recruited_session=result.visit.session or None,
        state=State.UNDER_WAY.value,
        consent=study.consent_digest,
        entered=result.entered,
        until=result.entered + study.minutes * 60_000,
        seen=result.entered,
        address=None,
    )
    mine = select(participant.c.id).where(participant.c.token == token)
    who = int(connection.execute(mine).scalar_one())
    first = step(study, result.place, ()).key
    added(connection, served, participant=who, key=first, at=result.entered)
    now = result.entered
    for one, then in zip(walked.answers, walked.then, strict=True):
        now = one.received
        answers.keep(connection, who, token, one.sent, then, now)
    people.end(connection, who, walked.state, result.ended or now)


def _took_part(connection: Connection, number: int, visit: Recruited) -> bool:
    same = select(participant.c.id).where(
        participant.c.study == number, participant.c.person == visit.person
    )
    return bool(visit.person) and connection.execute(same).first() is not None


def _free(connection: Connection, number: int, place: int) -> int | None:
    """Two may have had one place: the second one holds none."""
    held = select(participant.c.id).where(
        participant.c.study == number, participant.c.held == place
    )
    return place if connection.execute(held).first() is None else None
