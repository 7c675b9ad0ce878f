"""The labelling page's application: what it takes, what it keeps, and what it never tells."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Queue

import httpx
import pytest
from starlette.applications import Starlette

from misstep.core import labels
from misstep.core.errors import BadInput
from misstep.core.labels import Judgement
from misstep.study.labelling.application import application
from misstep.study.labelling.page import page
from misstep.study.labelling.questions import Answer, Question
from misstep.study.labelling.serving import serve
from misstep.study.labelling.session import Choice, Session, open_session
from misstep.study.local.guarding import LARGEST_BODY
from misstep.study.reviewing import page as review_page

TOKEN = "a-secret"  # noqa: S105 (of a test)
_ITEMS = 12


def _questions(count: int = _ITEMS) -> list[Question]:
    return [
        Question(
            id=f"id{place:02}",
            item=f"q{place}",
            words=f"What is {place}?",
            pictures=(),
            missing=0,
            first=Answer("", f"first of {place}"),
            second=Answer("", f"second of {place}"),
        )
        for place in range(count)
    ]


def _session(folder: Path, labeller: str = "anna", seed: int = 0) -> Session:
    return open_session(folder / labels.NAME, labeller, _questions(), seed)


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


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return _session(tmp_path)


@pytest.fixture
def ended() -> list[bool]:
    return []


@pytest.fixture
def client(session: Session, ended: list[bool]) -> Browser:
    return Browser(application(session, TOKEN, lambda: ended.append(True)))


def _label(client: Browser, choice: str) -> httpx.Response:
    question = client.get("/state").json()["question"]["id"]
    return client.post("/label", {"question": question, "choice": choice})


def test_labels_are_on_disk_before_the_next_question_is_shown(
    client: Browser, tmp_path: Path
) -> None:
    state = client.get("/state").json()
    shown = state["question"]
    assert (state["done"], state["total"], state["labeller"]) == (0, _ITEMS, "anna")
    after = _label(client, "left").json()
    assert after["done"] == 1
    assert after["question"]["id"] != shown["id"]
    (label,) = labels.read(tmp_path / labels.NAME)
    is_first = shown["left"]["reply"].startswith("first")
    assert label.judgement is (Judgement.FIRST if is_first else Judgement.SECOND)
    assert label.disagreement == shown["id"]


@pytest.mark.parametrize(
    ("choice", "judgement"),
    [
        ("both", Judgement.BOTH),
        ("neither", Judgement.NEITHER),
        ("cannot_say", Judgement.CANNOT_SAY),
    ],
)
def test_words_that_know_no_side_are_kept_as_they_are(
    client: Browser, tmp_path: Path, choice: str, judgement: Judgement
) -> None:
    assert _label(client, choice).status_code == 200
    assert labels.read(tmp_path / labels.NAME)[0].judgement is judgement


def test_undo_brings_back_the_last_question_also_in_a_new_process(tmp_path: Path) -> None:
    first = _session(tmp_path)
    asked = []
    for _ in range(3):
        turn = first.current
        assert turn is not None
        asked.append(turn.question.id)
        first.judge(turn, Choice.BOTH)
    later = _session(tmp_path)
    assert list(later.said) == asked
    later.undo()
    later.undo()
    assert later.current is not None
    assert later.current.question.id == asked[1]
    assert list(_session(tmp_path).said) == asked[:1]


def test_undo_with_nothing_to_take_back_changes_nothing(client: Browser) -> None:
    assert client.post("/undo").json()["done"] == 0


def test_when_all_is_labelled_no_question_is_left(client: Browser, ended: list[bool]) -> None:
    for _ in range(_ITEMS):
        state = _label(client, "neither").json()
    assert (state["done"], state["question"]) == (_ITEMS, None)
    assert not ended
    client.post("/finish")
    assert ended == [True]


@pytest.mark.parametrize("token", [None, "", "another", "a-secret "])
@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/"), ("GET", "/state"), ("POST", "/label"), ("POST", "/undo"), ("POST", "/finish")],
)
def test_without_the_token_nothing_is_shown_or_kept(
    session: Session, ended: list[bool], tmp_path: Path, method: str, path: str, token: str | None
) -> None:
    client = Browser(application(session, TOKEN, lambda: ended.append(True)), token)
    reply = client.request(method, path, b'{"question": "id00", "choice": "left"}')
    assert reply.status_code == 403
    assert "What is" not in reply.text
    assert not (tmp_path / labels.NAME).exists()
    assert not ended


def test_a_page_of_another_name_may_not_speak_for_the_labeller(session: Session) -> None:
    client = Browser(application(session, TOKEN, lambda: None), host="evil.example")
    assert client.get("/state").status_code == 400


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"[" * 3_000, 400),
        (b"\xff\xfe", 400),
        (b'{"question": "id00"}', 400),
        (b'{"question": "id00", "choice": "left", "labeller": "ben"}', 400),
        (b'{"question": "unknown", "choice": "left"}', 404),
        (b'{"question": 7, "choice": "left"}', 404),
        (b'{"question": "id00", "choice": "first"}', 422),
        (b'{"question": "id00", "choice": null}', 422),
        (b'{"question": "id00", "choice": ["left"]}', 422),
        (b" " * (LARGEST_BODY + 1), 413),
    ],
)
def test_a_bad_body_is_refused_in_a_line_and_nothing_is_kept(
    client: Browser, tmp_path: Path, body: bytes, status: int
) -> None:
    reply = client.post("/label", body)
    assert reply.status_code == status
    assert "\n" not in reply.json()["error"]
    assert not (tmp_path / labels.NAME).exists()


def test_other_methods_and_paths_are_refused(client: Browser) -> None:
    assert client.get("/label").status_code == 405
    assert client.post("/state").status_code == 405
    assert client.get("/labels.jsonl").status_code == 404


def test_a_side_without_an_answer_cannot_be_called_right(tmp_path: Path) -> None:
    refusal = Answer("", "I cannot help.", "It refuses.")
    question = Question("id", "q", "What?", (), 0, Answer("", "7"), refusal)
    session = open_session(tmp_path / labels.NAME, "anna", [question], 0)
    (turn,) = session.turns
    client = Browser(application(session, TOKEN, lambda: None))
    possible = Choice.LEFT if turn.is_first_left else Choice.RIGHT
    impossible = Choice.RIGHT if turn.is_first_left else Choice.LEFT
    assert turn.choices() == [possible, Choice.NEITHER, Choice.CANNOT_SAY]
    for choice in (impossible, Choice.BOTH):
        assert _label(client, choice).status_code == 422
    assert _label(client, possible).status_code == 200
    assert labels.read(tmp_path / labels.NAME)[0].judgement is Judgement.FIRST


def test_order_and_sides_hang_on_the_seed_and_the_person(tmp_path: Path) -> None:
    def shown(labeller: str, seed: int) -> list[tuple[str, bool]]:
        session = _session(tmp_path, labeller, seed)
        return [(turn.question.id, turn.is_first_left) for turn in session.turns]

    assert shown("anna", 0) == shown("anna", 0)
    assert shown("anna", 0) != shown("ben", 0)
    assert shown("anna", 0) != shown("anna", 1)
    assert [name for name, _ in shown("anna", 0)] != sorted(name for name, _ in shown("anna", 0))


def test_each_side_is_on_the_left_about_half_the_time(tmp_path: Path) -> None:
    session = open_session(tmp_path / labels.NAME, "anna", _questions(400), 0)
    assert 160 < sum(turn.is_first_left for turn in session.turns) < 240


def test_the_labels_of_another_person_change_nothing_here(tmp_path: Path) -> None:
    ben = _session(tmp_path, "ben")
    assert ben.current is not None
    ben.judge(ben.current, Choice.LEFT)
    assert _session(tmp_path, "anna").said == {}


def test_the_page_takes_nothing_from_outside_and_runs_only_its_own_script(
    client: Browser,
) -> None:
    reply = client.get("/")
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert reply.headers["referrer-policy"] == "no-referrer"
    assert reply.headers["cache-control"] == "no-store"
    assert "http" not in page("n").replace("http-equiv", "")
    assert "What is" not in reply.text
    assert "innerHTML" not in reply.text
    again = client.get("/").headers["content-security-policy"]
    assert again != policy


def test_script_in_words_replies_and_names_is_handed_over_as_text_only(tmp_path: Path) -> None:
    script = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    question = replace(
        _questions(1)[0], words=script, first=Answer(script, script), second=Answer("", script)
    )
    opened = open_session(tmp_path / labels.NAME, script, [question], 0)
    client = Browser(application(opened, TOKEN, lambda: None))
    assert "alert(" not in client.get("/").text
    state = client.get("/state")
    assert state.headers["content-type"] == "application/json"
    assert state.headers["x-content-type-options"] == "nosniff"
    assert state.json()["question"]["words"] == script


@pytest.mark.parametrize("made", [page, review_page.page])
def test_no_page_makes_markup_or_code_of_what_it_is_given(made: Callable[[str], str]) -> None:
    text = made("n")
    assert "textContent" in text
    ways = r"(inner|outer)HTML|insertAdjacent|document\.write|eval\(|Function\(|srcdoc|javascript:"
    assert not re.search(ways, text)


def test_it_is_served_on_this_machine_alone_until_it_is_finished(session: Session) -> None:
    addresses: Queue[str] = Queue()
    thread = threading.Thread(target=serve, args=(session, 0, addresses.put), daemon=True)
    thread.start()
    address = httpx.URL(addresses.get(timeout=10))
    assert address.host == "127.0.0.1"
    with httpx.Client(timeout=10, params=address.params) as client:
        root = f"http://127.0.0.1:{address.port}"
        question = client.get(f"{root}/state").json()["question"]["id"]
        body = {"question": question, "choice": "both"}
        assert httpx.post(f"{root}/label", json=body).status_code == 403
        assert client.post(f"{root}/label", json=body).json()["done"] == 1
        with pytest.raises(BadInput, match=f"--port: {address.port} can't be had"):
            serve(session, address.port or 0, addresses.put)
        client.post(f"{root}/finish")
    thread.join(timeout=10)
    assert not thread.is_alive()


def test_labels_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    (tmp_path / labels.NAME).mkdir()
    with pytest.raises(BadInput, match=r"labels\.jsonl: Is a directory"):
        labels.read(tmp_path / labels.NAME)
