"""A person's way through a study over HTTP, without a browser: a client, and answers that fit."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from misstep.study.course.file import read_study
from misstep.study.course.nouns import Study
from misstep.study.pages.assets import Asset, Assets
from misstep.study.server.application import application, utc_ms
from misstep.study.server.desk.routes import Download
from misstep.study.store.opening import Store, open_store
from misstep.study.trials.every import TRIALS, trial

DESK = "d" * 43
ASSETS = Assets(
    "study-1.js",
    "study-1.css",
    {
        "study-1.js": Asset(b"1;", "text/javascript"),
        "study-1.css": Asset(b"a{}", "text/css"),
    },
)
Plain = Mapping[str, Any]  # Any: JSON as it came


def small_study(
    folder: Path,
    people: int = 3,
    family: str = "inconsistency",
    block: str = "items = 2",
    **more: object,
) -> Study:
    """Two trials of one family, nothing to check or to practise; `more` are lines of the file."""
    said = {"title": '"A study"', "people": people, "tries": 0} | more
    head = "\n".join(f"{name} = {value}" for name, value in said.items())
    path = folder / "study.toml"
    path.write_text(f'schema = 1\n{head}\n[[block]]\nfamily = "{family}"\npractice = 0\n{block}\n')
    return read_study(path)


@dataclass
class Clock:
    """Time as the test says."""

    now: int = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


@dataclass(frozen=True)
class Served:
    """A study that is served within this process."""

    study: Study
    store: Store
    app: FastAPI
    client: httpx.AsyncClient
    said: list[str]

    def person(self) -> Person:
        return Person(self.client)

    async def desk(self, method: str, path: str, body: object = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {DESK}"}
        return await self.client.request(method, f"/desk/api/{path}", json=body, headers=headers)


@asynccontextmanager
async def served(
    study: Study,
    database: str,
    clock: Callable[[], int] = utc_ms,
    downloads: Sequence[Download] = (),
) -> AsyncIterator[Served]:
    said: list[str] = []
    store = open_store(database, study, clock(), said.append)
    app = application(
        study, store, ASSETS, DESK, downloads=downloads, hosts=["study.test"], clock=clock
    )
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://study.test") as client,
    ):
        yield Served(study, store, app, client, said)


@dataclass
class Person:
    """Goes through the study; `step` is where the server said last that the person is."""

    client: httpx.AsyncClient
    token: str = ""
    step: Plain = field(default_factory=dict)
    seen: list[Plain] = field(default_factory=list)

    async def enter(self, person: str = "", once: str = "") -> httpx.Response:
        body = {"person": person, "study": "s", "session": "", "once": once}
        reply = await self.client.post("/api/enter", json=body)
        if reply.is_success:
            self.token = reply.json()["token"]
            self._note(reply.json()["screen"])
        return reply

    async def look(self) -> httpx.Response:
        reply = await self.client.get("/api/step", headers=self._headers())
        if reply.is_success:
            self._note(reply.json())
        return reply

    async def answer(self, **changed: object) -> httpx.Response:
        """The answer that fits; `changed` are fields of the body that are to be otherwise."""
        reply = await self.client.post(
            "/api/answer", json=body(self.step) | changed, headers=self._headers()
        )
        if "step" in reply.json():
            self._note(reply.json()["step"])
        return reply

    async def withdraw(self) -> httpx.Response:
        return await self.client.post("/api/withdraw", json={}, headers=self._headers())

    async def go_to(self, part: str) -> None:
        while self.step["part"] != part:
            reply = await self.answer()
            assert reply.status_code == 200, reply.text

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def _note(self, step: Plain) -> None:
        self.step = step
        self.seen.append(step)


def once() -> str:
    return str(uuid.uuid4())


def body(step: Plain) -> dict[str, object]:
    """A whole request to /api/answer."""
    return {
        "key": step["key"],
        "once": once(),
        "answer": answer_to(step["screen"]),
        "rt_ms": 412.5,
        "signs": [],
        "row": {"trial_type": "misstep", "rt": 412},
    }


def answer_to(screen: Plain) -> dict[str, object]:
    """The first thing that fits; of a check, the right values, whichever family asks."""
    match screen["kind"]:
        case "page":
            return {"value": screen["choices"][0]["value"] if screen["choices"] else ""}
        case "ask":
            choices = screen["choices"]
            return {"value": choices[0]["value"] if choices else str(screen["least"] or 0)}
        case "write":
            return {"text": "because it looks like one of those before " * 3}
        case "nback":
            return {"pressed": []}
        case "check":
            return {"values": {one["name"]: _right(one) for one in screen["questions"]}}
        case "plan":
            return {"steps": [one["name"] for one in screen["actions"][:2]]}
        case _:
            return {}


def _right(question: Plain) -> str:
    asked = [one for name in TRIALS for one in trial(name).checks]
    return next(one.right for one in asked if one.question.text == question["text"])
