"""Asks the image service, patiently and only for what isn't kept yet."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

from misstep.core.errors import BadInput, MisstepError
from misstep.families.faces.service import replies
from misstep.families.faces.service.calls import Call
from misstep.families.faces.service.pace import Pace
from misstep.families.faces.service.prices import Tariff
from misstep.families.faces.service.purchases import Answer, End, Place, Purchases
from misstep.families.faces.service.replies import Meaning, Reading

BASE = "https://api.stability.ai"
KEY = "STABILITY_API_KEY"
"""The variable of the environment that holds the key."""
LARGEST = 64 << 20
"""Bytes of a reply."""


@dataclass(frozen=True)
class Patience:
    """How long a call may take in all (seconds), how often it is made, and the waits in between:
    each is twice the one before, from `first` to `longest`."""

    seconds: float = 300.0
    tries: int = 6
    first: float = 2.0
    longest: float = 60.0

    def wait(self, failures: int) -> float:
        return min(self.first * 2.0 ** (failures - 1), self.longest)


PATIENCE = Patience()


@dataclass(frozen=True)
class Client:
    """One account at one address. `most` are the credits that may be spent in all.

    `is_picture` says whether bytes are a picture that can be read.
    """

    base: str
    key: str = field(repr=False)
    purchases: Purchases
    pace: Pace
    tariff: Tariff
    is_picture: Callable[[bytes], bool]
    http: httpx.Client
    patience: Patience = PATIENCE
    most: float | None = None

    def ask(self, call: Call) -> Answer:
        """The answer, kept on disk. MisstepError where the service gives none, for good."""
        key = call.key(self.base)
        found = self.purchases.find(key)
        failures = 0
        while found is None:
            reading = self._try(call, key)
            if reading.meaning in (Meaning.AGAIN, Meaning.BROKEN):
                failures += 1
                if failures == self.patience.tries:
                    raise MisstepError(self._said(f"{reading.words}; tried {failures} times"))
                self.pace.pause(reading.wait or self.patience.wait(failures))
            found = self.purchases.find(key)
        return found

    def _try(self, call: Call, key: str) -> Reading:
        self.pace.wait()
        cost = self.tariff.credits[call.kind]
        with self.purchases.calling(key, call.kind, cost, self.most) as place:
            reading = self._reading(call)
            self._settle(place, reading)
        if reading.meaning is Meaning.STOP:
            raise MisstepError(self._said(reading.words))
        return reading

    def _settle(self, place: Place, reading: Reading) -> None:
        match reading.meaning:
            case Meaning.AGAIN if reading.is_unsure:
                place.end(End.UNSURE)
            case Meaning.AGAIN | Meaning.STOP:
                place.end(End.FAILED)
            case _:
                place.end(End(reading.meaning.value), reading.picture)

    def _reading(self, call: Call) -> Reading:
        try:
            status, headers, content = self._send(call)
        except httpx.ConnectError as error:
            return Reading(Meaning.AGAIN, words=f"no connection: {error}")
        except (httpx.TransportError, httpx.DecodingError, _TooSlow) as error:
            words = f"the connection broke: {type(error).__name__.strip('_')}"
            return Reading(Meaning.AGAIN, words=words, is_unsure=True)
        reading = replies.read(status, headers, content)
        if reading.meaning is Meaning.PICTURE and not self.is_picture(reading.picture):
            return Reading(Meaning.BROKEN, words="the picture that came can't be read")
        return reading

    def _send(self, call: Call) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body. The form has several parts even where no picture is sent."""
        end = time.monotonic() + self.patience.seconds
        parts: list[tuple[str, tuple[str | None, str | bytes, str | None]]] = [
            (name, (None, value, None)) for name, value in call.fields
        ]
        if call.image is not None:
            parts.append(("image", ("image.png", call.image, "image/png")))
        headers = {"Authorization": f"Bearer {self.key}", "Accept": "image/*"}
        address = f"{self.base}/{call.path}"
        with self.http.stream("POST", address, files=parts, headers=headers) as reply:
            content = bytearray()
            for block in reply.iter_bytes():
                content += block
                if len(content) > LARGEST or time.monotonic() > end:
                    raise _TooSlow
            found = {name.lower(): value for name, value in reply.headers.items()}
            return reply.status_code, found, bytes(content)

    def _said(self, words: str) -> str:
        """In one line that never holds the key, whatever the service sends back."""
        said = " ".join(words.split()).replace(self.key, "…")
        return f"{self.base}: {said}; what was bought is kept, and the same command goes on"


class _TooSlow(Exception):
    """The reply didn't end in time, or doesn't end at all."""


def open_http(base: str, patience: Patience) -> httpx.Client:
    """No redirects: the key goes to nobody but the address that was named."""
    is_here = _is_here(urlsplit(base).hostname or "")
    timeout = httpx.Timeout(patience.seconds, connect=min(20.0, patience.seconds))
    return httpx.Client(timeout=timeout, follow_redirects=False, trust_env=not is_here)


def checked_base(address: str) -> str:
    """The address without a slash at its end; over a network only https, since it gets the key."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError as error:
        raise BadInput(f"--base-url: {address!r}: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"--base-url: {address!r} is no address such as {BASE}")
    if parts.username or parts.query or parts.fragment:
        raise BadInput(f"--base-url: {parts.hostname}: only a host and a path may be named")
    if parts.scheme == "http" and not _is_here(parts.hostname):
        raise BadInput(f"--base-url: {address}: needs https, since the key goes there")
    return address.rstrip("/")


def checked_key(environment: Mapping[str, str]) -> str:
    """The key; BadInput names the variable that should hold it, and never what it holds."""
    key = environment.get(KEY, "").strip()
    if not key:
        raise BadInput(f"{KEY}: is not set in the environment; it holds the service's key")
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BadInput(f"{KEY}: holds something that can't be sent as a key")
    return key


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
