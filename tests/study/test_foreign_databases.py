"""Files that hold no study of ours, named as the database: each command says so in one line."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner

from misstep.cli import cli
from misstep.core.errors import BadInput, MisstepError
from misstep.study.course.file import read_study
from misstep.study.pages.assets import assets
from misstep.study.store import connecting
from misstep.study.store.migrating import migrate
from postgres import Postgres
from study_people import opened

STUDY = """
schema = 1
title = "Statements"
people = 2
tries = 0
[[block]]
family = "inconsistency"
items = 2
practice = 0
pool = 20
"""
COMMANDS = {
    "serve": ("serve", "study.toml", "--port", "0"),
    "simulate": ("simulate", "study.toml"),
    "export": ("export", "study.toml", "--out", "records.csv"),
    "forget": ("forget", "study.toml", "somebody", "--yes"),
    "import": ("import", "result.json", "--study", "study.toml"),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the study's file and a result of somebody who consented."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    study = read_study(tmp_path / "study.toml")
    consent = {"key": "consent", "once": "sent-only-once-01", "answer": {"value": "yes"}}
    result = {
        "kind": "misstep study result",
        "schema": 1,
        "study": study.digest,
        "consent": study.consent_digest,
        "run": "a-run-0123456789abcdef",
        "place": 0,
        "visit": {"person": "", "study": "", "session": ""},
        "entered": 1_800_000_000_000,
        "ended": None,
        "ending": None,
        "answers": [
            consent | {"rt_ms": 9.5, "signs": [], "row": {}, "received": 1_800_000_002_000}
        ],
    }
    (tmp_path / "result.json").write_text(json.dumps(result), encoding="utf-8")
    return tmp_path


def refused(command: str, database: Path) -> str:
    """What a user reads, who is told that it was bad input."""
    if command in ("serve", "simulate"):
        try:
            assets()
        except MisstepError as error:
            pytest.skip(str(error))
    words = ["study", *COMMANDS[command], "--database", str(database)]
    with pytest.raises(BadInput) as caught:
        CliRunner().invoke(cli, words, catch_exceptions=False, standalone_mode=False)
    return str(caught.value)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_text_is_no_database_for_any_command(command: str, here: Path) -> None:
    text = here / "notes.txt"
    text.write_text("No database, and longer than the first line of one. " * 9, encoding="utf-8")
    before = text.read_bytes()
    assert refused(command, text) == f"--database: {text}: file is not a database"
    assert text.read_bytes() == before


def foreign(path: Path, *lines: str) -> Path:
    with closing(sqlite3.connect(path)) as on:
        for line in lines:
            on.execute(line)
        on.commit()
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_another_programs_database_is_refused_and_stays_as_it_is(command: str, here: Path) -> None:
    file = foreign(here / "other.db", "CREATE TABLE answer (x)", "INSERT INTO answer VALUES (42)")
    before = file.read_bytes()
    said = refused(command, file)
    assert said == f"--database: {file}: holds no study of misstep's, but other tables: answer"
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        (["bookmark"], "bookmark"),
        (["alembic_version", "page"], "alembic_version, page"),
        (["study"], "study"),
        (["alembic_version", "study"], "alembic_version, study"),
        (["d", "c", "b", "a"], "a, b, c, …"),
    ],
)
def test_whose_tables_it_has_is_told_whatever_their_names(
    tables: list[str], said: str, here: Path
) -> None:
    file = foreign(
        here / "a ?b#.db",
        "PRAGMA journal_mode=WAL",
        *(f"CREATE TABLE {name} (x)" for name in tables),
    )
    before, beside = file.read_bytes(), sorted(here.iterdir())
    assert refused("export", file).endswith(f"no study of misstep's, but other tables: {said}")
    assert file.read_bytes() == before
    assert sorted(here.iterdir()) == beside


def test_what_another_program_has_not_yet_put_into_its_file_is_seen(here: Path) -> None:
    with closing(sqlite3.connect(here / "other.db")) as on:
        on.execute("PRAGMA journal_mode=WAL")
        on.execute("CREATE TABLE bookmark (x)")
        assert (here / "other.db-wal").stat().st_size
        assert refused("export", here / "other.db").endswith("but other tables: bookmark")


def test_a_file_that_was_locked_while_it_was_looked_into_is_looked_into_again(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = foreign(here / "other.db", "CREATE TABLE bookmark (x)")
    monkeypatch.setattr(connecting, "WAIT_SECONDS", 0.1)
    with closing(sqlite3.connect(file, isolation_level=None)) as on:
        on.execute("BEGIN EXCLUSIVE")
        engine = connecting.connect(str(file))
    with pytest.raises(BadInput, match=r"no study of misstep's, but other tables: bookmark$"):
        migrate(engine)
    engine.dispose()


def test_an_empty_file_or_database_becomes_a_studys(here: Path) -> None:
    (here / "empty.db").touch()
    emptied = foreign(here / "emptied.db", "CREATE TABLE t (x)", "DROP TABLE t")
    for file in (here / "empty.db", emptied):
        opened(read_study(here / "study.toml"), str(file)).close()
        assert {"study", "answer"} <= tables(file)


def test_tables_of_others_beside_ours_are_no_matter(here: Path) -> None:
    study, file = read_study(here / "study.toml"), str(here / "study.db")
    opened(study, file).close()
    foreign(here / "study.db", "CREATE TABLE notes (x)")
    opened(study, file).close()
    assert {"study", "answer", "notes"} <= tables(here / "study.db")


def tables(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as database:
        return {name for (name,) in database.execute("SELECT name FROM sqlite_master")}


def test_a_postgresql_may_hold_others_tables_but_none_of_our_names(
    running_postgres: Postgres, here: Path
) -> None:
    study, url = read_study(here / "study.toml"), running_postgres.made("foreign")
    with psycopg.connect(url, autocommit=True) as on:
        on.execute("CREATE TABLE notes (x INTEGER)")
        opened(study, url).close()
        for name in ("overruling", "event", "served", "answer", "participant", "study"):
            on.execute(f"DROP TABLE {name} CASCADE".encode())
        for name in ("answer", "study"):
            on.execute(f"CREATE TABLE {name} (x INTEGER)".encode())
            said = f"holds no study of misstep's, but other tables: alembic_version, {name}$"
            with pytest.raises(BadInput, match=said):
                opened(study, url)
            on.execute(f"DROP TABLE {name}".encode())
        with pytest.raises(BadInput, match=r"but other tables: alembic_version$"):
            opened(study, url)
