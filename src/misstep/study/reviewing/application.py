"""The web application on which a set of faces is reviewed; whoever lacks its token gets nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TypeVar

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from misstep.core.errors import MisstepError
from misstep.core.pictures import MEDIA
from misstep.families.faces.prompts import FIRST, QUESTION
from misstep.families.faces.review.decisions import Decision
from misstep.families.faces.sets import Problem
from misstep.study.local.guarding import HEADERS, HOSTS, Refused, body, document, guarded, plain
from misstep.study.reviewing.page import page
from misstep.study.reviewing.review import Review

T = TypeVar("T")
_DECISIONS: dict[object, Decision | None] = {
    "accept": Decision.ACCEPT,
    "reject": Decision.REJECT,
    None: None,
}


def application(review: Review, token: str, finish: Callable[[], None]) -> Starlette:
    """GET / (the page), /problems and /picture/PROBLEM/PLACE; POST /decide, /undo and /finish.

    A problem is named by its place in the set, so that no name of a file comes from outside.
    """

    async def show(request: Request) -> Response:
        return document(page, "'self' data:")

    async def problems(request: Request) -> Response:
        every = [_shown(problem) for problem in review.problems]
        return plain({"words": [FIRST, QUESTION], "problems": every, **_state(review)})

    async def picture(request: Request) -> Response:
        problem, place = _named(review, request)
        ending = problem.shots[place].file[-4:]
        try:
            content = review.content(problem, place)
        except MisstepError as error:
            raise Refused(404, str(error)) from None
        return Response(content, media_type=MEDIA[ending], headers=HEADERS)

    async def decide(request: Request) -> Response:
        said = await body(request, ("problem", "decision"))
        _kept(lambda: review.decide(*_decided(review, said)))
        return plain(_state(review))

    async def undo(request: Request) -> Response:
        name = _kept(review.undo)
        return plain({"undone": name, **_state(review)})

    async def end(request: Request) -> Response:
        finish()
        return plain(_state(review))

    routes = [
        Route("/", guarded(show, token)),
        Route("/problems", guarded(problems, token)),
        Route("/picture/{problem:int}/{place:int}", guarded(picture, token)),
        Route("/decide", guarded(decide, token), methods=["POST"]),
        Route("/undo", guarded(undo, token), methods=["POST"]),
        Route("/finish", guarded(end, token), methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=[HOSTS])


def _kept(work: Callable[[], T]) -> T:
    """A disk that takes no more is no fault of the page: it says so, and stays."""
    try:
        return work()
    except MisstepError as error:
        raise Refused(507, str(error)) from None


def _named(review: Review, request: Request) -> tuple[Problem, int]:
    number, place = int(request.path_params["problem"]), int(request.path_params["place"])
    if number >= len(review.problems) or place >= len(review.problems[number].shots):
        raise Refused(404, "there is no such picture in this set")
    return review.problems[number], place


def _decided(review: Review, said: dict[str, object]) -> tuple[Problem, Decision | None]:
    problem = next((one for one in review.problems if one.id == said["problem"]), None)
    if problem is None:
        raise Refused(404, f"problem: {str(said['problem'])[:60]!r} is none of this set's")
    decision = said["decision"]
    if not (decision is None or isinstance(decision, str)) or decision not in _DECISIONS:
        raise Refused(422, f"decision: {str(decision)[:60]!r} is none of accept, reject, null")
    return problem, _DECISIONS[decision]


def _state(review: Review) -> dict[str, object]:
    return {"decided": review.now, "can_undo": review.can_undo}


def _shown(problem: Problem) -> dict[str, object]:
    return {
        "id": problem.id,
        "source": problem.source,
        "attributes": asdict(problem.attributes) if problem.attributes else {},
        "truth": int(problem.truth),
        "distances": problem.distances,
        "beside": problem.beside,
        "take": problem.take,
    }
