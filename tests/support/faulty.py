"""A server of this machine that speaks like OpenAI's and fails as real ones do, by a seed.

What it answers hangs on the question alone; how a call fails, on the question and on how often it
was asked. It counts every question that it answered in full, as a provider would charge for it.
`python faulty.py [--port P] [--share 0.2] [--seed 0]` serves until Ctrl-C.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum

MODEL = "openai-api/faulty/m"


class Fault(StrEnum):
    """Those from `FILTERED` on are answers, and paid for."""

    LIMITED = "429 with Retry-After"
    LIMITED_BARE = "429 without"
    ERROR = "500, 502, 503"
    HANGS = "never replies"
    RESETS = "resets the connection"
    CUTS = "breaks off in the reply"
    DAMAGES = "truncated JSON"
    FILTERED = "content filter"
    EMPTY = "empty reply"
    SLOW = "10 times as slow"


UNPAID = tuple(Fault)[:7]
ODD = (Fault.FILTERED, Fault.EMPTY)
"""A question gets these at every try: they are what the model has to say."""


def chance(seed: int, *path: object) -> float:
    """The same number in [0, 1) for the same words."""
    words = json.dumps([seed, *map(str, path)])
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:6]) / 2**48


@dataclass
class Faulty:
    """One server's faults and counts. A test changes the settings while it serves.

    `share` of all calls meet a fault, each kind as often. The model is `gone` after so many
    answers, if that is set; every call is told `status`, if that is, or with `cursed` those whose
    words hold it. Without `keeps_alive` each connection serves one call.
    """

    share: float = 0.2
    seed: int = 0
    kinds: tuple[Fault, ...] = tuple(Fault)
    latency: float = 0.005
    gone_after: int | None = None
    status: int | None = None
    cursed: str = ""
    keeps_alive: bool = True
    tries: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)

    def fault(self, question: str) -> Fault | None:
        """What the call meets; called once a call."""
        self.tries[question] += 1
        each = self.share / len(Fault)
        if not each:
            return None
        lasting = [kind for kind in ODD if kind in self.kinds]
        place = int(chance(self.seed, "odd", question) / each)
        if place < len(lasting):
            return lasting[place]
        passing = [kind for kind in self.kinds if kind not in ODD]
        place = int(chance(self.seed, question, self.tries[question]) / each)
        return passing[place] if place < len(passing) else None

    @property
    def is_gone(self) -> bool:
        return self.gone_after is not None and self.answered.total() >= self.gone_after

    @property
    def paid_twice(self) -> int:
        """Answers beyond the first of each question."""
        return sum(count - 1 for count in self.answered.values())


def question_of(body: bytes) -> str:
    """Names a question by its messages and its seed."""
    asked = json.loads(body)
    words = json.dumps([asked["messages"], asked.get("seed")], sort_keys=True)
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def reply_to(question: str) -> str:
    place = int(question[:4], 16) % 10
    return "Perhaps." if place == 0 else f"My answer is {'Yes' if place < 6 else 'No'}"


def _completion(question: str, fault: Fault | None) -> bytes:
    text = "" if fault in ODD else reply_to(question)
    reason = "content_filter" if fault is Fault.FILTERED else "stop"
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
    choice = {"index": 0, "finish_reason": reason, "message": message}
    whole = {"id": "1", "object": "chat.completion", "created": 0, "model": "m"}
    return json.dumps({**whole, "choices": [choice], "usage": usage}).encode()


def _error(kind: str, code: str | None = None) -> bytes:
    return json.dumps({"error": {"message": kind, "type": kind, "code": code}}).encode()


def _response(status: int, body: bytes, *headers: str, length: int | None = None) -> bytes:
    size = len(body) if length is None else length
    about = ("Content-Type: application/json", f"Content-Length: {size}")
    return "\r\n".join([f"HTTP/1.1 {status} X", *about, *headers, "", ""]).encode() + body


class _Hung(Exception):
    """The connection ends without a whole reply."""


class _Connection:
    """One client's connection, which may ask many times."""

    def __init__(
        self, faulty: Faulty, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._faulty, self._reader, self._writer = faulty, reader, writer

    async def serve(self) -> None:
        try:
            await self._reply(await self._body())
            while self._faulty.keeps_alive:
                await self._reply(await self._body())
        except (asyncio.IncompleteReadError, ConnectionError, _Hung):
            pass
        finally:
            self._writer.close()

    async def _body(self) -> bytes:
        head = await self._reader.readuntil(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if line)
        return await self._reader.readexactly(int(fields[b"content-length"]))

    async def _send(self, response: bytes) -> None:
        if not self._faulty.keeps_alive:
            response = response.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)
        self._writer.write(response)
        await self._writer.drain()

    async def _reply(self, body: bytes) -> None:
        faulty, question = self._faulty, question_of(body)
        if faulty.status is not None and faulty.cursed.encode() in body:
            await self._send(_response(faulty.status, _error("as it was told")))
        elif faulty.is_gone:
            await self._send(_response(404, _error("model m does not exist", "model_not_found")))
        else:
            fault = faulty.fault(question)
            faulty.met[fault or "none"] += 1
            await asyncio.sleep(faulty.latency * (10 if fault is Fault.SLOW else 1))
            if fault in UNPAID:
                await self._fail(question, fault)
            else:
                await self._send(_response(200, _completion(question, fault)))
                faulty.answered[question] += 1

    async def _fail(self, question: str, fault: Fault) -> None:
        whole = _completion(question, None)
        match fault:
            case Fault.LIMITED:
                await self._send(_response(429, _error("rate_limit"), "Retry-After: 1"))
            case Fault.LIMITED_BARE:
                await self._send(_response(429, _error("rate_limit")))
            case Fault.ERROR:
                place = int(chance(0, question, self._faulty.tries[question]) * 3)
                await self._send(_response((500, 502, 503)[place], _error("server_error")))
            case Fault.HANGS:
                await self._reader.read(1)
                raise _Hung
            case Fault.RESETS:
                self._writer.transport.abort()
                raise _Hung
            case Fault.CUTS:
                await self._send(_response(200, whole[:60], length=len(whole)))
                raise _Hung
            case _:
                await self._send(_response(200, whole[:60]))


@contextmanager
def serving(faulty: Faulty, port: int = 0) -> Iterator[str]:
    """The server's address, for as long as it is open; it has a thread of its own."""
    loop = asyncio.new_event_loop()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _Connection(faulty, reader, writer).serve()

    server = loop.run_until_complete(asyncio.start_server(connected, "127.0.0.1", port))
    address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield address
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        loop.run_until_complete(_ended())
        loop.close()


async def _ended() -> None:
    """Connections that still hang are cut."""
    left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    # Transports close in the loop's next rounds.
    await asyncio.sleep(0.05)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(words)
    with serving(Faulty(asked.share, asked.seed), asked.port) as address:
        sys.stdout.write(f"{address}: Ctrl-C ends it\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
