"""Versions of a study: the same title with other content, in one database."""

from __future__ import annotations

import json

from sqlalchemy import Connection, func, select

from misstep.core.errors import BadInput
from misstep.study.course.nouns import Study
from misstep.study.course.stored import Stored, departed
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


def stored(connection: Connection, number: int) -> Stored:
    """As it was served last."""
    asked = select(study.c.content, study.c.families).where(study.c.id == number)
    content, families = connection.execute(asked).one()
    return Stored(content, {} if families is None else json.loads(families))


def check_items(connection: Connection, number: int) -> None:
    """BadInput where people entered this version and this misstep makes its items otherwise: their
    answers would be held against items that they never met."""
    changed = departed(stored(connection, number).families)
    counted = select(func.count()).where(participant.c.study == number)
    if changed and (people := connection.execute(counted).scalar_one()):
        raise BadInput(
            f"--database: {people} of its people met other items of this study than this misstep "
            f"makes ({changed}); go on with the misstep of then, or, for new people alone, with "
            "another seed or another database"
        )
