"""What happened to the study as a whole; the last word on pausing and closing is in force."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from misstep.study.store.nouns import Gate
from misstep.study.store.tables import event

PAUSED, RESUMED, CLOSED, REOPENED, DELETED = "paused", "resumed", "closed", "reopened", "deleted"
_GATES = (PAUSED, RESUMED, CLOSED, REOPENED)


def note(connection: Connection, number: int, kind: str, now: int) -> None:
    connection.execute(insert(event), {"study": number, "kind": kind, "at": now})


def gate(connection: Connection, number: int) -> Gate:
    """Pausing and closing are two things: a study that is closed may be paused as well."""
    asked = select(event.c.kind).where(event.c.study == number, event.c.kind.in_(_GATES))
    paused = closed = False
    for kind in connection.execute(asked.order_by(event.c.id)).scalars():
        paused = kind == PAUSED if kind in (PAUSED, RESUMED) else paused
        closed = kind == CLOSED if kind in (CLOSED, REOPENED) else closed
    return Gate(paused, closed)
