"""A study's store: opened once, written to by one thread, read by whoever likes."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from typing import TypeVar

from sqlalchemy import Connection, Engine, exc, select, update

from misstep.core.errors import BadInput
from misstep.study.course.nouns import Study
from misstep.study.course.stored import versions_of
from misstep.study.store.connecting import connect, named, writing
from misstep.study.store.migrating import migrate
from misstep.study.store.statements import added
from misstep.study.store.tables import study
from misstep.study.store.versions import check_items
from misstep.study.store.writing import GONE, Away, Writer, said

T = TypeVar("T")


@dataclass(frozen=True)
class Store:
    """`number` is the study's in the database. Close it at the end: what was handed in is kept."""

    engine: Engine
    writer: Writer
    number: int

    def write(self, job: Callable[[Connection], T]) -> Future[T]:
        """In a transaction that may hold others' jobs too; done when it is durable."""
        return self.writer.submit(job)

    def read(self, job: Callable[[Connection], T]) -> T:
        """At one moment of the database; blocks. Away where it can't be had."""
        try:
            with self.engine.begin() as connection:
                return job(connection)
        except GONE as error:
            raise Away(said(error)) from None

    def wipe(self) -> None:
        """What was deleted is no longer in the journal of SQLite's changes either."""
        if self.engine.dialect.name == "sqlite":
            with self.engine.connect() as connection:
                connection.execution_options(isolation_level="AUTOCOMMIT")
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        self.writer.close()
        self.engine.dispose()


def open_store(database: str, asked: Study, now: int, say: Callable[[str], None]) -> Store:
    """The database, brought up to date, with the study in it; BadInput where it can't be had.

    `say` is told when the database goes away later, and when it is back.
    """
    engine = connect(database)
    try:
        migrate(engine)
        with writing(engine).begin() as connection:
            number = _enrolled(connection, asked, now)
    except exc.DBAPIError as error:
        engine.dispose()
        raise BadInput(f"--database: {named(engine)}: {said(error)}") from None
    except BadInput:
        engine.dispose()
        raise
    return Store(engine, Writer(engine, say), number)


def _enrolled(connection: Connection, asked: Study, now: int) -> int:
    content = json.dumps(asdict(asked))
    families = json.dumps(versions_of(asked))
    added(
        connection,
        study,
        digest=asked.digest,
        title=asked.title,
        content=content,
        created=now,
        families=families,
    )
    mine = study.c.digest == asked.digest
    number = int(connection.execute(select(study.c.id).where(mine)).scalar_one())
    check_items(connection, number)
    connection.execute(update(study).where(mine).values(content=content, families=families))
    return number
