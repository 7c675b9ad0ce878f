"""Versions of a study: the same title with other content, in one database."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from misstep.study.course.nouns import Study
from misstep.study.store.nouns import State, Version
from misstep.study.store.tables import participant, study


def others(connection: Connection, asked: Study, number: int) -> tuple[Version, ...]:
    """Those but `number` that anybody entered, the oldest first."""
    counted = (
        select(study.c.id, study.c.digest, study.c.created, participant.c.state, func.count())
        .join(participant)
        .where(study.c.title == asked.title, study.c.id != number)
        .group_by(study.c.id, study.c.digest, study.c.created, participant.c.state)
        .order_by(study.c.id, participant.c.state)
    )
    found: dict[int, Version] = {}
    for one, digest, created, state, count in connection.execute(counted):
        before = found[one].states if one in found else {}
        found[one] = Version(one, digest, created, {**before, State(state): count})
    return tuple(found.values())


def content(connection: Connection, number: int) -> str:
    """The whole study as JSON, as it was served last."""
    return str(connection.execute(select(study.c.content).where(study.c.id == number)).scalar_one())
