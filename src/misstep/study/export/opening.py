"""A study's database that is there already: an export makes none, and enrols no study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, exc, func, select

from misstep.core.errors import BadInput, MisstepError
from misstep.study.course.nouns import Study
from misstep.study.store.connecting import connect, named
from misstep.study.store.migrating import migrate
from misstep.study.store.opening import Store
from misstep.study.store.tables import participant
from misstep.study.store.tables import study as study_table
from misstep.study.store.writing import Writer, said


@contextmanager
def found_store(database: str, asked: Study) -> Iterator[Store]:
    """The store with the study in it, closed at the end; BadInput where either isn't there."""
    if "://" not in database and not Path(database).is_file():
        raise BadInput(f"--database: {database} does not exist")
    engine = connect(database)
    try:
        number = _number(engine, asked)
    except exc.DBAPIError as error:
        engine.dispose()
        raise BadInput(f"--database: {named(engine)}: {said(error)}") from None
    except MisstepError:
        engine.dispose()
        raise
    store = Store(engine, Writer(engine, lambda _line: None), number)
    try:
        yield store
    finally:
        store.close()


def _number(engine: Engine, asked: Study) -> int:
    migrate(engine)
    with engine.begin() as connection:
        mine = select(study_table.c.id).where(study_table.c.digest == asked.digest)
        number = connection.execute(mine).scalar_one_or_none()
        if number is None:
            held = "; ".join(_held(connection)) or "no study"
            raise BadInput(
                f"--database: {named(engine)} does not hold {asked.title!r} as it is now "
                f"({asked.digest}); it holds: {held}"
            )
    return int(number)


def _held(connection: Connection) -> Sequence[str]:
    counted = (
        select(study_table.c.title, study_table.c.digest, func.count(participant.c.id))
        .outerjoin(participant)
        .group_by(study_table.c.id, study_table.c.title, study_table.c.digest)
        .order_by(study_table.c.id)
    )
    return [
        f"{title!r} ({digest}), {count} people"
        for title, digest, count in connection.execute(counted)
    ]
