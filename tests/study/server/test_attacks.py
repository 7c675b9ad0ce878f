"""What somebody may try who means ill: every try is refused in one line, and nothing is shown."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from misstep.study.server.limits import Limit, Rate, network
from misstep.study.server.requests import LARGEST_BODY, Refused
from misstep.study.store import answers, people
from study_way import DESK, Person, Served, body, once, served, small_study

Walk = Callable[[Served], Awaitable[None]]
_FORGED = [
    "",
    "x" * 43,
    "-" * 43,
    "x" * 10_000,
    "a b",
    "é" * 43,
    "../" * 10,
    "'; DROP TABLE answer",
]


def _on(tmp_path: Path, walk: Walk, people: int = 3) -> None:
    async def run() -> None:
        async with served(small_study(tmp_path, people=people), str(tmp_path / "x.db")) as here:
            await walk(here)

    asyncio.run(run())


def _kept(here: Served) -> list[int]:
    number = here.store.number
    return [
        len(here.store.read(lambda on, who=who: answers.kept_of(on, who.id)))  # type: ignore[misc]  # bound now
        for who in here.store.read(lambda on: people.everyone(on, number))
    ]


def test_nothing_is_shown_without_a_token(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        for token in _FORGED:
            headers = {b"Authorization": f"Bearer {token}".encode()}
            for method, path in (
                ("GET", "/api/step"),
                ("POST", "/api/answer"),
                ("POST", "/api/withdraw"),
                ("GET", "/desk/api/state"),
                ("POST", "/desk/api/delete"),
            ):
                reply = await here.client.request(method, path, json={}, headers=headers)
                assert reply.status_code in (401, 422), (path, token, reply.text)
                assert set(reply.json()) == {"error"}
        assert (await one.answer()).status_code == 200

    _on(tmp_path, walk)


def test_a_participants_token_is_none_of_the_desk_and_the_other_way_round(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        reply = await here.client.get(
            "/desk/api/state", headers={"Authorization": f"Bearer {one.token}"}
        )
        assert reply.status_code == 401
        assert (await Person(here.client, DESK).look()).status_code == 401

    _on(tmp_path, walk)


def test_another_persons_token_answers_for_that_person_alone(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one, two = here.person(), here.person()
        await one.enter()
        await two.enter()
        sent = body(one.step)
        await one.answer(**sent)
        assert (await two.answer(**sent)).status_code == 200  # two's own first answer, same mark
        assert _kept(here) == [1, 1]

    _on(tmp_path, walk)


def test_an_answer_that_is_replayed_later_changes_nothing(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        first = body(one.step)
        await one.answer(**first)
        await one.go_to("trial")
        at, count = one.step, _kept(here)
        for changed in ({}, {"answer": {"value": "no"}}, {"once": once()}):
            reply = await one.answer(**first | changed)
            assert reply.json()["step"] == at
        assert (await one.answer(once=first["once"])).status_code == 409
        assert _kept(here) == count

    _on(tmp_path, walk)


def test_a_megabyte_is_refused_and_never_gathered(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        reply = await one.answer(answer={"text": "x" * 2**20})
        assert reply.status_code == 413
        sent: list[int] = []

        async def endless() -> AsyncIterator[bytes]:
            while True:
                sent.append(1)
                yield b"x" * 65_536

        reply = await here.client.post(
            "/api/enter", content=endless(), headers={"Content-Type": "application/json"}
        )
        assert reply.status_code == 413
        assert len(sent) <= LARGEST_BODY // 65_536 + 2

    _on(tmp_path, walk)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "a/b"])
def test_only_json_is_read(tmp_path: Path, kind: str) -> None:
    async def walk(here: Served) -> None:
        reply = await here.client.post("/api/enter", content=b"{}", headers={"Content-Type": kind})
        assert reply.status_code == 415

    _on(tmp_path, walk)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://study.test"}, 200),
        ({"Origin": "https://study.test", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://evil.test"}, 403),
        ({"Origin": "http://study.test", "Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://study.test.evil.test"}, 403),
        ({"Origin": "http://study.test@evil.test"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://[half"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "evil.test"}, 400),
        ({"Host": "evil.test", "Origin": "http://evil.test"}, 400),
    ],
)
def test_pages_of_other_sites_do_not_speak_for_a_person(
    tmp_path: Path, headers: dict[str, str], status: int
) -> None:
    async def walk(here: Served) -> None:
        reply = await here.client.post("/api/enter", json={}, headers=headers)
        assert reply.status_code == status, reply.text
        assert "access-control-allow-origin" not in reply.headers

    _on(tmp_path, walk)


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../application.py",
        "/assets/..%2f..%2f..%2fetc%2fpasswd",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets//etc/passwd",
        "/assets/study-1.js%00.css",
        "/assets/STUDY-1.JS",
        "/assets/",
        "/docs",
        "/redoc",
        "/openapi.json",
        "/desk/../api/state",
        "/api",
        "/.env",
    ],
)
def test_only_the_listed_files_are_served(tmp_path: Path, path: str) -> None:
    async def walk(here: Served) -> None:
        request = here.client.build_request("GET", "/")
        request.url = httpx.URL(f"http://study.test{path}")
        reply = await here.client.send(request)
        assert reply.status_code == 404
        assert set(reply.json()) == {"error"}

    _on(tmp_path, walk)


def test_every_reply_has_the_headers_that_keep_a_browser_honest(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        replies = [
            await here.client.request(method, path)
            for method, path in (
                ("GET", "/"),
                ("GET", "/desk"),
                ("GET", "/assets/study-1.js"),
                ("GET", "/nothing"),
                ("GET", "/api/step"),
                ("POST", "/api/enter"),
            )
        ]
        for reply in replies:
            assert reply.headers["x-content-type-options"] == "nosniff"
            assert reply.headers["referrer-policy"] == "no-referrer"
            assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]
            assert "unsafe" not in reply.headers["content-security-policy"]
            assert "http" not in reply.headers["content-security-policy"]
        stored = [reply.headers["cache-control"] for reply in replies]
        assert [one != "no-store" for one in stored] == [False, False, True, False, False, False]

    _on(tmp_path, walk)


def test_a_script_in_a_text_or_an_id_stays_a_text(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        reply = await here.person().enter("<script>alert(1)</script>")
        assert reply.status_code == 422
        one = here.person()
        await one.enter("p1")
        row = {"trial_type": "</script><script>alert(1)</script>"}
        assert (await one.answer(row=row)).status_code == 200
        for path in ("/", "/desk"):
            html = (await here.client.get(path)).text
            assert "p1" not in html
            assert "alert(" not in html
        # Everything that is drawn is put in place as text.
        drawing = (await here.client.get("/desk")).text
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", drawing)

    _on(tmp_path, walk)


@pytest.mark.parametrize("title", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'])
def test_a_title_with_markup_is_escaped(tmp_path: Path, title: str) -> None:
    async def run() -> None:
        study = small_study(tmp_path, title=json.dumps(title))
        async with served(study, str(tmp_path / "x.db")) as here:
            assert title not in (await here.client.get("/")).text

    asyncio.run(run())


def test_who_asks_too_often_waits_and_nobody_else_does(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one, two = here.person(), here.person()
        await one.enter()
        await two.enter()
        replies = [await one.look() for _ in range(700)]
        last = replies[-1]
        assert last.status_code == 429
        assert 1 <= int(last.headers["retry-after"]) <= 60
        assert (await two.look()).status_code == 200

    _on(tmp_path, walk)


def test_who_guesses_tokens_is_stopped_before_the_store_is_asked(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        await one.look()
        found = [
            (await Person(here.client, f"{turn:043}").look()).status_code for turn in range(110)
        ]
        assert set(found[:100]) == {401}
        assert found[-1] == 429
        assert (await one.look()).status_code == 200

    _on(tmp_path, walk)


def test_a_limit_gives_its_permits_back_with_time() -> None:
    now = [0.0]
    limit = Limit(Rate(2, 3), lambda: now[0])
    for _ in range(3):
        limit.take("a")
    with pytest.raises(Refused) as refused:
        limit.take("a")
    assert (refused.value.status, refused.value.retry_after) == (429, 1)
    limit.take("b")
    now[0] = 0.5
    limit.take("a")
    assert limit.is_spent("a")


def test_limits_hold_no_address() -> None:
    limit = Limit(Rate(1, 1), lambda: 0.0)
    limit.take("192.0.2.7")
    assert "192.0.2.7" not in repr(vars(limit))
    assert network("2001:db8:1:2:3::1") == network("2001:db8:1:2:ffff::")
    assert network("2001:db8:1:2::1") != network("2001:db8:1:3::1")
