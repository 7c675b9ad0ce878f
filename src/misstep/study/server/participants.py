"""The participant's side of the protocol: enter, the step at hand, an answer, leaving."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from misstep.study.course.nouns import Study
from misstep.study.course.texts import said
from misstep.study.server.bodies import Answering, Entering, Nothing
from misstep.study.server.limits import Limit, network
from misstep.study.server.requests import Refused, address, bearer, body
from misstep.study.server.standing import Standing, refused, with_pause
from misstep.study.server.ways import Elsewhere, Unknown, Unserved, Ways
from misstep.study.store.nouns import Refusal
from misstep.study.store.people import Visitor


@dataclass(frozen=True)
class Limits:
    tokens: Limit
    entering: Limit
    wrong: Limit


def routes(study: Study, ways: Ways, limits: Limits) -> list[BaseRoute]:
    """POST /api/enter, /api/answer, /api/withdraw; GET /api/step."""
    unknown = said(study, "not_known")

    async def enter(request: Request) -> Response:
        limits.entering.take(network(address(request)))
        asked = await body(request, Entering)
        kept_address = address(request) if study.keep_addresses else None
        found = await ways.enter(Visitor(asked.recruited, asked.once, kept_address))
        if found is Refusal.TOOK_PART:
            raise Refused(403, said(study, "took_part"))
        if isinstance(found, Refusal):
            return _reply("screen", refused(study, found), ways, token="")
        here = await ways.at(found.token)
        return _reply("screen", here.shown, ways, token=found.token)

    async def at(request: Request) -> Response:
        token = _token(request, ways, limits)
        here = await _known(request, limits, unknown, lambda: ways.at(token))
        return _json(with_pause(here.shown, is_paused=ways.gate.paused))

    async def answer(request: Request) -> Response:
        token = _token(request, ways, limits)
        sent = (await body(request, Answering)).sent
        try:
            here = await _known(request, limits, unknown, lambda: ways.answer(token, sent))
        except Elsewhere as elsewhere:
            return _elsewhere(elsewhere.at, ways)
        return _reply("step", here.shown, ways)

    async def withdraw(request: Request) -> Response:
        token = _token(request, ways, limits)
        await body(request, Nothing)
        here = await _known(request, limits, unknown, lambda: ways.withdraw(token))
        return _reply("step", here.shown, ways)

    return [
        Route("/api/enter", enter, methods=["POST"]),
        Route("/api/step", at, methods=["GET"]),
        Route("/api/answer", answer, methods=["POST"]),
        Route("/api/withdraw", withdraw, methods=["POST"]),
    ]


def _token(request: Request, ways: Ways, limits: Limits) -> str:
    """The token, if it may ask now. Who guesses tokens is stopped before the store is asked."""
    token = bearer(request)
    limits.tokens.take(token)
    if not ways.knows(token) and limits.wrong.is_spent(network(address(request))):
        raise Refused(429, "too many requests with unknown tokens", retry_after=10)
    return token


async def _known(
    request: Request, limits: Limits, unknown: str, act: Callable[[], Awaitable[Standing]]
) -> Standing:
    try:
        return await act()
    except Unknown:
        limits.wrong.take(network(address(request)))
        raise Refused(401, unknown) from None
    except Unserved:  # whose token it is, is known: this is no guessing
        raise Refused(401, unknown) from None


def _elsewhere(here: Standing, ways: Ways) -> Response:
    error = json.dumps("this screen is not the one at hand; its answer was not kept")
    shown = with_pause(here.shown, is_paused=ways.gate.paused)
    return _json(f'{{"error": {error}, "step": {shown}}}', status=409)


def _reply(name: str, shown: str, ways: Ways, token: str | None = None) -> Response:
    first = "" if token is None else f'"token": {json.dumps(token)}, '
    return _json(f'{{{first}"{name}": {with_pause(shown, is_paused=ways.gate.paused)}}}')


def _json(text: str, status: int = 200) -> Response:
    return Response(text, status, media_type="application/json")
