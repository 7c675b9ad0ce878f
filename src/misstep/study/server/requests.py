"""What comes in over HTTP: read within limits, believed in nothing, refused in one line."""

from __future__ import annotations

import json
import re
from typing import TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

LARGEST_BODY = 256 * 1024
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
M = TypeVar("M", bound=BaseModel)


class Refused(Exception):
    """A request that isn't carried out: its status, one line, and seconds to wait where it may be
    tried again."""

    def __init__(self, status: int, why: str, retry_after: int | None = None) -> None:
        super().__init__(why)
        self.status, self.retry_after = status, retry_after


async def body(request: Request, model: type[M]) -> M:
    """The JSON object of the body; Refused says what is wrong with it."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "the body must be application/json")
    return _read(await _bytes(request), model)


def bearer(request: Request) -> str:
    """The token of the request's Authorization; Refused (401) where there is none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not is_token(token):
        raise Refused(401, "this needs its token, as Authorization: Bearer")
    return token


def is_token(text: str) -> bool:
    """Whether it could be one: 256 bits in base64 for URLs."""
    return _TOKEN.fullmatch(text) is not None


def check_origin(request: Request) -> None:
    """Pages of other origins may not speak for who sits at the browser. Browsers say which page it
    was (Sec-Fetch-Site, over HTTPS, or Origin), and no page can forge it; other clients needn't."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        is_ours = site in ("same-origin", "none")
    else:
        is_ours = origin is None or _place(origin) == request.headers.get("host", "").lower()
    if not is_ours:
        raise Refused(403, "the request comes from another site")


def address(request: Request) -> str:
    return request.client.host if request.client is not None else ""


def _place(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


async def _bytes(request: Request) -> bytes:
    """Never more in memory than the limit and one chunk."""
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > LARGEST_BODY:
            raise Refused(413, f"the body is longer than {LARGEST_BODY} bytes")
    return bytes(found)


def _read(text: bytes, model: type[M]) -> M:
    try:
        found = _mended(json.loads(text))
    except (ValueError, RecursionError):
        raise Refused(400, "the body is no JSON") from None
    try:
        return model.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(one)[:40] for one in first["loc"]) or "the body"
        raise Refused(422, f"{place}: {first['msg'].lower()}"[:200]) from None


def _mended(found: object) -> object:
    """ValueError where there is a number that JSON hasn't; half characters (of an emoji that was
    cut in two) become the sign for what can't be shown, so that every text can be written."""
    text = json.dumps(found, allow_nan=False, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        mended: object = json.loads(whole)
        return mended
    return found
