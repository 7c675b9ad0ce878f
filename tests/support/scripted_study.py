"""A study's server that shows given screens one after another, and fails where it is told to.

It speaks the protocol of docs/study-protocol.md for one person, so that pages can be tried with any
screens, and with faults that a real server has seldom.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from misstep.study.pages.assets import assets
from misstep.study.pages.document import POLICY, Facing, document
from misstep.study.screens import End, Part, Screen, Unfit, fit, plain

TOKEN = "t" * 43
FACING = Facing("A study")
Plain = dict[str, Any]  # Any: JSON as it came


@dataclass
class Script:
    """`posted` is each answer that came, `kept` each that was kept, by its key. `refusals` are
    said to the next answers, one each: a status and headers."""

    screens: Sequence[Screen]
    facing: Facing = FACING
    kept: dict[str, Plain] = field(default_factory=dict)
    posted: list[Plain] = field(default_factory=list)
    entered: list[Plain] = field(default_factory=list)
    refusals: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    is_paused: bool = False
    withdrawn: int = 0
    is_known: bool = True
    part: str = "trial"

    def step(self) -> Plain:
        place = len(self.kept)
        if self.withdrawn:
            screen: Screen = End("withdrawn", (Part("text", "You have left the study."),))
        else:
            screen = self.screens[place]
        is_over = screen.kind == "end"
        return {
            "key": "end" if is_over else f"trial/{place}/0",
            "part": "end" if is_over else self.part,
            "done": place,
            "total": len(self.screens) - 1,
            "trial": None if is_over else place,
            "screen": plain(screen),
            "paused": self.is_paused,
        }

    def answer(self, sent: Plain) -> tuple[int, Plain]:
        self.posted.append(sent)
        known = self.kept.get(sent["key"])
        if known is not None and known["once"] == sent["once"]:
            return 200, {"step": self.step()}
        if sent["key"] != self.step()["key"]:
            return 409, {"error": "this is not the screen at hand", "step": self.step()}
        try:
            fit(self.screens[len(self.kept)], sent["answer"])
        except Unfit as error:
            return 422, {"error": str(error)}
        self.kept[sent["key"]] = sent
        return 200, {"step": self.step()}

    def answers(self) -> list[Plain]:
        return [one["answer"] for one in self.kept.values()]


@contextmanager
def served(script: Script) -> Iterator[str]:
    """Its address, while it is served on this machine."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # who comes before the server is ready waits for it
    config = uvicorn.Config(
        _application(script),
        access_log=False,
        log_config=None,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    with closing(listener):
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        finally:
            server.should_exit = True
            thread.join()


def _application(script: Script) -> Starlette:
    built = assets()

    async def page(_request: Request) -> Response:
        html = document(script.facing, built)
        return HTMLResponse(html, headers={"Content-Security-Policy": POLICY})

    async def asset(request: Request) -> Response:
        found = built.files[request.path_params["name"]]
        return Response(found.content, media_type=found.media_type)

    async def enter(request: Request) -> Response:
        script.entered.append(await request.json())
        return JSONResponse({"token": TOKEN, "screen": script.step()})

    async def step(request: Request) -> Response:
        return _refused(request, script) or JSONResponse(script.step())

    async def answer(request: Request) -> Response:
        sent = await request.json()
        if script.refusals:
            status, headers = script.refusals.pop(0)
            return JSONResponse({"error": f"refused with {status}"}, status, headers)
        if (refused := _refused(request, script)) is not None:
            return refused
        status, body = script.answer(sent)
        return JSONResponse(body, status)

    async def withdraw(request: Request) -> Response:
        script.withdrawn += 1
        return _refused(request, script) or JSONResponse({"step": script.step()})

    posts = (("/api/enter", enter), ("/api/answer", answer), ("/api/withdraw", withdraw))
    routes = [Route(path, act, methods=["POST"]) for path, act in posts]
    gets = (("/", page), ("/assets/{name}", asset), ("/api/step", step))
    return Starlette(routes=[*routes, *(Route(path, act) for path, act in gets)])


def _refused(request: Request, script: Script) -> Response | None:
    if script.is_known and request.headers.get("authorization") == f"Bearer {TOKEN}":
        return None
    return JSONResponse({"error": "this way through the study is not known here"}, 401)
