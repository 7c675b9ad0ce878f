"""A server of this machine that sees: it speaks as three providers do, decodes the pictures of a
request and answers from them alone."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = Mapping[str, Any]  # Any: JSON values
Part = str | bytes
"""Words, or the bytes of a picture."""

Heard = list[tuple[str, list[Part]]]
"""A request: who says what, in order."""


@dataclass
class Server:
    """Its address, and what each request said in its order: system, then message by message.

    `takes` is how many pictures it takes in a request.
    """

    address: str
    answer: Callable[[Sequence[bytes]], str]
    takes: int = 1_000
    requests: list[Heard] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)


@contextmanager
def sighted_server(answer: Callable[[Sequence[bytes]], str]) -> Iterator[Server]:
    """`answer` is given the pictures of a request in their order."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers["Content-Length"]))
            heard.sizes.append(len(raw))
            read, reply = _FORMATS[_format(self.path)]
            said = read(json.loads(raw))
            heard.requests.append(said)
            seen = [one for _, parts in said for one in parts if isinstance(one, bytes)]
            if len(seen) > heard.takes:
                message = f"at most {heard.takes} image may be provided in one request"
                self._send(400, {"error": {"message": message, "type": "invalid_request_error"}})
            else:
                self._send(200, reply(heard.answer(seen)))

        def _send(self, status: int, plain: Json) -> None:
            content = json.dumps(plain).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # (the base class's name)
            """Nothing on the screen."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    heard = Server(f"http://127.0.0.1:{server.server_port}", answer)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield heard
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _format(path: str) -> str:
    return next(name for name in _FORMATS if name in path)


def _decoded(data: str) -> bytes:
    return base64.b64decode(data, validate=True)


def _of_uri(uri: str) -> bytes:
    kind, _, data = uri.partition(";base64,")
    assert kind in ("data:image/png", "data:image/jpeg")
    return _decoded(data)


def _openai(request: Json) -> Heard:
    return [(one["role"], [_openai_part(part) for part in _list(one["content"])])
            for one in request["messages"]]  # fmt: skip


def _openai_part(part: Json) -> Part:
    return _of_uri(part["image_url"]["url"]) if part["type"] == "image_url" else str(part["text"])


def _anthropic(request: Json) -> Heard:
    said: Heard = []
    if "system" in request:
        said.append(("system", [str(one["text"]) for one in _list(request["system"])]))
    for one in request["messages"]:
        said.append((one["role"], [_anthropic_part(part) for part in _list(one["content"])]))
    return said


def _anthropic_part(part: Json) -> Part:
    if part["type"] == "text":
        return str(part["text"])
    assert part["source"]["type"] == "base64"
    assert part["source"]["media_type"] in ("image/png", "image/jpeg")
    return _decoded(part["source"]["data"])


def _google(request: Json) -> Heard:
    said: Heard = []
    if "systemInstruction" in request:
        parts = request["systemInstruction"]["parts"]
        said.append(("system", [str(one["text"]) for one in parts]))
    for one in request["contents"]:
        said.append((one["role"], [_google_part(part) for part in one["parts"]]))
    return said


def _google_part(part: Json) -> Part:
    inline = part.get("inlineData") or part.get("inline_data")
    if inline is None:
        return str(part["text"])
    data = str(inline["data"])
    return base64.urlsafe_b64decode(data) if "-" in data or "_" in data else _decoded(data)


def _list(content: str | Sequence[Json]) -> Sequence[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _openai_reply(text: str) -> Json:
    message = {"role": "assistant", "content": text}
    return {
        "id": "1", "object": "chat.completion", "created": 0, "model": "x",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11},
    }  # fmt: skip


def _anthropic_reply(text: str) -> Json:
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "x",
        "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
        "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 1},
    }  # fmt: skip


def _google_reply(text: str) -> Json:
    content = {"role": "model", "parts": [{"text": text}]}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 1, "totalTokenCount": 11}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": usage, "modelVersion": "x",
    }  # fmt: skip


_FORMATS: dict[str, tuple[Callable[[Json], Heard], Callable[[str], Json]]] = {
    "chat/completions": (_openai, _openai_reply),
    "v1/messages": (_anthropic, _anthropic_reply),
    "generateContent": (_google, _google_reply),
}
