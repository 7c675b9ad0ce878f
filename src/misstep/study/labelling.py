"""The web application on which one person labels; whoever lacks its token gets nothing."""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from misstep.study.page import page
from misstep.study.questions import Answer
from misstep.study.session import Choice, Session, Turn

LARGEST_BODY = 4_000
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
Handler = Callable[[Request], Awaitable[Response]]


class Refused(ValueError):
    """A request that isn't carried out; `status` and one line say why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


def application(session: Session, token: str, finish: Callable[[], None]) -> Starlette:
    """GET / (the page) and /state; POST /label, /undo and /finish. `finish` ends the serving.

    Every request carries the token. Answers are the state: progress, and the question at hand.
    """

    async def show(request: Request) -> Response:
        nonce = secrets.token_urlsafe(16)
        policy = {"Content-Security-Policy": _POLICY.format(nonce=nonce)}
        return HTMLResponse(page(nonce), headers=_HEADERS | policy)

    async def state(request: Request) -> Response:
        return _state(session)

    async def label(request: Request) -> Response:
        turn, choice = _judged(session, await _body(request))
        session.judge(turn, choice)
        return _state(session)

    async def undo(request: Request) -> Response:
        session.undo()
        return _state(session)

    async def end(request: Request) -> Response:
        finish()
        return _state(session)

    routes = [
        Route("/", _guarded(show, token)),
        Route("/state", _guarded(state, token)),
        Route("/label", _guarded(label, token), methods=["POST"]),
        Route("/undo", _guarded(undo, token), methods=["POST"]),
        Route("/finish", _guarded(end, token), methods=["POST"]),
    ]
    # A page of another name that resolves to this machine may not speak for the labeller.
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])
    return Starlette(routes=routes, middleware=[hosts])


def _guarded(handler: Handler, token: str) -> Handler:
    async def guarded(request: Request) -> Response:
        given = request.query_params.get("token", "")
        if not secrets.compare_digest(given.encode(), token.encode()):
            return _refusal(403, "the address lacks its token; use the one that misstep printed")
        try:
            return await handler(request)
        except Refused as refused:
            return _refusal(refused.status, str(refused))

    return guarded


def _refusal(status: int, why: str) -> Response:
    return JSONResponse({"error": why}, status, headers=_HEADERS)


async def _body(request: Request) -> dict[str, object]:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise Refused(413, f"the body is longer than {LARGEST_BODY} bytes")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "the body is no JSON") from None
    if not isinstance(found, dict) or set(found) != {"question", "choice"}:
        raise Refused(400, "the body is not {question, choice}")
    return found


def _judged(session: Session, body: dict[str, object]) -> tuple[Turn, Choice]:
    turn = session.turn(str(body["question"]))
    if turn is None:
        raise Refused(404, f"question: {str(body['question'])[:60]!r} is none of this page's")
    choices = turn.choices()
    said = next((choice for choice in choices if choice == body["choice"]), None)
    if said is None:
        raise Refused(422, f"choice: {str(body['choice'])[:60]!r} is none of {', '.join(choices)}")
    return turn, said


def _state(session: Session) -> Response:
    turn = session.current
    plain = {
        "labeller": session.labeller,
        "done": len(session.said),
        "total": len(session.turns),
        "question": None if turn is None else _turn(turn),
    }
    return JSONResponse(plain, headers=_HEADERS)


def _turn(turn: Turn) -> dict[str, object]:
    question = turn.question
    return {
        "id": question.id,
        "words": question.words,
        "pictures": list(question.pictures),
        "missing": question.missing,
        "left": _side(turn.left),
        "right": _side(turn.right),
        "choices": turn.choices(),
    }


def _side(side: Answer) -> dict[str, object]:
    return {"answer": side.answer, "reply": side.reply, "note": side.note}
