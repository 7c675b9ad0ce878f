"""Answers: each is kept once, with when its screen was served and when it came."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, Row, and_, bindparam, func, insert, select, update

from misstep.study.store import people
from misstep.study.store.nouns import Kept, Overruling, Participant, Sent, Sign, State
from misstep.study.store.statements import added
from misstep.study.store.tables import answer, overruling, participant, served
from misstep.study.trials.nouns import Given

END = "end"
"""The key of every last screen, which is served and never answered."""
_SAME_STEP = and_(served.c.participant == answer.c.participant, served.c.key == answer.c.key)
_SEEN = (
    update(participant)
    .where(
        participant.c.id == bindparam("who"),
        participant.c.token == bindparam("its_token"),
        participant.c.state == State.UNDER_WAY.value,
    )
    .values(seen=bindparam("now"))
)


@dataclass(frozen=True)
class Next:
    """What comes after an answer: the key of the screen that is served now, and how the way ended
    if it did (UNDER_WAY: it goes on)."""

    key: str
    state: State = State.UNDER_WAY
    bonus: float | None = None


def keep(
    connection: Connection, who: int, token_hash: str, sent: Sent, then: Next, now: int
) -> bool:
    """Whether the answer is kept now. False: there is one already, or the way is over, or the
    token was replaced; nothing is changed then, and where the person stands is to be read anew."""
    here = {"who": who, "its_token": token_hash, "now": now}
    if connection.execute(_SEEN, here).rowcount == 0:
        return False
    is_kept = added(
        connection,
        answer,
        participant=who,
        key=sent.given.key,
        once=sent.once,
        answer=json.dumps(sent.given.answer),
        rt_ms=sent.given.rt_ms,
        signs=json.dumps([asdict(sign) for sign in sent.signs]),
        row=json.dumps(sent.row),
        received=now,
    )
    if not is_kept:
        return False
    added(connection, served, participant=who, key=then.key, at=now)
    if then.state is not State.UNDER_WAY:
        people.end(connection, who, then.state, now, then.bonus)
    return True


def kept_of(connection: Connection, who: int) -> tuple[Kept, ...]:
    """Everything the person answered, in order."""
    asked = (
        select(answer, served.c.at)
        .outerjoin(served, _SAME_STEP)
        .where(answer.c.participant == who)
        .order_by(answer.c.id)
    )
    return tuple(_kept(row) for row in connection.execute(asked))


def counts(connection: Connection, number: int) -> Mapping[int, int]:
    """How many answers each person of the study has given (those with none are left out)."""
    asked = (
        select(answer.c.participant, func.count().label("answers"))
        .join(participant)
        .where(participant.c.study == number)
        .group_by(answer.c.participant)
    )
    return {row.participant: row.answers for row in connection.execute(asked)}


def stops(connection: Connection, number: int) -> Mapping[int, str]:
    """The key of the screen at which each person of the study is, or was when the way ended."""
    newest = select(func.max(answer.c.id)).group_by(answer.c.participant)
    last = (
        select(answer.c.participant, answer.c.key)
        .join(participant)
        .where(participant.c.study == number, answer.c.id.in_(newest))
    )
    open_ = (
        select(served.c.participant, served.c.key)
        .select_from(served)
        .outerjoin(answer, _SAME_STEP)
        .join(participant, participant.c.id == served.c.participant)
        .where(participant.c.study == number, answer.c.id.is_(None), served.c.key != END)
    )
    found = {row.participant: row.key for row in connection.execute(last)}
    return found | {row.participant: row.key for row in connection.execute(open_)}


def overrule(connection: Connection, who: Participant, reading: Overruling) -> None:
    """Beside the automatic reading, which stays; an earlier one of the researcher's stays too."""
    connection.execute(insert(overruling), {"participant": who.id, **asdict(reading)})


def overrulings(connection: Connection, who: int) -> Mapping[int, Overruling]:
    """By trial, the last one of each."""
    asked = select(overruling).where(overruling.c.participant == who).order_by(overruling.c.id)
    return {
        row.trial: Overruling(row.trial, row.reading, row.note, row.at)
        for row in connection.execute(asked)
    }


def _kept(row: Row[tuple[object, ...]]) -> Kept:
    one = row._mapping  # noqa: SLF001 (SQLAlchemy's documented name)
    given = Given(one["key"], json.loads(one["answer"]), one["rt_ms"])
    signs = tuple(Sign(**sign) for sign in json.loads(one["signs"]))
    return Kept(Sent(given, one["once"], signs, json.loads(one["row"])), one["at"], one["received"])
