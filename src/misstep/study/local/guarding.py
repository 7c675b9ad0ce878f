"""What every page for one person has: who lacks its token gets nothing, nor do pages of others.

Requests that aren't carried out are answered in one line.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable

from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

LARGEST_BODY = 4_000
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; "
    "img-src {pictures}; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HOSTS = Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
"""A page of another name that resolves to this machine may not speak for who sits at it."""
Handler = Callable[[Request], Awaitable[Response]]


class Refused(ValueError):
    """A request that isn't carried out; `status` and one line say why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


def guarded(handler: Handler, token: str) -> Handler:
    """Only with the token; what the handler refuses is said in one line."""

    async def answer(request: Request) -> Response:
        given = request.query_params.get("token", "")
        if not secrets.compare_digest(given.encode(), token.encode()):
            return _refusal(403, "the address lacks its token; use the one that misstep printed")
        try:
            return await handler(request)
        except Refused as refused:
            return _refusal(refused.status, str(refused))

    return answer


def document(page: Callable[[str], str], pictures: str) -> Response:
    """A page, made with the nonce that lets its own script run, and nothing else's."""
    nonce = secrets.token_urlsafe(16)
    policy = {"Content-Security-Policy": _POLICY.format(nonce=nonce, pictures=pictures)}
    return HTMLResponse(page(nonce), headers=HEADERS | policy)


def plain(found: object) -> Response:
    return JSONResponse(found, headers=HEADERS)


async def body(request: Request, keys: tuple[str, ...]) -> dict[str, object]:
    """The JSON object with exactly these keys."""
    text = b""
    async for chunk in request.stream():
        text += chunk
        if len(text) > LARGEST_BODY:
            raise Refused(413, f"the body is longer than {LARGEST_BODY} bytes")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused(400, "the body is no JSON") from None
    if not isinstance(found, dict) or set(found) != set(keys):
        raise Refused(400, f"the body is not {{{', '.join(keys)}}}")
    return found


def _refusal(status: int, why: str) -> Response:
    return JSONResponse({"error": why}, status, headers=HEADERS)
