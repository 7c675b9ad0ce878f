"""A killed server, a full disk, a database that goes away: what was confirmed stays."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Connection, event, func, select

from misstep.core.errors import BadInput
from misstep.study.course.nouns import Study
from misstep.study.server import serving, ways
from misstep.study.server.serving import Opened, serve
from misstep.study.store import answers, people
from misstep.study.store.opening import Store, open_store
from misstep.study.store.tables import answer
from postgres import Postgres
from study_serving import start
from study_way import ASSETS, Person, body, served, small_study

_PEOPLE = 12


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return small_study(tmp_path, people=_PEOPLE)


def _ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    _, said = process.communicate(timeout=30)
    return process.returncode, said


async def _until_cut(
    address: str, confirmed: dict[str, list[str]], is_enough: asyncio.Event
) -> None:
    """One person, answering until the server is gone; each answer that it confirmed is noted."""
    async with httpx.AsyncClient(base_url=address, timeout=20) as client:
        one = Person(client)
        try:
            await one.enter()
            while one.step["part"] != "end":
                sent = body(one.step)
                reply = await one.answer(**sent)
                assert reply.status_code == 200
                confirmed.setdefault(one.token, []).append(f"{sent['key']} {sent['once']}")
                if sum(map(len, confirmed.values())) >= 3 * _PEOPLE:
                    is_enough.set()
        except httpx.HTTPError:
            return


async def _killed_in_the_middle(
    process: subprocess.Popen[str], address: str
) -> dict[str, list[str]]:
    confirmed: dict[str, list[str]] = {}
    is_enough = asyncio.Event()
    going = [asyncio.create_task(_until_cut(address, confirmed, is_enough)) for _ in range(_PEOPLE)]
    await asyncio.wait_for(is_enough.wait(), 60)
    process.kill()
    await asyncio.gather(*going)
    return confirmed


async def _to_the_end(address: str, tokens: list[str]) -> list[str]:
    endings = []
    async with httpx.AsyncClient(base_url=address, timeout=20) as client:
        for token in tokens:
            one = Person(client, token)
            await one.look()
            await one.go_to("end")
            endings.append(one.step["screen"]["ending"])
    return endings


def test_after_a_kill_every_confirmed_answer_is_there_once(
    database: str, tmp_path: Path, study: Study
) -> None:
    process, address = start(tmp_path / "study.toml", database)
    confirmed = asyncio.run(_killed_in_the_middle(process, address))
    assert _ended(process)[0] == -signal.SIGKILL
    store = open_store(database, study, 0, lambda _line: None)
    found: list[str] = []
    for who in store.read(lambda on: people.everyone(on, store.number)):
        kept = store.read(lambda on, who=who: answers.kept_of(on, who.id))  # type: ignore[misc]  # bound now
        found += [f"{one.sent.given.key} {one.sent.once}" for one in kept]
    store.close()
    wanted = [one for of_person in confirmed.values() for one in of_person]
    assert len(wanted) >= 3 * _PEOPLE
    assert len(found) == len(set(found))
    assert set(wanted) <= set(found)
    process, address = start(tmp_path / "study.toml", database)
    try:
        assert asyncio.run(_to_the_end(address, list(confirmed))) == ["complete"] * len(confirmed)
    finally:
        process.terminate()
        _ended(process)


def test_a_server_that_is_told_to_end_ends_without_a_word(tmp_path: Path, study: Study) -> None:
    process, address = start(tmp_path / "study.toml", str(tmp_path / "x.db"))
    reply = httpx.post(f"{address}api/enter", json={})
    process.terminate()
    code, said = _ended(process)
    assert code in (0, -signal.SIGTERM)
    assert said == "inconsistency: making the items\n"
    assert reply.json()["token"] not in said
    assert not list(tmp_path.glob("x.db-*"))  # the journal was put into the file


def test_a_full_disk_keeps_people_waiting_and_loses_nothing(tmp_path: Path, study: Study) -> None:
    async def walk() -> None:
        async with served(study, str(tmp_path / "x.db")) as here:
            one = here.person()
            await one.enter()
            pages = [1]
            event.listen(
                here.store.engine,
                "begin",
                lambda on: on.exec_driver_sql(f"PRAGMA max_page_count={pages[0]}"),
            )
            sent = body(one.step) | {"row": {"typed": "x" * 100_000}}
            for _ in range(2):
                reply = await one.answer(**sent)
                assert reply.status_code == 503
                assert int(reply.headers["retry-after"]) >= 1
            pages[0] = 1_000_000
            assert (await one.answer(**sent)).status_code == 200
            await one.go_to("end")
            assert [line.split(":")[0] for line in here.said] == ["database away", "database back"]
            with here.store.engine.connect() as on:
                counted = on.execute(select(func.count()).select_from(answer)).scalar_one()
            assert counted == len(one.seen) - 1

    asyncio.run(walk())


def test_while_postgresql_is_away_people_wait_and_then_go_on(
    running_postgres: Postgres, study: Study
) -> None:
    database = running_postgres.made("gone")

    async def walk() -> None:
        async with served(study, database) as here:
            one, two = here.person(), here.person()
            await one.enter()
            await one.answer()
            await asyncio.to_thread(running_postgres.stop, "immediate")
            sent = body(one.step)
            reply = await one.answer(**sent)
            assert (reply.status_code, reply.headers["retry-after"]) == (503, "2")
            assert (await two.enter()).status_code == 503
            assert (await one.look()).status_code == 503
            assert (await here.desk("GET", "state")).status_code == 503
            await asyncio.to_thread(running_postgres.start)
            assert (await one.answer(**sent)).status_code == 200
            await two.enter()
            await asyncio.gather(one.go_to("end"), two.go_to("end"))
            assert [line.split(":")[0] for line in here.said] == ["database away", "database back"]

    asyncio.run(walk())


def test_a_database_that_says_nothing_counts_as_away(
    tmp_path: Path, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ways, "PATIENCE", 0.2)

    async def walk() -> None:
        async with served(study, str(tmp_path / "x.db")) as here:
            one = here.person()
            await one.enter()
            here.store.write(lambda _on: time.sleep(0.6))
            sent = body(one.step)
            assert (await one.answer(**sent)).status_code == 503
            await asyncio.sleep(0.6)
            assert (await one.answer(**sent)).status_code == 200

    asyncio.run(walk())


def test_an_address_that_is_taken_is_said_in_one_line(
    tmp_path: Path, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "assets", lambda: ASSETS)
    opened: list[Opened] = []
    said: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            BadInput, match=f"127.0.0.1 {port} can't be had: Address already in use"
        ):
            serve(study, "y.db", "127.0.0.1", port, opened.append, say=said.append)
    assert opened == []


def test_a_server_that_is_to_end_as_its_look_into_the_database_comes_back_ends(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, may_reply, read = threading.Event(), threading.Event(), Store.read

    def slow_read(store: Store, job: Callable[[Connection], object]) -> object:
        asked.set()
        may_reply.wait(10)
        return read(store, job)

    async def walk() -> None:
        async with asyncio.timeout(10) as limit, served(study, str(tmp_path / "x.db")):
            await asyncio.to_thread(asked.wait, 10)
            may_reply.set()
            time.sleep(0.3)  # noqa: ASYNC251 (the reply is there, and the loop hasn't seen it)
        assert not limit.expired()

    monkeypatch.setattr(Store, "read", slow_read)
    asyncio.run(walk())
