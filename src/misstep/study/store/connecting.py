"""A study's database: a file of SQLite, or a PostgreSQL by its URL; commits are durable."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, exc, make_url
from sqlalchemy.engine import URL
from sqlalchemy.pool import ConnectionPoolEntry

from misstep.core.errors import BadInput

CONNECT_SECONDS, WAIT_SECONDS = 3, 5
VERSIONS, STUDY = "alembic_version", "study"
"""Tables that a database of studies has, whichever misstep made it."""
_MARK = "digest"
"""A column of the latter: other programs may have tables of these names, too."""
_MOST_NAMED = 3
_WRITES = "writes"
_DRIVERS = {
    "sqlite": "sqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}


def connect(database: str) -> Engine:
    """`database` is a path of a file, made if it isn't there, or `postgresql://…`.

    BadInput where it is neither, or the file is another program's. No connection is made yet.
    """
    url = _url(database)
    if url.get_backend_name() == "sqlite":
        return _sqlite(url)
    return _postgresql(url)


def writing(engine: Engine) -> Engine:
    """The same database for transactions that write: SQLite's take the one place of a writer at
    their beginning, so that two processes wait for each other and neither fails half-way."""
    return engine.execution_options(**{_WRITES: True})


def named(engine: Engine) -> str:
    """The database as it may be shown: without a password."""
    if engine.dialect.name == "sqlite":
        return str(engine.url.database)
    return engine.url.set(drivername="postgresql").render_as_string(hide_password=True)


def check_ours(name: str, tables: Iterable[str], columns: Iterable[str]) -> None:
    """BadInput where these tables, if there are any, are of another program; `columns` are those of
    STUDY, none where there is no such table."""
    found = sorted(tables)
    if found and not ({VERSIONS, STUDY} <= set(found) and _MARK in columns):
        told = ", ".join(found[:_MOST_NAMED]) + (", …" if len(found) > _MOST_NAMED else "")
        raise BadInput(f"--database: {name}: holds no study of misstep's, but other tables: {told}")


def _url(database: str) -> URL:
    if "://" not in database:
        return URL.create("sqlite", database=database)
    try:
        url = make_url(database)
    except (exc.ArgumentError, ValueError):  # what was typed may hold a password: it isn't said
        raise BadInput("--database: is no path and no URL like postgresql://…") from None
    if url.drivername not in _DRIVERS:
        raise BadInput(f"--database: {url.drivername}: only sqlite and postgresql are known")
    return url.set(drivername=_DRIVERS[url.drivername])


def _sqlite(url: URL) -> Engine:
    path = Path(url.database or "")
    if path.is_dir() or str(path) in (".", ":memory:"):
        raise BadInput(f"--database: {path} is no file")
    try:  # not for other eyes: the recruiting service's ids are in it
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise BadInput(f"--database: {path}: {error.strerror}") from None
    check_ours(str(path), *_tables(path))
    engine = create_engine(url, connect_args={"timeout": WAIT_SECONDS, "check_same_thread": False})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _tables(path: Path) -> tuple[list[str], list[str]]:
    """Names of a file's tables, and of the columns of STUDY. It is only read: a file that isn't
    ours stays as it is, to the byte, with nothing new beside it. BadInput where it is no database.
    """
    how = "immutable=1" if _is_at_rest(path) else "mode=ro"
    place = f"{path.absolute().as_uri()}?{how}"
    try:
        with closing(sqlite3.connect(place, WAIT_SECONDS, uri=True)) as on:
            names = on.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            columns = on.execute("SELECT name FROM pragma_table_info(?)", (STUDY,)).fetchall()
    except sqlite3.OperationalError:  # locked, or to be mended: `migrate` looks again
        return [], []
    except sqlite3.DatabaseError as error:
        raise BadInput(f"--database: {path}: {error}") from None
    tables = [name for (name,) in names if not name.startswith("sqlite_")]
    return tables, [name for (name,) in columns]


def _is_at_rest(path: Path) -> bool:
    """Whether it has a journal of changes (WAL) when it is open, and nobody has it open: to read it
    as any other would make one."""
    with path.open("rb") as file:
        has_wal = file.read(20)[18:] == b"\2\2"  # https://www.sqlite.org/fileformat2.html, 1.3.3
    return has_wal and not path.with_name(f"{path.name}-wal").exists()


def _prepare_sqlite(connection: Any, _entry: ConnectionPoolEntry) -> None:  # Any: the driver's own
    connection.isolation_level = None  # transactions begin where _begin_sqlite says so
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",  # a commit outlives a cut of the power
        "foreign_keys=ON",
        "secure_delete=ON",  # what is deleted is overwritten
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _postgresql(url: URL) -> Engine:
    # A server that is gone without a word is given up on after seconds, not after an hour.
    patience = {"connect_timeout": CONNECT_SECONDS, "tcp_user_timeout": 10_000}
    try:
        engine = create_engine(url, connect_args=patience, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise BadInput(
            f"--database: PostgreSQL needs {error.name}; run: pip install 'misstep[study]'"
        ) from None
    event.listen(engine, "connect", _prepare_postgresql)
    return engine


def _prepare_postgresql(connection: Any, _entry: ConnectionPoolEntry) -> None:  # Any: likewise
    """Durable commits also where the server's default is to confirm before the disk has it."""
    connection.execute("SET synchronous_commit = on")
    connection.commit()
