"""The protocol of docs/study-protocol.md as a client speaks it, with the page's patience."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import httpx

from misstep.core.errors import BadInput, MisstepError
from misstep.study.screens import Json

PATIENCE = 60.0
"""Seconds after which a request that was never answered is given up."""
_MOST_WAIT = 8.0
_TIMEOUT = 30.0
LATER = (429, 503)
"""Statuses that ask to come again."""


class Gone(OSError):
    """The connection is lost, or nothing came."""


@dataclass(frozen=True)
class Reply:
    status: int
    body: Mapping[str, Json]
    wait: float | None = None

    @property
    def error(self) -> str:
        return str(self.body.get("error", f"status {self.status}"))


class Wire(Protocol):
    """Asks once; Gone where there is no reply."""

    async def ask(self, method: str, path: str, token: str, body: Json) -> Reply: ...


class Refused(MisstepError):
    """The server will not have this request, now or later."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(f"the study's server refuses: {reply.error}")
        self.reply = reply


class HttpWire:
    """Over connections that are kept open."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def ask(self, method: str, path: str, token: str, body: Json) -> Reply:
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {token}"} if token else {}
        content = None if method == "GET" else json.dumps(body)
        try:
            reply = await self._client.request(method, path, headers=headers, content=content)
            found = reply.json()
        except (httpx.HTTPError, ValueError) as error:  # a proxy's page is no JSON
            raise Gone(str(error) or type(error).__name__) from None
        return Reply(reply.status_code, found, _wait(reply.headers.get("retry-after")))


def client(address: str, most: int) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=most, max_keepalive_connections=most)
    return httpx.AsyncClient(base_url=address, timeout=_TIMEOUT, limits=limits)


def check_reached(address: str) -> None:
    """MisstepError where nobody answers at this address, or a server says that it can't now, as
    patience is for later; BadInput where it isn't a study that does."""
    if not address.startswith(("http://", "https://")):
        raise BadInput(f"--at: {address[:200]!r} is no address such as http://127.0.0.1:8000")
    try:
        with httpx.Client(base_url=address, timeout=_TIMEOUT) as asking:
            reply = asking.get("/api/step")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise MisstepError(f"--at: {address[:200]}: {error}") from None
    if reply.status_code == 429 or reply.status_code >= 500:
        said = f"the server replies {reply.status_code}; try again later"
        raise MisstepError(f"--at: {address[:200]}: {said}")
    if not _wants_token(reply):
        raise BadInput(
            f"--at: {address[:200]}: is not the address of a study's page (it replies "
            f"{reply.status_code}); name the one that misstep study serve prints for participants"
        )


@dataclass
class Patient:
    """One robot's side: asks again for as long as it is worth it, as the page does.

    `note` is told how many milliseconds each answered request took, from the sending that was
    answered.
    """

    wire: Wire
    note: Callable[[str, float], None]
    token: str = ""
    patience: float = PATIENCE

    async def ask(self, method: str, path: str, body: Json = None) -> Reply:
        """Refused for a status that asking again can't mend; MisstepError after `patience`."""
        until, pause = time.monotonic() + self.patience, 1.0
        while True:
            began = time.perf_counter()
            try:
                reply = await self.wire.ask(method, path, self.token, body)
            except Gone as gone:
                said, wait = str(gone), pause
            else:
                if reply.status not in LATER and reply.status < 500:
                    self.note(path, 1000 * (time.perf_counter() - began))
                    if reply.status != 200:
                        raise Refused(reply)
                    return reply
                said, wait = reply.error, reply.wait or pause
            if time.monotonic() + wait > until:
                raise MisstepError(f"no reply to {path} for {self.patience:.0f} s: {said}")
            await asyncio.sleep(wait)
            pause = min(2 * pause, _MOST_WAIT)


def new_id() -> str:
    return str(uuid.uuid4())


def _wants_token(reply: httpx.Response) -> bool:
    """As a study's server replies to who asks for a step and has not entered."""
    kind = reply.headers.get("content-type", "")
    return reply.status_code == 401 and kind.startswith("application/json")


def _wait(said: str | None) -> float | None:
    return float(said) if said is not None and said.isdigit() else None
