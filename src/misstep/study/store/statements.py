"""Statements that both databases know, though each has its own words for them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Insert, Table, bindparam
from sqlalchemy.dialects import postgresql, sqlite


def added(connection: Connection, table: Table, **values: Any) -> bool:  # Any: as the columns are
    """Whether the row was added: not where it would break a rule that something is there once."""
    adding = _adding(table, connection.dialect.name, tuple(values))
    return connection.execute(adding, values).rowcount == 1


@lru_cache(maxsize=64)
def _adding(table: Table, dialect: str, names: tuple[str, ...]) -> Insert:
    """Made once: building a statement takes longer than running it."""
    insert = sqlite.insert if dialect == "sqlite" else postgresql.insert
    values: dict[str, Any] = {name: bindparam(name) for name in names}  # Any: as above
    adding = insert(table).values(values).on_conflict_do_nothing()
    return adding.execution_options(preserve_rowcount=True)
