"""The one writer: many jobs in a commit, nobody fails for another, and nothing is confirmed that
isn't durable."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, exc, text

from misstep.study.store.connecting import connect
from misstep.study.store.writing import Away, Writer
from postgres import Postgres


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def writer(database: str, said: list[str]) -> Iterator[Writer]:
    engine = connect(database)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE t (x INTEGER UNIQUE, words TEXT)"))
    found = Writer(engine, said.append)
    yield found
    found.close()
    engine.dispose()


def _add(x: int, words: str = "") -> Callable[[Connection], int]:
    def job(connection: Connection) -> int:
        connection.execute(text("INSERT INTO t VALUES (:x, :words)"), {"x": x, "words": words})
        return x

    return job


def _all(writer: Writer) -> list[int]:
    def job(connection: Connection) -> list[int]:
        return list(connection.execute(text("SELECT x FROM t ORDER BY x")).scalars())

    return writer.submit(job).result()


def _held(writer: Writer) -> tuple[threading.Event, threading.Event]:
    """Holds the writer inside a job, so that what is submitted now waits and comes as one batch."""
    begun, go = threading.Event(), threading.Event()

    def job(_connection: Connection) -> None:
        begun.set()
        assert go.wait(10)

    writer.submit(job)
    assert begun.wait(10)
    return begun, go


def test_what_waits_is_committed_together(writer: Writer) -> None:
    commits: list[int] = []
    event.listen(writer._engine, "commit", lambda _connection: commits.append(1))
    _, go = _held(writer)
    futures = [writer.submit(_add(x)) for x in range(50)]
    go.set()
    assert [one.result(10) for one in futures] == list(range(50))
    assert len(commits) == 2


def test_a_job_that_fails_takes_no_other_with_it(writer: Writer, said: list[str]) -> None:
    _, go = _held(writer)
    futures = [writer.submit(_add(x)) for x in (1, 2, 2, 3)]
    go.set()
    assert [futures[place].result(10) for place in (0, 1, 3)] == [1, 2, 3]
    with pytest.raises(exc.IntegrityError):
        futures[2].result(10)
    assert _all(writer) == [1, 2, 3]
    assert said == []


def test_a_fault_in_a_job_reaches_who_asked_and_the_writer_goes_on(writer: Writer) -> None:
    with pytest.raises(ZeroDivisionError):
        writer.submit(lambda _connection: 1 // 0).result(10)
    assert writer.submit(_add(1)).result(10) == 1


def test_closing_lets_what_was_handed_in_come_to_its_end(writer: Writer) -> None:
    _, go = _held(writer)
    futures = [writer.submit(_add(x)) for x in range(5)]
    threading.Timer(0.05, go.set).start()
    writer.close()
    assert [one.result(0) for one in futures] == list(range(5))
    with pytest.raises(Away):
        writer.submit(_add(6))


def test_a_full_disk_confirms_nothing_and_says_so_once(tmp_path: Path) -> None:
    engine = connect(str(tmp_path / "full.db"))
    said: list[str] = []
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE t (x INTEGER UNIQUE, words TEXT)"))
    pages = [8]
    event.listen(
        engine, "begin", lambda on: on.exec_driver_sql(f"PRAGMA max_page_count={pages[-1]}")
    )
    writer = Writer(engine, said.append)
    for x in range(3):
        with pytest.raises(Away, match="database or disk is full"):
            writer.submit(_add(x, "w" * 100_000)).result(10)
    assert said == ["database away: database or disk is full; answers wait in the browsers"]
    pages.append(10_000)
    assert writer.submit(_add(9, "w" * 100_000)).result(10) == 9
    assert _all(writer) == [9]
    assert said[1:] == ["database back: answers are kept again"]
    writer.close()
    engine.dispose()


def test_a_postgresql_that_goes_away_comes_back_by_itself(running_postgres: Postgres) -> None:
    engine = connect(running_postgres.made("away"))
    said: list[str] = []
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE t (x INTEGER UNIQUE, words TEXT)"))
    writer = Writer(engine, said.append)
    assert writer.submit(_add(1)).result(10) == 1
    running_postgres.stop("immediate")
    for x in (2, 3):
        with pytest.raises(Away):
            writer.submit(_add(x)).result(20)
    running_postgres.start()
    assert writer.submit(_add(4)).result(20) == 4
    assert _all(writer) == [1, 4]
    assert [line.split(":")[0] for line in said] == ["database away", "database back"]
    writer.close()
    engine.dispose()
