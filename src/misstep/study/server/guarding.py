"""What holds for every request: headers, foreign pages, and refusals in one line of JSON."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from misstep.study.screens import Unfit
from misstep.study.server.requests import Refused, check_origin
from misstep.study.store.writing import Away

AWAY_SECONDS = 2
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex",
}


class Guarded:
    """The application within: requests that change something come from its own pages only, and
    every reply has the headers, unless it says otherwise itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if scope["method"] not in ("GET", "HEAD"):
            try:
                check_origin(Request(scope))
            except Refused as refused:
                await _refusal(refused)(scope, receive, with_headers)
                return
        await self._app(scope, receive, with_headers)


def handle_errors(app: FastAPI) -> None:
    """Whatever goes wrong is said as {"error": one line}."""
    for kind in (Refused, Unfit, Away, HTTPException, Exception):
        app.add_exception_handler(kind, _said)


async def _said(_request: Request, error: Exception) -> Response:
    match error:
        case Refused():
            return _refusal(error)
        case Unfit():
            return _error(422, str(error))
        case Away():
            said = "the study's database can't be reached at the moment; nothing was kept of this"
            return _refusal(Refused(503, said, AWAY_SECONDS))
        case HTTPException():
            return _error(error.status_code, str(error.detail).lower())
        case _:
            return _error(500, "the study's server has a fault; nothing was kept of this")


def _refusal(refused: Refused) -> Response:
    wait = refused.retry_after
    headers = None if wait is None else {"Retry-After": str(wait)}
    return JSONResponse({"error": str(refused)}, refused.status, headers)


def _error(status: int, said: str) -> Response:
    return JSONResponse({"error": said}, status)
