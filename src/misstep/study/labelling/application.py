"""The web application on which one person labels; whoever lacks its token gets nothing."""

from __future__ import annotations

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from misstep.study.labelling.page import page
from misstep.study.labelling.questions import Answer
from misstep.study.labelling.session import Choice, Session, Turn
from misstep.study.local.guarding import HOSTS, Refused, body, document, guarded, plain


def application(session: Session, token: str, finish: Callable[[], None]) -> Starlette:
    """GET / (the page) and /state; POST /label, /undo and /finish. `finish` ends the serving.

    Every request carries the token. Answers are the state: progress, and the question at hand.
    """

    async def show(request: Request) -> Response:
        return document(page, "data:")

    async def state(request: Request) -> Response:
        return _state(session)

    async def label(request: Request) -> Response:
        turn, choice = _judged(session, await body(request, ("question", "choice")))
        session.judge(turn, choice)
        return _state(session)

    async def undo(request: Request) -> Response:
        session.undo()
        return _state(session)

    async def end(request: Request) -> Response:
        finish()
        return _state(session)

    routes = [
        Route("/", guarded(show, token)),
        Route("/state", guarded(state, token)),
        Route("/label", guarded(label, token), methods=["POST"]),
        Route("/undo", guarded(undo, token), methods=["POST"]),
        Route("/finish", guarded(end, token), methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=[HOSTS])


def _judged(session: Session, said: dict[str, object]) -> tuple[Turn, Choice]:
    turn = session.turn(str(said["question"]))
    if turn is None:
        raise Refused(404, f"question: {str(said['question'])[:60]!r} is none of this page's")
    choices = turn.choices()
    found = next((choice for choice in choices if choice == said["choice"]), None)
    if found is None:
        raise Refused(422, f"choice: {str(said['choice'])[:60]!r} is none of {', '.join(choices)}")
    return turn, found


def _state(session: Session) -> Response:
    turn = session.current
    found = {
        "labeller": session.labeller,
        "done": len(session.said),
        "total": len(session.turns),
        "question": None if turn is None else _turn(turn),
    }
    return plain(found)


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
