"""People enter, are known again by their token, leave, and are deleted."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from sqlalchemy import ColumnElement, Connection, Row, delete, exists, func, select, update

from misstep.study.course.nouns import Study
from misstep.study.store import events
from misstep.study.store.nouns import Participant, Recruited, Refusal, State
from misstep.study.store.statements import added
from misstep.study.store.tables import answer, participant, served, study

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_LENGTH = 12
"""31 letters that aren't taken for one another, twelve times: 59 bits."""
_MOST_TRIES = 50


@dataclass(frozen=True)
class Visitor:
    """Who comes. `once` is the page's own mark of this entering ("": none), `address` the network
    address, None where the study doesn't keep it."""

    recruited: Recruited = field(default_factory=Recruited)
    once: str = ""
    address: str | None = None


@dataclass(frozen=True)
class Entered:
    """`token` is known to the person's browser alone; the store has its hash."""

    who: Participant
    token: str


def hashed(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def enter(
    connection: Connection,
    asked: Study,
    number: int,
    visitor: Visitor,
    first_key: str,
    now: int,
) -> Entered | Refusal:
    """A way of one's own, at the lowest free slot; `number` is the study's in the database.

    A page that enters twice with one mark, as its first reply was lost, has one way. Who was
    recruited and has entered before, but answered nothing yet, has it too; who has answered
    something is refused: only their own browser goes on. A new token ends the old one.
    """
    before = _entered_before(connection, asked, number, visitor)
    if before is not None:
        return before
    gate = events.gate(connection, number)
    if gate.closed or gate.paused:
        return Refusal.CLOSED if gate.closed else Refusal.PAUSED
    release_late(connection, number, now)
    for _ in range(_MOST_TRIES):  # another process may take the slot that was free just now
        slot = _lowest_free(connection, number, asked.people)
        if slot is None:
            return Refusal.FULL
        token = secrets.token_urlsafe(32)
        if _added(connection, asked, number, visitor, token, slot, now):
            return _served_first(connection, token, first_key, now)
        if _of_person(connection, number, visitor.recruited.person) is not None:
            return Refusal.TOOK_PART
    return Refusal.FULL


def of_token(connection: Connection, asked: Study, token_hash: str) -> Participant | None:
    """Whose token it is, of whichever version of the study."""
    found = (
        select(participant)
        .join(study)
        .where(participant.c.token == token_hash, study.c.title == asked.title)
    )
    row = connection.execute(found).one_or_none()
    return None if row is None else _participant(row)


def by_public(connection: Connection, number: int, public: str) -> Participant | None:
    return _one(connection, number, participant.c.public == public)


def everyone(connection: Connection, number: int) -> Sequence[Participant]:
    """In the order in which they entered."""
    asked = select(participant).where(participant.c.study == number).order_by(participant.c.id)
    return [_participant(row) for row in connection.execute(asked)]


def end(
    connection: Connection, who: int, state: State, now: int, bonus: float | None = None
) -> bool:
    """Whether the way ended now; False where it was over before.

    Of who doesn't consent, only that somebody did not stays: no id, no address.
    """
    values: dict[str, object] = {"state": state.value, "ended": now, "bonus": bonus}
    if not state.keeps_slot:
        values["held"] = None
    if state is State.NO_CONSENT:
        nothing = ("person", "recruited_study", "recruited_session", "address")
        values |= dict.fromkeys(nothing)
    changed = update(participant).where(
        participant.c.id == who, participant.c.state == State.UNDER_WAY.value
    )
    return connection.execute(changed.values(values)).rowcount == 1


def release_late(connection: Connection, number: int, now: int) -> None:
    """Who has not finished in time gives the slot back."""
    late = update(participant).where(
        participant.c.study == number,
        participant.c.state == State.UNDER_WAY.value,
        participant.c.until < now,
    )
    connection.execute(late.values(state=State.TIMED_OUT.value, held=None, ended=now))


def regain(connection: Connection, who: Participant, now: int) -> bool:
    """Whether somebody who took too long has the slot again, as nobody else took it; with as many
    minutes as at first."""
    other = participant.alias()
    is_taken = exists().where(other.c.study == participant.c.study, other.c.held == who.slot)
    regained = update(participant).where(
        participant.c.id == who.id,
        participant.c.state == State.TIMED_OUT.value,
        ~is_taken,
    )
    values = {
        "state": State.UNDER_WAY.value,
        "held": who.slot,
        "ended": None,
        "until": now + who.until - who.entered,
    }
    return connection.execute(regained.values(values)).rowcount == 1


def remove(connection: Connection, number: int, public: str, now: int) -> bool:
    """The person and all that is kept of them; only that somebody was deleted stays known."""
    gone = delete(participant).where(participant.c.study == number, participant.c.public == public)
    if connection.execute(gone).rowcount == 0:
        return False
    events.note(connection, number, events.DELETED, now)
    return True


def _added(
    connection: Connection,
    asked: Study,
    number: int,
    visitor: Visitor,
    token: str,
    slot: int,
    now: int,
) -> bool:
    recruited = visitor.recruited
    return added(
        connection,
        participant,
        study=number,
        public=_public(),
        token=hashed(token),
        entering=hashed(visitor.once) if visitor.once else None,
        slot=slot,
        held=slot,
        person=recruited.person or None,
        recruited_study=recruited.study or None,
        recruited_session=recruited.session or None,
        state=State.UNDER_WAY.value,
        consent=asked.consent_digest,
        entered=now,
        until=now + asked.minutes * 60_000,
        seen=now,
        address=visitor.address,
    )


def _entered_before(
    connection: Connection, asked: Study, number: int, visitor: Visitor
) -> Entered | Refusal | None:
    same_page = _of_mark(connection, number, visitor.once)
    if same_page is not None:
        return _with_new_token(connection, same_page)
    person = visitor.recruited.person
    found = _of_person(connection, number, person)
    if found is None:
        return _in_another_version(connection, asked, number, person)
    answers = select(func.count()).where(answer.c.participant == found.id)
    is_open = found.state is State.UNDER_WAY
    if not is_open or connection.execute(answers).scalar_one() > 0:
        return Refusal.TOOK_PART
    return _with_new_token(connection, found)


def _with_new_token(connection: Connection, who: Participant) -> Entered:
    token = secrets.token_urlsafe(32)
    mine = update(participant).where(participant.c.id == who.id)
    connection.execute(mine.values(token=hashed(token)))
    return Entered(who, token)


def _in_another_version(
    connection: Connection, asked: Study, number: int, person: str
) -> Refusal | None:
    """The same title in the same database is the same study with other words."""
    if not person:
        return None
    older = (
        select(participant.c.id)
        .join(study)
        .where(participant.c.person == person, study.c.title == asked.title, study.c.id != number)
    )
    return Refusal.TOOK_PART if connection.execute(older).first() is not None else None


def _lowest_free(connection: Connection, number: int, people: int) -> int | None:
    held = select(participant.c.held).where(
        participant.c.study == number, participant.c.held.is_not(None)
    )
    taken = set(connection.execute(held).scalars())
    return next((slot for slot in range(people) if slot not in taken), None)


def _served_first(connection: Connection, token: str, key: str, now: int) -> Entered:
    row = connection.execute(select(participant).where(participant.c.token == hashed(token))).one()
    who = _participant(row)
    added(connection, served, participant=who.id, key=key, at=now)
    return Entered(who, token)


def _of_mark(connection: Connection, number: int, once: str) -> Participant | None:
    return _one(connection, number, participant.c.entering == hashed(once)) if once else None


def _of_person(connection: Connection, number: int, person: str) -> Participant | None:
    return _one(connection, number, participant.c.person == person) if person else None


def _one(connection: Connection, number: int, rule: ColumnElement[bool]) -> Participant | None:
    asked = select(participant).where(participant.c.study == number, rule)
    row = connection.execute(asked).one_or_none()
    return None if row is None else _participant(row)


def _public() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def _participant(row: Row[tuple[object, ...]]) -> Participant:
    one = row._mapping  # noqa: SLF001 (SQLAlchemy's documented name)
    return Participant(
        id=one["id"],
        study=one["study"],
        public=one["public"],
        slot=one["slot"],
        state=State(one["state"]),
        recruited=Recruited(
            one["person"] or "", one["recruited_study"] or "", one["recruited_session"] or ""
        ),
        consent=one["consent"],
        entered=one["entered"],
        until=one["until"],
        seen=one["seen"],
        ended=one["ended"],
        bonus=one["bonus"],
        address=one["address"],
    )
