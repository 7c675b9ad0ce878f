"""A database of an older misstep becomes one of this, and keeps what is in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Engine, inspect, text

from misstep.core.errors import BadInput
from misstep.study.store import answers, people
from misstep.study.store.connecting import connect
from misstep.study.store.migrating import migrate
from misstep.study.store.opening import open_store
from misstep.study.store.tables import metadata
from study_way import small_study

_OLD_ROWS = (
    "INSERT INTO study VALUES (1, 'DIGEST', 'A study', '{}', 1)",
    """INSERT INTO participant (id, study, public, token, slot, held, state, consent, entered,
    until, seen) VALUES (1, 1, 'abc', 'hash', 0, 0, 'under_way', 'c', 1, 2, 3)""",
    "INSERT INTO served VALUES (1, 'consent', 5)",
    """INSERT INTO answer VALUES (1, 1, 'consent', 'o', '{"value":"yes"}', 7.5, '[]', '{}', 9)""",
)


def _tables(engine: Engine) -> set[str]:
    return set(inspect(engine).get_table_names()) - {"alembic_version"}


def test_the_migrations_make_the_tables_that_the_code_knows(database: str) -> None:
    engine = connect(database)
    migrate(engine)
    migrate(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    assert _tables(engine) == set(metadata.tables)
    engine.dispose()


def test_an_older_database_keeps_its_people_and_answers(database: str, tmp_path: Path) -> None:
    study = small_study(tmp_path)
    engine = connect(database)
    migrate(engine, "0001")
    assert "overruling" not in _tables(engine)
    with engine.begin() as connection:
        for line in _OLD_ROWS:
            connection.execute(text(line.replace(":", r"\:").replace("DIGEST", study.digest)))
    engine.dispose()
    store = open_store(database, study, 10, lambda _line: None)
    (who,) = store.read(lambda on: people.everyone(on, store.number))
    (kept,) = store.read(lambda on: answers.kept_of(on, who.id))
    assert (who.public, who.slot) == ("abc", 0)
    assert (kept.sent.given.answer, kept.server_ms) == ({"value": "yes"}, 4)
    assert _tables(store.engine) == set(metadata.tables)
    store.close()


def test_a_newer_database_is_left_alone(database: str) -> None:
    engine = connect(database)
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BadInput, match=r"is of a newer misstep \(its tables are 9999\)"):
        migrate(engine)
    engine.dispose()


def test_a_file_that_is_no_database_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Not a database at all. " * 100)
    with pytest.raises(BadInput, match=r"notes\.txt: file is not a database"):
        open_store(str(path), small_study(tmp_path), 0, lambda _line: None)


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("mysql://me:secret@host/x", "mysql: only sqlite and postgresql are known"),
        ("postgresql://me:secret@host:port/x", "is no path and no URL"),
        ("/", "/ is no file"),
        ("/no/such/folder/x.db", "/no/such/folder/x.db: No such file or directory"),
        ("postgresql://me:secret@127.0.0.1:1/x", r"127\.0\.0\.1:1/x: .*refused"),
    ],
)
def test_a_database_that_cannot_be_had_is_said_without_its_password(
    database: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=said) as error:
        open_store(database, small_study(tmp_path), 0, lambda _line: None)
    assert "secret" not in str(error.value)
    assert "\n" not in str(error.value)
