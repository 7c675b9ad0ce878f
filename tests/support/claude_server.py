"""A server of this machine that speaks like Anthropic's: it caches what is marked, for a price."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from answering import Answering, answering

Plain = dict[str, Any]  # Any: JSON values
LEAST = 1_024
"""Tokens of the shortest beginning that is cached; a token is four characters."""


@dataclass
class Sums:
    """Tokens as they are charged for; `requests` in the order in which they came."""

    requests: list[Plain] = field(default_factory=list)
    cached: set[str] = field(default_factory=set)
    plain: int = 0
    written: int = 0
    read: int = 0

    def answer(self, request: Plain) -> Plain:
        self.requests.append(request)
        whole, marks = _marked(request)
        read = max((mark for mark in marks if whole[:mark] in self.cached), default=0)
        write = max((mark for mark in marks if mark >= LEAST * 4), default=0)
        self.cached |= {whole[:mark] for mark in marks if mark >= LEAST * 4}
        usage = {
            "input_tokens": (len(whole) - max(read, write)) // 4,
            "cache_creation_input_tokens": max(0, write - read) // 4,
            "cache_read_input_tokens": read // 4,
            "output_tokens": 3,
        }
        self.plain += usage["input_tokens"]
        self.written += usage["cache_creation_input_tokens"]
        self.read += usage["cache_read_input_tokens"]
        return {
            "id": "1", "type": "message", "role": "assistant", "model": request["model"],
            "content": [{"type": "text", "text": "3"}], "stop_reason": "end_turn",
            "stop_sequence": None, "usage": usage,
        }  # fmt: skip


def _marked(request: Plain) -> tuple[str, list[int]]:
    """The prompt, and where it is marked; a mark of the whole request stands at its end."""
    whole, marks = "", []
    for message in request["messages"]:
        content = message["content"]
        blocks = [{"text": content}] if isinstance(content, str) else content
        for block in blocks:
            whole += block["text"]
            if "cache_control" in block:
                marks.append(len(whole))
    return whole, [*marks, len(whole)] if "cache_control" in request else marks


@contextmanager
def claude_server() -> Iterator[tuple[str, Sums]]:
    """Its address, and what it charges for."""
    sums, lock = Sums(), threading.Lock()

    class Handler(Answering):
        def do_POST(self) -> None:  # noqa: N802 (the base class's name)
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                reply = json.dumps(sums.answer(request)).encode()
            self.say(reply)

    with answering(Handler) as address:
        yield address, sums
