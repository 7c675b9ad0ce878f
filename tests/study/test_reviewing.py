"""The review of faces by eye: what the page is given, what it keeps, and what it never serves."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

import colour_sets
from misstep.core.errors import BadInput
from misstep.families.faces import sets
from misstep.families.faces.generate import own_folder
from misstep.families.faces.review import decisions
from misstep.families.faces.review.decisions import Decision, Line
from misstep.families.faces.review.problems import find_problems
from misstep.study.local.guarding import LARGEST_BODY
from misstep.study.local.hosting import serve_page
from misstep.study.reviewing.application import application
from misstep.study.reviewing.page import page
from misstep.study.reviewing.review import Review, open_review

TOKEN = "a-secret"  # noqa: S105 (of a test)


@dataclass(frozen=True)
class Browser:
    """Speaks to the application as a browser would, without a port."""

    app: Starlette
    token: str | None = TOKEN
    host: str = "127.0.0.1"

    def get(self, path: str) -> httpx.Response:
        return self.request("GET", path)

    def post(self, path: str, body: object = None) -> httpx.Response:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.request("POST", path, content)

    def request(self, method: str, path: str, content: bytes | None = None) -> httpx.Response:
        return asyncio.run(self._request(method, path, content))

    async def _request(self, method: str, path: str, content: bytes | None) -> httpx.Response:
        asked = {} if self.token is None else {"token": self.token}
        transport = httpx.ASGITransport(app=self.app)
        async with httpx.AsyncClient(
            transport=transport, base_url=f"http://{self.host}", params=asked
        ) as client:
            return await client.request(method, path, content=content)


def opened(folder: Path) -> Review:
    found = find_problems(folder, 0)
    return open_review(found.folder, found.problems, found.content)


@pytest.fixture
def problems(tmp_path: Path) -> tuple[sets.Problem, ...]:
    return colour_sets.made(tmp_path, 3)


@pytest.fixture
def ended() -> list[bool]:
    return []


@pytest.fixture
def client(problems: tuple[sets.Problem, ...], tmp_path: Path, ended: list[bool]) -> Browser:
    return Browser(application(opened(tmp_path), TOKEN, lambda: ended.append(True)))


def test_the_page_gets_the_problems_in_the_words_that_a_model_gets(
    client: Browser, problems: tuple[sets.Problem, ...]
) -> None:
    state = client.get("/problems").json()
    assert state["words"] == [
        "Here is an image of a person.",
        "Select the image that contains the same person as the person in the first image.",
    ]
    assert [one["id"] for one in state["problems"]] == [one.id for one in problems]
    first = state["problems"][0]
    assert (first["truth"], first["distances"], first["beside"]) == (
        1, [0.3, 0.6, 0.6, 0.6, 0.6], [0.0, 0.5, 0.5, 0.5, 0.5],
    )  # fmt: skip
    assert problems[0].attributes is not None
    assert first["attributes"]["race"] == problems[0].attributes.race
    assert (state["decided"], state["can_undo"]) == ({}, False)


def test_pictures_are_served_as_the_set_has_them(
    client: Browser, problems: tuple[sets.Problem, ...], tmp_path: Path
) -> None:
    for number, problem in enumerate(problems):
        for place, shot in enumerate(problem.shots):
            reply = client.get(f"/picture/{number}/{place}")
            assert reply.headers["content-type"] == "image/png"
            assert reply.content == (tmp_path / shot.file).read_bytes()


@pytest.mark.parametrize(
    "path",
    [
        "/picture/3/0",
        "/picture/0/6",
        "/picture/-1/0",
        "/picture/0/-1",
        "/picture/0/decisions.jsonl",
        "/picture/../problems.jsonl",
        "/picture/0/..%2f..%2fproblems.jsonl",
        "/picture/%2e%2e/%2e%2e",
        "/problems.jsonl",
        "/decisions.jsonl",
        "/picture/0/99999999999999999999999",
    ],
)
def test_nothing_but_the_pictures_of_the_set_is_served(client: Browser, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_picture_that_is_gone_or_another_is_told(
    client: Browser, problems: tuple[sets.Problem, ...], tmp_path: Path
) -> None:
    (tmp_path / problems[0].reference.file).write_bytes(b"another")
    (tmp_path / problems[1].reference.file).unlink()
    assert "is not the picture" in client.get("/picture/0/0").json()["error"]
    assert "No such file" in client.get("/picture/1/0").json()["error"]


def test_a_decision_is_on_disk_before_the_next_problem_is_shown(
    client: Browser, problems: tuple[sets.Problem, ...], tmp_path: Path
) -> None:
    reply = client.post("/decide", {"problem": problems[1].id, "decision": "reject"})
    assert reply.json() == {"decided": {problems[1].id: "reject"}, "can_undo": True}
    assert decisions.read(tmp_path) == (Line(problems[1].id, Decision.REJECT),)
    assert sets.rejected(tmp_path) == {problems[1].id}


def test_a_rejected_problem_is_not_asked_any_more(
    client: Browser, problems: tuple[sets.Problem, ...], tmp_path: Path
) -> None:
    client.post("/decide", {"problem": problems[0].id, "decision": "accept"})
    client.post("/decide", {"problem": problems[1].id, "decision": "reject"})
    client.post("/decide", {"problem": problems[2].id, "decision": "reject"})
    client.post("/decide", {"problem": problems[2].id, "decision": "accept"})
    assert sets.rejected(tmp_path) == {problems[1].id}


def test_undo_brings_back_what_was_said_before_also_in_a_later_session(
    client: Browser, problems: tuple[sets.Problem, ...], tmp_path: Path
) -> None:
    first, second, _ = (one.id for one in problems)
    for name, said in ((first, "accept"), (second, "reject"), (first, "reject")):
        client.post("/decide", {"problem": name, "decision": said})
    later = Browser(application(opened(tmp_path), TOKEN, lambda: None))
    assert later.post("/undo").json() == {
        "undone": first, "decided": {first: "accept", second: "reject"}, "can_undo": True,
    }  # fmt: skip
    assert later.post("/undo").json()["decided"] == {first: "accept"}
    again = Browser(application(opened(tmp_path), TOKEN, lambda: None))
    assert again.post("/undo").json() == {"undone": first, "decided": {}, "can_undo": False}
    assert again.post("/undo").json()["undone"] is None
    assert sets.rejected(tmp_path) == frozenset()


def test_finish_ends_the_serving(client: Browser, ended: list[bool]) -> None:
    client.post("/finish")
    assert ended == [True]


@pytest.mark.parametrize("token", [None, "", "another", "a-secret "])
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/problems"),
        ("GET", "/picture/0/0"),
        ("POST", "/decide"),
        ("POST", "/undo"),
        ("POST", "/finish"),
    ],
)
def test_without_the_token_nothing_is_shown_or_kept(
    client: Browser,
    problems: tuple[sets.Problem, ...],
    ended: list[bool],
    tmp_path: Path,
    method: str,
    path: str,
    token: str | None,
) -> None:
    body = json.dumps({"problem": problems[0].id, "decision": "reject"}).encode()
    reply = Browser(client.app, token).request(method, path, body)
    assert reply.status_code == 403
    assert problems[0].id not in reply.text
    assert not (tmp_path / decisions.NAME).exists()
    assert not ended


def test_a_page_of_another_name_may_not_decide(client: Browser) -> None:
    assert Browser(client.app, host="evil.example").get("/problems").status_code == 400


def test_only_posts_decide(client: Browser, problems: tuple[sets.Problem, ...]) -> None:
    assert client.get("/decide").status_code == 405
    assert client.get("/undo").status_code == 405
    assert client.get("/finish").status_code == 405


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b'{"problem": "p"}', 400),
        (b'{"problem": "unknown", "decision": "accept"}', 404),
        (b'{"problem": null, "decision": "accept"}', 404),
        (b'{"problem": "photographs-0-0000-0", "decision": "maybe"}', 422),
        (b'{"problem": "photographs-0-0000-0", "decision": ["accept"]}', 422),
        (b'{"problem": "photographs-0-0000-0", "decision": 1}', 422),
        (b" " * (LARGEST_BODY + 1), 413),
    ],
)
def test_a_bad_body_is_refused_in_a_line_and_nothing_is_kept(
    client: Browser, tmp_path: Path, body: bytes, status: int
) -> None:
    reply = client.post("/decide", body)
    assert reply.status_code == status
    assert "\n" not in reply.json()["error"]
    assert not (tmp_path / decisions.NAME).exists()


def test_a_full_disk_is_told_on_the_page_and_nothing_counts_as_kept(
    client: Browser,
    problems: tuple[sets.Problem, ...],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    client.post("/decide", {"problem": problems[0].id, "decision": "accept"})
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        reply = client.post("/decide", {"problem": problems[1].id, "decision": "reject"})
        assert reply.status_code == 507
        assert "No space left on device" in reply.json()["error"]
    assert client.get("/problems").json()["decided"] == {problems[0].id: "accept"}
    assert decisions.read(tmp_path) == (Line(problems[0].id, Decision.ACCEPT),)


def test_a_rejected_problem_gives_way_to_its_next_take(tmp_path: Path) -> None:
    first, second = colour_sets.made(tmp_path, 2)
    decisions.append(tmp_path, Line(first.id, Decision.REJECT))
    assert [one.id for one in find_problems(tmp_path, 0).problems] == [first.id, second.id]
    anew = colour_sets.problem(tmp_path, 0, take=1)
    assert [one.id for one in find_problems(tmp_path, 0).problems] == [anew.id, second.id]


def test_without_a_set_what_was_drawn_for_a_seed_is_reviewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MISSTEP_CACHE", str(tmp_path))
    drawn = colour_sets.made(own_folder(7), 2)
    found = find_problems(None, 7)
    assert [one.id for one in found.problems] == [one.id for one in drawn]
    assert sets.sha256(found.content(drawn[1], 3)) == drawn[1].candidates[2].sha256
    assert found.folder == own_folder(7)
    assert tmp_path in found.folder.parents


def test_the_page_takes_nothing_from_outside_and_runs_only_its_own_script(
    client: Browser,
) -> None:
    reply = client.get("/")
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "img-src 'self' data:;" in policy
    assert "unsafe-inline" not in policy
    assert reply.headers["referrer-policy"] == "no-referrer"
    assert "http" not in page("n")
    assert "innerHTML" not in reply.text


def test_a_line_that_a_kill_has_torn_is_ignored_and_then_cut_off(tmp_path: Path) -> None:
    decisions.append(tmp_path, Line("one", Decision.ACCEPT))
    path = tmp_path / decisions.NAME
    with path.open("ab") as file:
        file.write(b'{"schema": 1, "id": "tw')
    assert decisions.read(tmp_path) == (Line("one", Decision.ACCEPT),)
    decisions.append(tmp_path, Line("two", None))
    assert decisions.read(tmp_path) == (Line("one", Decision.ACCEPT), Line("two", None))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "line 1: is no decision"),
        ("[]", "line 1: is no decision"),
        ('{"decision": "accept"}', "line 1: is no decision"),
        ('{"id": "one", "decision": "keep"}', "decision: 'keep' is none of"),
    ],
)
def test_a_line_that_is_no_decision_is_told(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / decisions.NAME).write_text(line + "\n")
    with pytest.raises(BadInput, match=said):
        decisions.read(tmp_path)


def test_decisions_written_by_hand_are_read(tmp_path: Path) -> None:
    lines = ['{"id": "one", "decision": "reject"}', "", '{"id": "two", "decision": "accept"}']
    (tmp_path / decisions.NAME).write_text("\n".join(lines) + "\n")
    assert sets.rejected(tmp_path) == {"one"}


def test_two_reviews_of_one_set_lose_nothing_of_each_other(tmp_path: Path) -> None:
    every = [Line(f"p{number}", Decision.ACCEPT) for number in range(300)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda line: decisions.append(tmp_path, line), every))
    assert sorted(line.id for line in decisions.read(tmp_path)) == sorted(one.id for one in every)


def test_the_page_can_be_opened_from_the_moment_its_address_is_told() -> None:
    def look(address: str) -> None:
        place = httpx.URL(address)
        socket.create_connection((place.host, place.port or 0), timeout=5).close()
        raise BadInput("seen")

    with pytest.raises(BadInput, match="seen"):
        serve_page(lambda token, finish: Starlette(), 0, look)
