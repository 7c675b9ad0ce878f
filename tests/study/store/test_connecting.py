"""How a database is opened: so that a commit is durable, and its file is for one pair of eyes."""

from __future__ import annotations

from pathlib import Path

import psycopg
from sqlalchemy import text

from misstep.study.store.connecting import connect, named, writing
from postgres import Postgres


def test_sqlite_flushes_each_commit_to_the_disk(tmp_path: Path) -> None:
    engine = connect(str(tmp_path / "x.db"))
    for each in (engine, writing(engine)):
        with each.begin() as on:
            found = {
                name: on.exec_driver_sql(f"PRAGMA {name}").scalar_one()
                for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete")
            }
            assert found == {
                "journal_mode": "wal",
                "synchronous": 2,
                "foreign_keys": 1,
                "secure_delete": 1,
            }
    engine.dispose()


def test_a_file_of_sqlite_is_for_its_owner_alone(tmp_path: Path) -> None:
    engine = connect(str(tmp_path / "x.db"))
    with writing(engine).begin() as on:
        on.execute(text("CREATE TABLE t (x INTEGER)"))
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}
    engine.dispose()


def test_postgresql_flushes_also_where_its_default_is_not_to(running_postgres: Postgres) -> None:
    url = running_postgres.made("durable")
    with psycopg.connect(url, autocommit=True) as on:
        on.execute("ALTER ROLE postgres SET synchronous_commit = off")
    engine = connect(url)
    try:
        with engine.begin() as connection:
            said = connection.execute(text("SHOW synchronous_commit")).scalar_one()
        assert said == "on"
    finally:
        engine.dispose()
        with psycopg.connect(url, autocommit=True) as on:
            on.execute("ALTER ROLE postgres RESET synchronous_commit")


def test_a_password_is_never_shown() -> None:
    engine = connect("postgresql://me:secret@127.0.0.1/study")
    assert named(engine) == "postgresql://me:***@127.0.0.1/study"
    engine.dispose()
