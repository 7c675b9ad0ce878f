"""One robot's way through a study over the HTTP interface, from entering to the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from misstep.core.errors import MisstepError
from misstep.study.robots.crowd import Robot
from misstep.study.robots.mind import Answer, Leave, Shown
from misstep.study.robots.wire import Patient, Refused, new_id
from misstep.study.screens import Json

VANISHED, TOOK_PART = "vanished", "took_part"
"""Endings that no screen shows: the page was closed; the person was here before."""
_PAUSE = 2.0


class Brain(Protocol):
    """What decides (`mind.Mind`, which needs not hold up the others while it does)."""

    async def act(self, shown: Shown) -> Answer | Leave: ...

    def confirmed(self, sent: Answer) -> None: ...


@dataclass(frozen=True)
class Way:
    """How it went. `onces` are the marks of the answers that the server confirmed; `code` is what
    the last screen shows."""

    ending: str
    onces: tuple[str, ...]
    code: str = ""


@dataclass(frozen=True)
class Pace:
    """`think` gives the seconds before an answer; `twice` is the share of answers that are sent
    again, as if the first reply had been lost."""

    twice: float = 0.0
    think: Callable[[], float] = lambda: 0.0


async def walk(
    patient: Patient, robot: Robot, brain: Brain, pace: Pace, entering: asyncio.Lock
) -> Way:
    """`entering` is held while the robot enters, so that robots have their places in order."""
    try:
        async with entering:
            shown = await _entered(patient, robot)
    except Refused as refused:
        if refused.reply.status != 403:
            raise
        return Way(TOOK_PART, ())
    onces: list[str] = []
    while (screen := inner(shown["screen"]))["kind"] != "end":
        if shown["paused"]:
            await asyncio.sleep(_PAUSE)
            shown = (await patient.ask("GET", "/api/step")).body
            continue
        act = await brain.act(shown)
        if isinstance(act, Leave):
            if not act.withdraws:
                return Way(VANISHED, tuple(onces))
            shown = inner((await patient.ask("POST", "/api/withdraw", {})).body["step"])
            continue
        await asyncio.sleep(pace.think())
        body = _body(act, shown, len(onces))
        is_twice = robot.chance("twice", act.key).uniform() < pace.twice
        shown = await _answered(patient, body, is_twice=is_twice)
        onces.append(str(body["once"]))
        brain.confirmed(act)
    return Way(str(screen["ending"]), tuple(onces), str(screen["code"]))


async def _entered(patient: Patient, robot: Robot) -> Shown:
    asked = {"person": robot.name, "study": "robots", "session": "", "once": new_id()}
    reply = await patient.ask("POST", "/api/enter", asked)
    patient.token = str(reply.body["token"])
    return inner(reply.body["screen"])


async def _answered(patient: Patient, body: Mapping[str, Json], *, is_twice: bool) -> Shown:
    step = inner((await patient.ask("POST", "/api/answer", body)).body["step"])
    if is_twice:
        again = inner((await patient.ask("POST", "/api/answer", body)).body["step"])
        if again["key"] != step["key"]:
            raise MisstepError(
                f"the same answer sent twice leads to {step['key']} and then to {again['key']}"
            )
    return step


def _body(act: Answer, shown: Shown, index: int) -> dict[str, Json]:
    """As the page sends it, with a row like jsPsych's."""
    row: dict[str, Json] = {
        "trial_type": f"misstep-{inner(shown['screen'])['kind']}",
        "trial_index": index,
        "rt": act.rt_ms,
        "response": act.answer,
        "step": act.key,
        "part": shown["part"],
    }
    return {
        "key": act.key,
        "once": new_id(),
        "answer": act.answer,
        "rt_ms": act.rt_ms,
        "signs": [],
        "row": row,
    }


def inner(value: Json) -> Mapping[str, Json]:
    """An object within a reply."""
    if not isinstance(value, Mapping):
        raise TypeError("a reply of this protocol holds an object here")
    return value
