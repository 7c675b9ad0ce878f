"""The desk's addresses; all but the page itself, which holds nothing, need the desk's token."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from misstep.study.course.nouns import Study
from misstep.study.local.guarding import document
from misstep.study.server import limits
from misstep.study.server.desk import figures
from misstep.study.server.desk.book import Book, Page
from misstep.study.server.desk.page import page
from misstep.study.server.limits import Limit, network
from misstep.study.server.requests import Refused, address, bearer, body
from misstep.study.server.ways import Ways
from misstep.study.store import answers, events, people, versions
from misstep.study.store.nouns import Overruling
from misstep.study.store.opening import Store
from misstep.study.trials.planbench.judging import OVERRIDES

_LONGEST_NOTE = 2_000
Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Download:
    """A file that the desk offers; `make` is called anew each time, in a thread of its own."""

    name: str
    media_type: str
    make: Callable[[], bytes]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Turning(_Body):
    action: Literal["paused", "resumed", "closed", "reopened"]


class _Deleting(_Body):
    """`typed` is the same id, typed by hand: so that nobody is deleted by a slip."""

    participant: Annotated[str, Field(max_length=32)]
    typed: Annotated[str, Field(max_length=32)]


class _Overruling(_Body):
    participant: Annotated[str, Field(max_length=32)]
    trial: Annotated[int, Field(ge=0, le=100_000)]
    reading: Literal["optimal", "valid", "invalid", "unreadable"]
    note: Annotated[str, Field(max_length=_LONGEST_NOTE)] = ""


def routes(
    study: Study,
    store: Store,
    ways: Ways,
    token: str,
    downloads: Sequence[Download],
    clock: Callable[[], int],
) -> list[BaseRoute]:
    """GET /desk, and under /desk/api: GET state, texts/ID, download/NAME; POST gate, delete,
    overrule."""
    desk = _Desk(study, store, ways, tuple(downloads), clock)
    wrong = Limit(limits.OF_WRONG_TOKENS, time.monotonic)

    async def show(_request: Request) -> Response:
        return document(page, "data:")

    guarded = (
        ("GET", "/desk/api/state", desk.state),
        ("GET", "/desk/api/texts/{public}", desk.texts),
        ("GET", "/desk/api/download/{name}", desk.download),
        ("POST", "/desk/api/gate", desk.turn),
        ("POST", "/desk/api/delete", desk.delete),
        ("POST", "/desk/api/overrule", desk.overrule),
    )
    return [
        Route("/desk", show, methods=["GET"]),
        *(
            Route(path, _guarded(handler, token, wrong), methods=[method])
            for method, path, handler in guarded
        ),
    ]


def _guarded(handler: Handler, token: str, wrong: Limit) -> Handler:
    async def answer(request: Request) -> Response:
        where = network(address(request))
        if wrong.is_spent(where):
            raise Refused(429, "too many wrong tokens", retry_after=10)
        if not secrets.compare_digest(bearer(request), token):
            wrong.take(where)
            raise Refused(401, "this is not the desk's token; use the address that misstep printed")
        return await handler(request)

    return answer


class _Desk:
    def __init__(
        self,
        study: Study,
        store: Store,
        ways: Ways,
        downloads: tuple[Download, ...],
        clock: Callable[[], int],
    ) -> None:
        self._study, self._store, self._ways = study, store, ways
        self._downloads, self._clock = {one.name: one for one in downloads}, clock
        self._book = Book(study, store)

    async def state(self, _request: Request) -> Response:
        now = self._clock()
        return JSONResponse(await asyncio.to_thread(self._figures, now))

    async def texts(self, request: Request) -> Response:
        page = await self._page(request.path_params["public"])
        readings = await asyncio.to_thread(
            self._store.read, lambda on: answers.overrulings(on, page.who.id)
        )
        found = [asdict(one) for one in figures.written(page, readings)]
        return JSONResponse({"written": found, "readings": OVERRIDES})

    async def download(self, request: Request) -> Response:
        found = self._downloads.get(request.path_params["name"])
        if found is None:
            raise Refused(404, "there is no such download")
        content = await asyncio.to_thread(found.make)
        headers = {"Content-Disposition": f'attachment; filename="{found.name}"'}
        return Response(content, media_type=found.media_type, headers=headers)

    async def turn(self, request: Request) -> Response:
        asked, number, now = await body(request, _Turning), self._store.number, self._clock()
        await self._write(lambda on: events.note(on, number, asked.action, now))
        await self._ways.refresh()
        return await self.state(request)

    async def delete(self, request: Request) -> Response:
        asked, number, now = await body(request, _Deleting), self._store.number, self._clock()
        if asked.typed.strip() != asked.participant:
            raise Refused(422, "typed: it is not the id of this participant; nothing was deleted")
        if not await self._write(lambda on: people.remove(on, number, asked.participant, now)):
            raise Refused(404, "there is no such participant")
        self._ways.forget(asked.participant)
        await asyncio.to_thread(self._store.wipe)
        return await self.state(request)

    async def overrule(self, request: Request) -> Response:
        asked, now = await body(request, _Overruling), self._clock()
        page = await self._page(asked.participant)
        if asked.trial not in [one.trial for one in figures.written(page, {})]:
            raise Refused(422, f"trial: {asked.trial} has no text that could be read")
        reading = Overruling(asked.trial, asked.reading, asked.note, now)
        await self._write(lambda on: answers.overrule(on, page.who, reading))
        return JSONResponse({})

    async def _page(self, public: str) -> Page:
        pages = await asyncio.to_thread(self._book.pages)
        found = next((one for one in pages if one.who.public == public), None)
        if found is None:
            raise Refused(404, "there is no such participant")
        return found

    async def _write(self, job: Callable[[Connection], object]) -> object:
        return await asyncio.wrap_future(self._store.write(job))

    def _figures(self, now: int) -> dict[str, object]:
        pages, gate = self._book.pages(), self._ways.gate
        others = self._store.read(lambda on: versions.others(on, self._study, self._store.number))
        return {
            "title": self._study.title,
            "quota": self._study.people,
            "held": sum(one.who.state.keeps_slot for one in pages),
            "paused": gate.paused,
            "closed": gate.closed,
            "states": figures.states(pages),
            "arms": [asdict(one) for one in figures.arms(self._study, pages)],
            "stops": [asdict(one) for one in figures.stops(pages)],
            "people": [asdict(figures.line(one, now)) for one in pages],
            "currency": "" if self._study.bonus is None else self._study.bonus.currency,
            "versions": [asdict(one) for one in others],
            "downloads": list(self._downloads),
        }
