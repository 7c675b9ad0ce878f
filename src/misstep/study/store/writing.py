"""The one writer: what comes while a commit is under way is committed together, next.

So 300 people who answer at once wait for a few flushes of the disk, not for 300, and nobody is told
of an answer before the disk has it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, exc

from misstep.core.errors import MisstepError
from misstep.study.store import connecting

T = TypeVar("T")
Job = Callable[[Connection], T]
MOST_AT_ONCE = 200
"""Jobs in one commit: bounds how long the first of them waits for the last."""


GONE = (exc.OperationalError, exc.InterfaceError, exc.TimeoutError)


class Away(MisstepError):
    """The database can't be had at the moment; nothing of the job was confirmed."""


@dataclass(frozen=True)
class _Asked:
    job: Job[Any]  # Any: each job has its own result
    future: Future[Any]  # Any: likewise


class Writer:
    """A thread with a queue. `say` is told once when the database goes away, and once when it is
    back; `close` lets the jobs that were handed in come to their end first."""

    def __init__(self, engine: Engine, say: Callable[[str], None]) -> None:
        self._engine = connecting.writing(engine)
        self._say = say
        self._waiting: deque[_Asked] = deque()
        self._change = threading.Condition()
        self._is_closing = self._is_away = False
        self._thread = threading.Thread(target=self._run, name="misstep-writer", daemon=True)
        self._thread.start()

    def submit(self, job: Job[T]) -> Future[T]:
        """The job's result, once it is durable; Away where the database can't be had."""
        future: Future[T] = Future()
        with self._change:
            if self._is_closing:
                raise Away("the store is closed")
            self._waiting.append(_Asked(job, future))
            self._change.notify()
        return future

    def close(self) -> None:
        with self._change:
            self._is_closing = True
            self._change.notify()
        self._thread.join()

    def _run(self) -> None:
        while batch := self._next():
            self._commit([one for one in batch if one.future.set_running_or_notify_cancel()])

    def _next(self) -> list[_Asked]:
        with self._change:
            self._change.wait_for(lambda: self._waiting or self._is_closing)
            count = min(len(self._waiting), MOST_AT_ONCE)
            return [self._waiting.popleft() for _ in range(count)]

    def _commit(self, batch: list[_Asked]) -> None:
        """All in one transaction; if that fails, each alone, so that nobody fails for another."""
        try:
            with self._engine.begin() as connection:
                results = [one.job(connection) for one in batch]
        except BaseException as error:  # handed on to whoever asked
            if len(batch) > 1 and not _is_lost(error):
                for one in batch:
                    self._commit([one])
                return
            self._fail(batch, error)
        else:
            self._note(None)
            for one, result in zip(batch, results, strict=True):
                one.future.set_result(result)

    def _fail(self, batch: list[_Asked], error: BaseException) -> None:
        is_away = isinstance(error, GONE)
        if is_away:
            self._note(error)
        for one in batch:
            one.future.set_exception(Away(said(error)) if is_away else error)

    def _note(self, error: BaseException | None) -> None:
        was_away, self._is_away = self._is_away, error is not None
        if error is not None and not was_away:
            self._say(f"database away: {said(error)}; answers wait in the browsers")
        if error is None and was_away:
            self._say("database back: answers are kept again")


def _is_lost(error: BaseException) -> bool:
    """Whether it is the connection that failed, for all alike."""
    return isinstance(error, exc.DBAPIError) and (
        error.connection_invalidated or not error.statement
    )


def said(error: BaseException) -> str:
    """What the driver said, without the statement and what was in it."""
    words = getattr(error, "orig", None) or error
    return " ".join(str(words).split())[:200]
