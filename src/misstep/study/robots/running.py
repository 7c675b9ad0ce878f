"""All robots at once against one server, and what came of it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field

from misstep.study.course.nouns import Study
from misstep.study.export.opening import found_store
from misstep.study.robots.crowd import Robot
from misstep.study.robots.mind import Answer, Leave, Mind, Places, Shown
from misstep.study.robots.walking import Pace, Way, walk
from misstep.study.robots.wire import HttpWire, Patient, client
from misstep.study.store import answers, people
from misstep.study.trials.nouns import Given

AT_ONCE = 20
"""Robots under way at a time, where nothing else is said."""

ANSWERING = "/api/answer"


@dataclass(frozen=True)
class Walked:
    """A robot, how its way went, and its place in the study with the answers it gave there."""

    robot: Robot
    way: Way
    slot: int
    given: tuple[Given, ...]


@dataclass(frozen=True)
class Result:
    """`took` are the milliseconds of each answer's reply, empty where browsers measured none."""

    walked: tuple[Walked, ...]
    took: tuple[float, ...] = field(default=())


def over_http(
    study: Study,
    address: str,
    robots: Sequence[Robot],
    pace: Pace,
    ended: Callable[[Way], None],
    at_once: int = AT_ONCE,
) -> Result:
    """`ended` is told of each robot when its way is over."""
    return asyncio.run(_over_http(study, address, robots, pace, ended, at_once))


async def _over_http(
    study: Study,
    address: str,
    robots: Sequence[Robot],
    pace: Pace,
    ended: Callable[[Way], None],
    at_once: int,
) -> Result:
    places, took = Places(study), list[float]()
    entering, room = asyncio.Lock(), asyncio.Semaphore(at_once)

    def note(path: str, ms: float) -> None:
        if path == ANSWERING:
            took.append(ms)

    async def one(robot: Robot, wire: HttpWire, thinking: Executor) -> Walked:
        async with room:
            mind = Mind(places, robot)
            brain = _Aside(mind, thinking)
            way = await walk(Patient(wire, note), robot, brain, pace, entering)
            ended(way)
            return Walked(robot, way, mind.slot, mind.given)

    with ThreadPoolExecutor(1, "misstep-robots") as thinking:
        async with client(address, at_once) as connections:
            wire = HttpWire(connections)
            walked = await _all([one(robot, wire, thinking) for robot in robots])
    return Result(walked, tuple(took))


async def _all(ways: Sequence[Coroutine[None, None, Walked]]) -> tuple[Walked, ...]:
    """The first robot that fails ends all of them."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(way) for way in ways]
    except BaseExceptionGroup as failed:
        raise failed.exceptions[0] from None
    return tuple(task.result() for task in tasks)


class _Aside:
    """A mind that thinks in a thread, so that nobody's reply waits, and is timed, while it does."""

    def __init__(self, mind: Mind, thinking: Executor) -> None:
        self._mind, self._thinking = mind, thinking
        self.confirmed = mind.confirmed

    async def act(self, shown: Shown) -> Answer | Leave:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thinking, self._mind.act, shown)


def lost(study: Study, database: str, result: Result) -> tuple[str, ...]:
    """Marks of confirmed answers that the database doesn't hold exactly once."""
    with found_store(database, study) as store:
        everyone = store.read(lambda on: people.everyone(on, store.number))
        kept = Counter(
            one.sent.once
            for who in everyone
            for one in store.read(lambda on, who=who: answers.kept_of(on, who.id))  # type: ignore[misc]  # bound now
        )
    confirmed = (once for one in result.walked for once in one.way.onces)
    return tuple(once for once in confirmed if kept[once] != 1)
