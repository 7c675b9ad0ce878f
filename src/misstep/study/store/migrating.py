"""Brings a database to this version's tables, keeping what is in it."""

from __future__ import annotations

from importlib.resources import as_file, files

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect, text

from misstep.core.errors import BadInput
from misstep.study.store.connecting import STUDY, VERSIONS, check_ours, named, writing
from misstep.study.store.tables import metadata

_PLACE = "misstep.study.store.migrations"
_LOCK = 6_047_083_118
"""Of PostgreSQL: two processes that start at once migrate one after the other."""


def migrate(engine: Engine, revision: str = "head") -> None:
    """Up to `revision`, in one transaction; BadInput where the database is of a newer misstep, or
    another program has tables of these names in it."""
    with as_file(files(_PLACE)) as folder, writing(engine).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        _check_ours(engine, connection)
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        _check_known(engine, connection, ScriptDirectory.from_config(config))
        command.upgrade(config, revision)


def _check_ours(engine: Engine, connection: Connection) -> None:
    """A file is one program's; a PostgreSQL may have others' tables, but none of our names."""
    there = inspect(connection)
    names = set(there.get_table_names())
    if connection.dialect.name == "postgresql":
        names &= {*metadata.tables, VERSIONS}
    columns = there.get_columns(STUDY) if STUDY in names else ()
    check_ours(named(engine), names, [one["name"] for one in columns])


def _check_known(engine: Engine, connection: Connection, script: ScriptDirectory) -> None:
    found = MigrationContext.configure(connection).get_current_heads()
    known = {one.revision for one in script.walk_revisions()}
    for revision in found:
        if revision not in known:
            raise BadInput(
                f"--database: {named(engine)}: is of a newer misstep (its tables are {revision})"
            )
