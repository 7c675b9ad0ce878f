"""Serving a study until it is told to end; what was confirmed is durable however it ends."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address

import uvicorn

from misstep.core.errors import BadInput
from misstep.study.course.drawing import pool_of
from misstep.study.course.nouns import Study
from misstep.study.course.stored import departed, restored
from misstep.study.pages.assets import assets
from misstep.study.server.application import application, utc_ms
from misstep.study.server.desk.routes import Download
from misstep.study.server.requests import is_token
from misstep.study.store import people, versions
from misstep.study.store.nouns import State, Version
from misstep.study.store.opening import Store, open_store

LOCAL = "127.0.0.1"
_LAST_WORDS = 10
"""Seconds that requests under way get when the serving ends."""


@dataclass(frozen=True)
class Opened:
    """`address` is the participants' page, `desk` the researcher's with its token; `notes` are
    lines that whoever serves should read."""

    address: str
    desk: str
    notes: tuple[str, ...]


def serve(
    study: Study,
    database: str,
    host: str,
    port: int,
    ready: Callable[[Opened], None],
    *,
    say: Callable[[str], None],
    downloads: Callable[[Store], Sequence[Download]] = lambda _store: (),
    names: Sequence[str] = (),
    proxy: bool = False,
    desk_token: str | None = None,
) -> None:
    """Serve the study; `ready` is told when it can be opened. Port 0: any free one.

    `names` are the host names under which it may be asked (none named: this machine's own on a
    local address, else any). `proxy`: believe a proxy on this machine who its clients are. `say`
    gets lines before and while it serves. `desk_token` keeps the desk's address over restarts.
    Returns on Ctrl-C or SIGTERM, when requests under way are through.
    """
    token = _token(desk_token)
    page = assets()
    for number, block in enumerate(study.blocks):
        say(f"{block.family}: making the items")  # before the first person waits for them
        pool_of(study, number)
    with closing(_listening(host, port)) as listener:
        store = open_store(database, study, utc_ms(), say)
        _make_older(study, store, say)
        here = f"http://{_shown(host)}:{listener.getsockname()[1]}"
        app = application(
            study,
            store,
            page,
            token,
            downloads=downloads(store),
            hosts=list(names) or (["127.0.0.1", "localhost"] if _is_local(host) else ["*"]),
        )
        server = _Server(_quiet(app, proxy), lambda: ready(Opened(f"{here}/", desk, notes)))
        desk, notes = f"{here}/desk#{token}", tuple(_notes(study, store, host, proxy))
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:
            return
        finally:
            store.close()


def _make_older(study: Study, store: Store, say: Callable[[str], None]) -> None:
    """The items of versions that somebody is under way in, before they come back."""
    for one in _others(study, store):
        late = partial(people.release_late, number=one.number, now=utc_ms())
        store.write(late).result()
    for one in _others(study, store):
        if State.UNDER_WAY in one.states:
            say(f"version {one.digest}: making the items")
            stored = store.read(partial(versions.stored, number=one.number))
            if restored(stored) is None:
                why = f" ({told})" if (told := departed(stored.families)) else ""
                said = f"can't be served by this misstep{why}; its people are told"
                say(f"version {one.digest}: {said}")


def _others(study: Study, store: Store) -> tuple[Version, ...]:
    return store.read(lambda on: versions.others(on, study, store.number))


class _Server(uvicorn.Server):
    """Tells when it answers, and not before."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


def _token(given: str | None) -> str:
    if given is not None and not is_token(given):
        raise BadInput("the desk's token must be 43 of A-Z, a-z, 0-9, _ and -")
    return given or secrets.token_urlsafe(32)


def _notes(study: Study, store: Store, host: str, proxy: bool) -> list[str]:
    notes = []
    others = _others(study, store)
    if others:
        notes.append(
            f"the database holds {sum(one.people for one in others)} people of another version of "
            "this study; those under way go on under theirs, and none of them counts here"
        )
    if not _is_local(host) and not proxy:
        notes.append(
            f"{host} can be reached from outside, and without TLS whoever is between reads along: "
            "put a proxy with HTTPS before it (docs/study-server.md)"
        )
    return notes


def _quiet(app: object, proxy: bool) -> uvicorn.Config:
    """No log of requests: addresses of people and tokens have no place in one."""
    return uvicorn.Config(
        app,  # type: ignore[arg-type]  # an application of FastAPI is one of uvicorn's
        access_log=False,
        log_config=None,
        lifespan="on",
        ws="none",
        timeout_graceful_shutdown=_LAST_WORDS,
        timeout_keep_alive=30,
        server_header=False,
        proxy_headers=proxy,
        forwarded_allow_ips=LOCAL if proxy else None,
    )


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(2048)  # a whole lecture hall may come at once
    except (OSError, OverflowError) as error:
        listener.close()
        said = getattr(error, "strerror", None) or error
        raise BadInput(f"--host, --port: {host} {port} can't be had: {said}") from None
    return listener


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host
