"""Serving a page to this machine alone, until it is finished or Ctrl-C is pressed."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from contextlib import closing

import uvicorn
from starlette.applications import Starlette

from misstep.core.errors import BadInput

HOST = "127.0.0.1"
_LAST_WORDS = 2
"""Seconds that a request under way gets when the serving ends."""


Making = Callable[[str, Callable[[], None]], Starlette]
"""Makes an application from its token and from what ends the serving."""


def serve_page(making: Making, port: int, ready: Callable[[str], None]) -> None:
    """Serve the page; `ready` gets its address as soon as it can be opened. Port 0: any free one.

    Returns when who sits at it finishes, or on Ctrl-C; BadInput where the port can't be had.
    """
    token = secrets.token_urlsafe(24)
    with closing(_listening(port)) as listener:
        server = uvicorn.Server(_quiet(making(token, lambda: _end(server))))
        ready(f"http://{HOST}:{listener.getsockname()[1]}/?token={token}")
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            return


def _end(server: uvicorn.Server) -> None:
    server.should_exit = True


def _quiet(app: object) -> uvicorn.Config:
    """No log of requests, which would hold the token."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]  # an application of Starlette is one of uvicorn's
        access_log=False,
        log_config=None,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=_LAST_WORDS,
        server_header=False,
    )


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        # So that a browser which is opened before the server runs waits, and is not refused.
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        said = getattr(error, "strerror", None) or error
        raise BadInput(f"--port: {port} can't be had on {HOST}: {said}") from None
    return listener
