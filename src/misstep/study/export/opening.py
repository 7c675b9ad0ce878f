"""A study's database that is there already: an export makes none, and enrols no study."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, exc, func, select

from misstep.core.errors import BadInput, MisstepError
from misstep.study.course.nouns import Study
from misstep.study.course.stored import departed, restored
from misstep.study.store import versions
from misstep.study.store.connecting import connect, named
from misstep.study.store.migrating import migrate
from misstep.study.store.opening import Store
from misstep.study.store.tables import participant
from misstep.study.store.tables import study as study_table
from misstep.study.store.writing import Writer, said


@contextmanager
def found_store(
    database: str, asked: Study, version: str | None = None, person: str | None = None
) -> Iterator[Store]:
    """The store with the study in it, closed at the end; BadInput where either isn't there.

    `version` is the digest of another version that is meant, `person` the public id of somebody
    whose version is meant, whichever it is.
    """
    if "://" not in database and not Path(database).is_file():
        raise BadInput(f"--database: {database} does not exist")
    engine = connect(database)
    try:
        migrate(engine)
        with engine.begin() as connection:
            number = _of_person(connection, asked, person)
            if number is None:
                number = _number(connection, named(engine), asked, version)
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


def as_it_was(store: Store, version: str) -> Study:
    """The version in the store, from what is kept of it; BadInput where it can't be made."""
    stored = store.read(lambda on: versions.stored(on, store.number))
    found = restored(stored)
    if found is None:
        why = f" ({told})" if (told := departed(stored.families)) else ""
        raise BadInput(
            f"--version: {version} can't be made by this misstep{why}; export it with the misstep "
            "of then"
        )
    return found


def _number(connection: Connection, name: str, asked: Study, version: str | None) -> int:
    mine = select(study_table.c.id).where(
        study_table.c.title == asked.title, study_table.c.digest == (version or asked.digest)
    )
    number = connection.execute(mine).scalar_one_or_none()
    if number is None:
        held = _held(connection)
        if any(one.startswith(f"{asked.title!r} (") for one in held):
            held = [*held, "--version DIGEST exports another version as it was"]
        wanted = f"{asked.title!r} as it is now ({asked.digest})"
        if version is not None:
            wanted = f"the version {version[:40]} of {asked.title!r}"
        raise BadInput(
            f"--database: {name} does not hold {wanted}; it holds: {'; '.join(held) or 'no study'}"
        )
    return int(number)


def _of_person(connection: Connection, asked: Study, person: str | None) -> int | None:
    """The version of this study that they entered; None where there is nobody of this id."""
    entered = (
        select(study_table.c.id)
        .join(participant)
        .where(study_table.c.title == asked.title, participant.c.public == person)
    )
    return connection.execute(entered).scalar_one_or_none()


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
