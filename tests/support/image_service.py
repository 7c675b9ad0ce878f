"""An image service on this machine that behaves like the documented one, its faults included.

A person is a colour: a pair is two halves of one colour, another person about the opposite one.
A fault is said for a call by its number, from 0; it holds for that call alone.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from PIL import Image

KEY = "sk-a-secret-of-the-tests"
SIDE = 64
GRAY = (128, 128, 128)
"""Of a picture that shows no face."""


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    path: str
    fields: dict[str, str]
    image: bytes | None
    headers: dict[str, str]


@dataclass(frozen=True)
class Reply:
    """What the service answers. `cut`: so many bytes of the body, then the connection ends."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    seconds: float = 0.0
    cut: int | None = None


Fault = Callable[[Asked], Reply]


@dataclass
class Service:
    """What was asked so far, and the faults that are still to come."""

    address: str = ""
    asked: list[Asked] = field(default_factory=list)
    faults: dict[int, Fault] = field(default_factory=dict)
    usual: Fault = field(default_factory=lambda: painted)
    most_at_once: int = 0
    at: list[float] = field(default_factory=list)
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, asked: Asked) -> Reply:
        with self._lock:
            number = len(self.asked)
            self.asked.append(asked)
            self.at.append(time.monotonic())
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            reply = self.faults.get(number, self.usual)(asked)
            time.sleep(reply.seconds)
            return reply
        finally:
            with self._lock:
                self._now -= 1


def error(status: int, name: str, *errors: str, **headers: str) -> Fault:
    """An error as the service words it."""
    body = json.dumps({"id": "a1", "name": name, "errors": list(errors)}).encode()
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return lambda _asked: Reply(status, {"Content-Type": "application/json", **named}, body)


def painted(asked: Asked) -> Reply:
    """A pair's colour comes from the seed; the other person's is nearly its opposite."""
    if asked.headers.get("authorization") != f"Bearer {KEY}":
        return error(401, "unauthorized", "invalid or missing header: authorization")(asked)
    if asked.path.endswith("/generate/ultra"):
        return picture((colour(asked.fields["seed"]),) * 2)
    assert asked.image is not None
    shade = hashlib.sha256(asked.fields["seed"].encode()).digest()
    right = middle(asked.image)
    red, green, blue = (255 - part ^ shade[place] % 32 for place, part in enumerate(right))
    return picture(((red, green, blue),))


def no_face(asked: Asked) -> Reply:
    return picture((GRAY, GRAY) if asked.path.endswith("/generate/ultra") else (GRAY,))


def colour(seed: str) -> tuple[int, int, int]:
    """Far from gray: each part is below 64 or above 191."""
    drawn = hashlib.sha256(seed.encode()).digest()
    red, green, blue = (part if part < 64 else 255 - part % 64 for part in drawn[:3])
    return red, green, blue


def png(colours: tuple[tuple[int, int, int], ...]) -> bytes:
    """One square beside another."""
    whole = Image.new("RGB", (SIDE * len(colours), SIDE))
    for place, one in enumerate(colours):
        whole.paste(one, (SIDE * place, 0, SIDE * (place + 1), SIDE))
    file = io.BytesIO()
    whole.save(file, "PNG")
    return file.getvalue()


def picture(colours: tuple[tuple[int, int, int], ...], ended: str = "SUCCESS") -> Reply:
    headers = {"Content-Type": "image/png", "finish-reason": ended, "seed": "1"}
    return Reply(200, headers, png(colours))


def eyes(content: bytes) -> tuple[float, ...] | None:
    """The colour of a picture as three numbers from 0 to 1; None for gray, as for no face."""
    shown = middle(content)
    return None if shown == GRAY else tuple(part / 255 for part in shown)


def middle(content: bytes) -> tuple[int, int, int]:
    """The colour in the middle of a picture."""
    with Image.open(io.BytesIO(content)) as found:
        shown = found.convert("RGB").getpixel((found.width // 2, found.height // 2))
    assert isinstance(shown, tuple)
    red, green, blue = (int(part) for part in shown)
    return red, green, blue


@contextmanager
def serving() -> Iterator[Service]:
    """The service, on a free port of this machine."""
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            _send(self, service.answer(_read(self)))

        def log_message(self, *_words: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _read(request: BaseHTTPRequestHandler) -> Asked:
    body = request.rfile.read(int(request.headers["Content-Length"]))
    kind = re.fullmatch(r"multipart/form-data; boundary=(\S+)", request.headers["Content-Type"])
    assert kind is not None
    fields: dict[str, str] = {}
    image: bytes | None = None
    for part in body.split(f"--{kind[1]}".encode())[1:-1]:
        head, _, content = part.removeprefix(b"\r\n").removesuffix(b"\r\n").partition(b"\r\n\r\n")
        name = re.search(rb'name="([^"]+)"', head)
        assert name is not None
        if b"filename=" in head:
            assert name[1] == b"image"
            image = content
        else:
            fields[name[1].decode()] = content.decode()
    headers = {name.lower(): value for name, value in request.headers.items()}
    return Asked(request.path, fields, image, headers)


def _send(request: BaseHTTPRequestHandler, reply: Reply) -> None:
    try:
        request.send_response(reply.status)
        for name, value in reply.headers.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(reply.body)))
        request.end_headers()
        request.wfile.write(reply.body[: reply.cut])
    except ConnectionError:
        return
    if reply.cut is not None:
        request.close_connection = True
