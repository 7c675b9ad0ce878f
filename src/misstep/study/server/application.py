"""The application of a study: the participant's page and protocol, and the researcher's desk."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from fastapi import FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from misstep.study.course.nouns import Study
from misstep.study.pages.assets import Assets
from misstep.study.pages.document import POLICY, document, facing_of
from misstep.study.server import limits, participants
from misstep.study.server.desk import routes as desk
from misstep.study.server.desk.routes import Download
from misstep.study.server.guarding import Guarded, handle_errors
from misstep.study.server.limits import Limit
from misstep.study.server.participants import Limits
from misstep.study.server.requests import Refused
from misstep.study.server.ways import Ways
from misstep.study.store.opening import Store
from misstep.study.store.writing import Away

_HEARTBEAT = 2.0
"""Seconds between looks at what another server's desk said; the database is missed by then."""
_FOREVER = "public, max-age=31536000, immutable"


def utc_ms() -> int:
    return time.time_ns() // 1_000_000


def application(
    study: Study,
    store: Store,
    assets: Assets,
    desk_token: str,
    *,
    downloads: Sequence[Download] = (),
    hosts: Sequence[str] = ("*",),
    clock: Callable[[], int] = utc_ms,
) -> FastAPI:
    """`hosts` are the names under which it may be asked. It closes the store at its end."""
    ways = Ways(study, store, clock)

    @asynccontextmanager
    async def living(_app: FastAPI) -> AsyncIterator[None]:
        beating = asyncio.create_task(_beat(ways))
        yield
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating
        ways.close()
        await asyncio.to_thread(store.close)

    app = FastAPI(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=living,
        routes=[
            *participants.routes(study, ways, _limits()),
            *desk.routes(study, store, ways, desk_token, downloads, clock),
            *_page(study, assets),
        ],
    )
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    app.add_middleware(Guarded)
    handle_errors(app)
    return app


def _limits() -> Limits:
    rates = limits.OF_TOKEN, limits.OF_ENTERING, limits.OF_WRONG_TOKENS
    return Limits(*(Limit(rate, time.monotonic) for rate in rates))


async def _beat(ways: Ways) -> None:
    while True:
        with suppress(Away):  # the store has said so
            await ways.refresh()
        await asyncio.sleep(_HEARTBEAT)


def _page(study: Study, assets: Assets) -> list[BaseRoute]:
    html = document(facing_of(study), assets)

    async def page(_request: Request) -> Response:
        return HTMLResponse(html, headers={"Content-Security-Policy": POLICY})

    async def asset(request: Request) -> Response:
        found = assets.files.get(request.path_params["name"])
        if found is None:
            raise Refused(404, "not found")
        return Response(
            found.content, media_type=found.media_type, headers={"Cache-Control": _FOREVER}
        )

    return [Route("/", page), Route("/assets/{name}", asset)]
