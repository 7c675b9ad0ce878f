"""A model's server on this machine that says back the key and the address it was called with.

Called as OpenAI is it puts them in its reply, called as Anthropic is in an error.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USAGE = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}


@contextmanager
def echoing() -> Iterator[tuple[str, list[str]]]:
    """Its host and port, and what it has said so far."""
    said: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            keys = [self.headers.get(name, "") for name in ("Authorization", "X-Api-Key")]
            said.append(f"asked at {self.path} with the key {''.join(keys)}")
            is_refused = "/messages" in self.path
            body = json.dumps((_error if is_refused else _reply)(said[-1])).encode()
            self.send_response(401 if is_refused else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}", said
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _reply(words: str) -> dict[str, object]:
    message = {"role": "assistant", "content": f"I was asked so: {words}\nANSWER: Yes"}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    named = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    return {**named, "choices": [choice], "usage": USAGE}


def _error(words: str) -> dict[str, object]:
    return {"type": "error", "error": {"type": "invalid_request_error", "message": words}}
