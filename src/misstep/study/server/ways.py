"""Everybody's way through the study: entered, answered, left; one request of a person at a time.

What stands in memory here is a copy of what the store has and can be lost at any moment; the store
alone decides, so two servers on one database agree.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import ParamSpec, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from misstep.study.course.nouns import Study
from misstep.study.course.stored import restored
from misstep.study.course.way import step
from misstep.study.screens import fit
from misstep.study.server.standing import Standing, moved, standing
from misstep.study.store import answers, events, people, versions
from misstep.study.store.nouns import Gate, Kept, Participant, Refusal, Sent, State
from misstep.study.store.opening import Store
from misstep.study.store.people import Entered, Visitor, hashed
from misstep.study.store.writing import Away

T = TypeVar("T")
P = ParamSpec("P")
PATIENCE = 20.0
"""Seconds after which a database that says nothing counts as away."""
_MOST_CACHED = 2_000
_READERS = 4


class Unknown(Exception):
    """Nobody has this token; perhaps somebody had it."""


class Unserved(Exception):
    """The version of the study under which the person began can't be served by this misstep."""


class Elsewhere(Exception):
    """The answer isn't for where the person is, which is `at`."""

    def __init__(self, at: Standing) -> None:
        super().__init__("the person is elsewhere")
        self.at = at


@dataclass(frozen=True)
class _Read:
    who: Participant
    kept: tuple[Kept, ...]


class Ways:
    """`clock` is the milliseconds of UTC since 1970, as far as this machine knows."""

    def __init__(self, study: Study, store: Store, clock: Callable[[], int]) -> None:
        self.gate = Gate()
        self._study, self._store, self._clock = study, store, clock
        self._versions: dict[int, Study | None] = {store.number: study}
        self._cached: dict[str, Standing] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        # Drawing the next screen is work for a processor: one at a time, off the event loop.
        self._thinking = ThreadPoolExecutor(1, "misstep-thinking")
        self._reading = ThreadPoolExecutor(_READERS, "misstep-reading")

    def knows(self, token: str) -> bool:
        """Without a look into the store."""
        return hashed(token) in self._cached

    async def refresh(self) -> None:
        """What the store says of pausing and closing, perhaps by another server's desk."""
        self.gate = await self._seen(lambda on: events.gate(on, self._store.number))

    async def enter(self, visitor: Visitor) -> Entered | Refusal:
        first, now = step(self._study, 0, ()).key, self._clock()
        return await self._durably(
            lambda on: people.enter(on, self._study, self._store.number, visitor, first, now)
        )

    async def at(self, token: str) -> Standing:
        """Unknown where the token is nobody's."""
        name = hashed(token)
        async with self._alone(name):
            return self._cached.get(name) or await self._read(name)

    async def answer(self, token: str, sent: Sent) -> Standing:
        """Where the person stands when the answer is durable. Unknown, Elsewhere, or screens.Unfit
        where the answer can't be kept."""
        name, key = hashed(token), sent.given.key
        async with self._alone(name):
            here = self._cached.get(name)
            for _ in range(2):
                if here is None or (key != here.step.key and not here.has(key, sent.once)):
                    here = await self._read(name)
                if here.has(key, sent.once):
                    return here
                if key != here.step.key or here.who.state is not State.UNDER_WAY:
                    raise Elsewhere(here)
                if (after := await self._kept(name, here, sent)) is not None:
                    return after
                # Another server was faster, or the slot was given back: the store knows which.
                here = None
            raise Elsewhere(await self._read(name))

    async def withdraw(self, token: str) -> Standing:
        name, now = hashed(token), self._clock()
        async with self._alone(name):
            who = (await self._read(name)).who
            self._cached.pop(name, None)
            await self._durably(lambda on: people.end(on, who.id, State.WITHDRAWN, now))
            return await self._read(name)

    def forget(self, public: str) -> None:
        """Nothing of somebody who was deleted stays in memory."""
        for name in [name for name, one in self._cached.items() if one.who.public == public]:
            del self._cached[name]

    def close(self) -> None:
        self._thinking.shutdown()
        self._reading.shutdown()

    async def _kept(self, name: str, here: Standing, sent: Sent) -> Standing | None:
        given = replace(sent.given, answer=fit(here.step.screen, sent.given.answer))
        study = await self._version(here.who)
        after, then = await self._think(moved, study, here, given, sent.once)
        whole, now = replace(sent, given=given), self._clock()
        # Until the store has confirmed it, nothing in memory says where the person stands.
        self._cached.pop(name, None)
        if not await self._durably(
            lambda on: answers.keep(on, here.who.id, name, whole, then, now)
        ):
            return None
        self._remember(name, after)
        return after

    async def _read(self, name: str) -> Standing:
        found = await self._looked_up(name)
        if found.who.state is State.TIMED_OUT:
            now = self._clock()
            if await self._durably(lambda on: people.regain(on, found.who, now)):
                found = await self._looked_up(name)
        study = await self._version(found.who)
        here = await self._think(standing, study, found.who, found.kept)
        self._remember(name, here)
        return here

    async def _looked_up(self, name: str) -> _Read:
        def job(connection: Connection) -> _Read | None:
            who = people.of_token(connection, self._study, name)
            return None if who is None else _Read(who, answers.kept_of(connection, who.id))

        found = await self._seen(job)
        if found is None:
            self._cached.pop(name, None)
            raise Unknown
        return found

    async def _version(self, who: Participant) -> Study:
        """The study that the person consented to, which may be older than the one that is served.
        Unserved where this misstep can't serve it, which is tried once."""
        if who.study not in self._versions:
            stored = await self._seen(lambda on: versions.stored(on, who.study))
            self._versions[who.study] = await self._think(restored, stored)
        found = self._versions[who.study]
        if found is None:
            raise Unserved
        return found

    def _remember(self, name: str, here: Standing) -> None:
        """Who is under way: others may be given their slot again, which the store knows."""
        self._cached.pop(name, None)
        if here.who.state is State.UNDER_WAY:
            self._cached[name] = here
        if len(self._cached) > _MOST_CACHED:
            del self._cached[next(iter(self._cached))]

    def _alone(self, name: str) -> asyncio.Lock:
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = asyncio.Lock()
        return lock

    async def _durably(self, job: Callable[[Connection], T]) -> T:
        return await _in_time(asyncio.wrap_future(self._store.write(job)))

    async def _seen(self, job: Callable[[Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        return await _in_time(loop.run_in_executor(self._reading, self._store.read, job))

    async def _think(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thinking, lambda: work(*args, **kwargs))


async def _in_time(future: asyncio.Future[T]) -> T:
    try:
        # Not wait_for: in Python 3.11 it forgets that it was cancelled where the reply is there.
        async with asyncio.timeout(PATIENCE):
            return await future
    except TimeoutError:
        raise Away("the database doesn't answer") from None
