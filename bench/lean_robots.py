"""Participants that cost little: hundreds of them in one process, beside the server they load.

They go their way with the walk and the patience of `misstep study simulate`, over sockets without
an HTTP library, and give the first answer that fits.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass

from misstep.study.robots.mind import Answer, Leave, Shown
from misstep.study.robots.walking import inner
from misstep.study.robots.wire import Gone, Reply
from misstep.study.screens import Json
from misstep.study.trials.every import TRIALS, trial

_TEXT = "It looks like one of those that were shown before, by its beginning and its end. "
_MOST_SECONDS = 30.0
_RIGHT = {one.question.text: one.right for name in TRIALS for one in trial(name).checks}


@dataclass
class LeanWire:
    """One participant's connection, kept open as a browser does; opened anew when it is lost."""

    host: str
    port: int
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, token: str, body: Json) -> Reply:
        sent = b"" if method == "GET" else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n"
            + (f"Authorization: Bearer {token}\r\n" if token else "")
        )
        try:
            async with asyncio.timeout(_MOST_SECONDS):
                return await self._asked(head.encode() + b"\r\n" + sent)
        except (OSError, EOFError, TimeoutError) as error:
            await self.close()
            raise Gone(str(error) or type(error).__name__) from None

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _asked(self, request: bytes) -> Reply:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self._streams
        writer.write(request)
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines if line)
        body = json.loads(await reader.readexactly(int(fields["content-length"])))
        wait = fields.get("retry-after")
        return Reply(int(first.split(" ")[1]), body, None if wait is None else float(wait))


class FirstFit:
    """Gives the first answer that the screen can have; of a check, the right ones."""

    async def act(self, shown: Shown) -> Answer | Leave:
        return Answer(str(shown["key"]), _first_fit(inner(shown["screen"])), 1_000.0)

    def confirmed(self, sent: Answer) -> None:
        """It keeps nothing in mind."""


def _first_fit(screen: Mapping[str, Json]) -> Mapping[str, Json]:
    match screen["kind"]:
        case "page" | "ask":
            choices = _objects(screen["choices"])
            if choices:
                return {"value": choices[0]["value"]}
            return {"value": "" if screen["kind"] == "page" else str(screen["least"] or 0)}
        case "write":
            return {"text": _TEXT * 3}
        case "nback":
            return {"pressed": []}
        case "check":
            asked = _objects(screen["questions"])
            return {"values": {str(one["name"]): _RIGHT[str(one["text"])] for one in asked}}
        case "plan":
            return {"steps": [one["name"] for one in _objects(screen["actions"])[:4]]}
        case _:
            return {}


def _objects(value: Json) -> list[Mapping[str, Json]]:
    return [inner(one) for one in value] if isinstance(value, list) else []
