"""Bodies that no page of ours sends: refused in one line that names the field, or kept as text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from misstep.study.store import answers, people
from study_way import DESK, Served, body, served, small_study

Walk = Callable[[Served], Awaitable[None]]


def _on(tmp_path: Path, walk: Walk) -> None:
    async def run() -> None:
        async with served(small_study(tmp_path), str(tmp_path / "x.db")) as here:
            await walk(here)

    asyncio.run(run())


def _kept(here: Served) -> list[int]:
    number = here.store.number
    return [
        len(here.store.read(lambda on, who=who: answers.kept_of(on, who.id)))  # type: ignore[misc]  # bound now
        for who in here.store.read(lambda on: people.everyone(on, number))
    ]


_STRANGE = [
    b"",
    b"null",
    b"[]",
    b'"x"',
    b"{",
    b"\xff\xfe{}",
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b"1" * 200_000,
    b'{"person": NaN}',
    b'{"person": 1e999}',
    b'{"person": "a\\u0000b"}',
    b'{"person": "\\ud800"}',
    b'{"person": "a", "person": "b\\n"}',
    b'{"__proto__": {}, "person": ""}',
]


@pytest.mark.parametrize("content", _STRANGE, ids=[str(place) for place in range(len(_STRANGE))])
def test_strange_bodies_are_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    async def walk(here: Served) -> None:
        headers = {"Content-Type": "application/json"}
        reply = await here.client.post("/api/enter", content=content, headers=headers)
        assert reply.status_code in (400, 422)
        assert set(reply.json()) == {"error"}
        assert "\n" not in reply.json()["error"]
        assert _kept(here) == []

    _on(tmp_path, walk)


@pytest.mark.parametrize(
    "changed",
    [
        {"rt_ms": -1},
        {"rt_ms": "5"},
        {"rt_ms": True},
        {"rt_ms": 1e300},
        {"once": ""},
        {"once": "x\n" * 10},
        {"once": 5},
        {"signs": [{"kind": "mouse", "at_ms": 1, "n": 1}]},
        {"signs": [{"kind": "paste", "at_ms": 1}]},
        {"signs": [{"kind": "paste", "at_ms": 1, "n": 1}] * 1_001},
        {"row": []},
        {"row": None},
        {"key": 1},
        {"key": "k" * 129},
        {"answer": "yes"},
        {"state": "complete"},
    ],
    ids=str,
)
def test_a_field_that_is_not_what_it_must_be_is_named(
    tmp_path: Path, changed: dict[str, object]
) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        reply = await one.answer(**changed)
        assert reply.status_code == 422
        assert next(iter(changed)) in reply.json()["error"]
        assert _kept(here) == [0]

    _on(tmp_path, walk)


def test_half_an_emoji_and_a_nul_are_kept_as_what_can_be_written(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        content = json.dumps(body(one.step) | {"row": {"typed": "a\ud83d b\x00c"}})
        reply = await here.client.post(
            "/api/answer",
            content=content.encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {one.token}"},
        )
        assert reply.status_code == 200
        who = here.store.read(lambda on: people.everyone(on, here.store.number))[0]
        (kept,) = here.store.read(lambda on: answers.kept_of(on, who.id))
        assert kept.sent.row == {"typed": "a\ufffd b\x00c"}

    _on(tmp_path, walk)


_JSON = some.recursive(
    some.none()
    | some.booleans()
    | some.floats()
    | some.integers()
    | some.text(max_size=20)
    | some.sampled_from(["yes", "consent", "welcome"]),
    lambda inner: (
        some.lists(inner, max_size=4)
        | some.dictionaries(
            some.text(max_size=6)
            | some.sampled_from(["key", "once", "answer", "rt_ms", "signs", "row", "value"]),
            inner,
            max_size=6,
        )
    ),
    max_leaves=12,
)


def test_no_body_whatever_makes_the_server_fail(tmp_path: Path) -> None:
    """One server meets them all; what it refuses, it refuses with a line."""
    paths = some.sampled_from(["enter", "answer", "withdraw", "desk"])

    async def run() -> None:
        async with served(small_study(tmp_path), str(tmp_path / "x.db")) as here:
            loop = asyncio.get_running_loop()
            one = here.person()
            await one.enter()

            async def send(path: str, content: bytes) -> None:
                place = "/desk/api/overrule" if path == "desk" else f"/api/{path}"
                token = DESK if path == "desk" else one.token
                headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
                reply = await here.client.post(place, content=content, headers=headers)
                assert reply.status_code < 500, (path, content, reply.text)
                assert reply.is_success or "error" in reply.json()

            @settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
            @given(paths, _JSON | some.binary(max_size=60))
            def tried(path: str, found: object) -> None:
                content = found if isinstance(found, bytes) else json.dumps(found).encode()
                asyncio.run_coroutine_threadsafe(send(path, content), loop).result(20)

            await asyncio.to_thread(tried)

    asyncio.run(run())
