"""What a call that fails gets: another try, so often; then its question is left for the next run.

The runner tries again by itself, without end and without a word. Here is when it stops, what is
said meanwhile, and the count of it all.
"""

from __future__ import annotations

import errno
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import anyio
from inspect_ai.model import GenerateConfig, Model, ModelAPI
from tenacity import RetryCallState, wait_exponential_jitter

from misstep.core.errors import BadInput, MisstepError
from misstep.core.faults import Fault, Faults, duration
from misstep.runner.calls.failing import TIMEOUT, Failure, asked_wait, decide, failure_of

Answer = TypeVar("Answer")
MOST_RETRIES = 10
"""With the waits below, about five minutes of failing for one question."""
_USUAL_WAIT = wait_exponential_jitter(1, 60, jitter=1)
_LONGEST = 900.0
"""Seconds after a question's first failure in which it may be tried again; the longest wait that a
server can ask for."""
_ON_PROBATION = 3
"""Tries again of a question after others were given up, and as long as nothing is answered."""
_GRACE, _LOOK = 60.0, 0.02
"""Seconds in which calls under way may come to their end before a run stops; and between looks."""
UNANSWERED = "unanswered"
"""Of a sample's metadata: why its question was given up."""
IN_A_ROW = 5
"""Questions given up with no answer between them: it is the model that is gone, not a question."""
_FIRST_WORD, _NEXT_WORD = 3.0, 10.0
"""Seconds without an answer, since a call failed, until something is said; and again, at least."""

_FULL = (errno.EFBIG, errno.ENOSPC, errno.EDQUOT)

_told: ContextVar[Callable[[str], None] | None] = ContextVar("misstep_waiting", default=None)


@dataclass(frozen=True)
class Tries:
    """How often a call that fails is made again, and after how many seconds it counts as failed.

    `attempt_timeout` None: the provider's own.
    """

    max_retries: int = MOST_RETRIES
    attempt_timeout: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.max_retries <= 1_000:
            raise BadInput(f"--max-retries: {self.max_retries} is not from 0 to 1000")
        if self.attempt_timeout is not None and not 1 <= self.attempt_timeout <= 86_400:
            raise BadInput(f"--attempt-timeout: {self.attempt_timeout} is not from 1 to 86400")


USUAL = Tries()


class Unanswered(MisstepError):
    """A question was given up; the next run asks it again."""


class Gone(MisstepError):
    """Nothing is answered any more."""


@contextmanager
def telling(listener: Callable[[str], None]) -> Iterator[None]:
    """Within it the listener hears, in a line, what a run is waiting for."""
    token = _told.set(listener)
    try:
        yield
    finally:
        _told.reset(token)


def say(line: str) -> None:
    """To whoever listens."""
    listener = _told.get()
    if listener is not None:
        listener(line)


@dataclass
class _Failing:
    """A question under way whose calls have failed so far: when first, when last, how often."""

    first: float
    last: float
    count: int = 0


@dataclass
class _Silence:
    """How long a model has answered nothing, since a call failed; `given_up` questions in a row."""

    since: float | None = None
    failed: int = 0
    next_word: float = 0.0
    given_up: int = 0


@dataclass
class Patience:
    """That of one process with its models. `reasons`: why questions were given up, and how many.

    With `is_strict` no question may be left: giving one up ends the run.
    """

    tries: Tries = USUAL
    is_strict: bool = False
    reasons: Counter[str] = field(default_factory=Counter)
    _calls: Counter[Fault] = field(default_factory=Counter)
    _waited: float = 0.0
    _failing: dict[str, _Failing] = field(default_factory=dict)
    _underway: set[str] = field(default_factory=set)
    _cut_off: set[str] = field(default_factory=set)
    _silences: dict[str, _Silence] = field(default_factory=dict)
    _ending: int = 0

    def faults(self, left: int = 0) -> Faults:
        """The counts so far."""
        calls = {fault.value: self._calls[fault] for fault in Fault if self._calls[fault]}
        return Faults(calls, round(self._waited, 1), left)

    async def trying(
        self,
        model: Model,
        question: str,
        config: GenerateConfig,
        call: Callable[[], Awaitable[Answer]],
    ) -> Answer:
        """One call, beneath the runner's own tries.

        An error that is to be tried again passes through; for any other `Unanswered` is raised in
        its place, or `Gone`. Errors of our own, such as an empty purse, are no fault of the model.
        """
        while self._ending:  # noqa: ASYNC110 (seldom, and soon over; an event belongs to one loop)
            await anyio.sleep(_LOOK)
        self._begin(model, question, config)
        self._underway.add(question)
        try:
            answer = await call()
        except BaseException as error:
            self._underway.remove(question)
            # What cuts a call off from outside is known only when it is tried again, or isn't.
            if not isinstance(error, Exception):
                self._cut_off.add(question)
                raise
            if _is_our_own(error):
                raise
            try:
                self._failed(model, question, failure_of(model.api, error), config, error)
            except Gone as gone:
                raise await self._settled(model, gone) from error
            # The runner draws every failed try with all its frames, for a fifth of a second.
            raise error.with_traceback(None) from None
        self._underway.remove(question)
        self._failing.pop(question, None)
        self._silences[str(model)] = _Silence()
        return answer

    async def _settled(self, model: Model, gone: Gone) -> MisstepError:
        """What is under way may be answered yet, and is paid for: wait, and begin nothing new.

        Where something was answered, the model is not gone after all.
        """
        self._ending += 1
        with anyio.move_on_after(_GRACE):
            while self._underway:  # noqa: ASYNC110 (likewise)
                await anyio.sleep(_LOOK)
        silence = self._silences[str(model)]
        if self.is_strict or silence.given_up >= IN_A_ROW:
            return gone
        self._ending -= 1
        return Unanswered(str(gone))

    def _begin(self, model: Model, question: str, config: GenerateConfig) -> None:
        """A try that was cut off from outside, and is followed by another, was out of time."""
        if question in self._cut_off:
            self._cut_off.remove(question)
            self._failed(model, question, TIMEOUT, config, None)
        failing = self._failing.get(question)
        if failing is not None:
            self._waited += time.monotonic() - failing.last

    def _failed(
        self,
        model: Model,
        question: str,
        failure: Failure,
        config: GenerateConfig,
        error: Exception | None,
    ) -> None:
        now = time.monotonic()
        self._calls[failure.fault] += 1
        failing = self._failing.setdefault(question, _Failing(now, now))
        failing.last, failing.count = now, failing.count + 1
        silence = self._silences.setdefault(str(model), _Silence())
        if silence.since is None:
            silence.since, silence.next_word = now, now + _FIRST_WORD
        silence.failed += 1
        if self._may_try(failing, failure, config, silence):
            _tell(model, failure, silence, now)
            return
        del self._failing[question]
        raise self._given_up(failing, failure, silence) from error

    def _may_try(
        self, failing: _Failing, failure: Failure, config: GenerateConfig, silence: _Silence
    ) -> bool:
        most = self.tries.max_retries
        if config.max_retries is not None:
            most = min(most, config.max_retries)
        if silence.given_up:
            most = min(most, _ON_PROBATION)
        is_late = failing.last - failing.first >= _LONGEST or failure.wait >= _LONGEST
        return failure.is_passing and failing.count <= most and not is_late

    def _given_up(self, failing: _Failing, failure: Failure, silence: _Silence) -> MisstepError:
        silence.given_up += 1
        self.reasons[failure.said] += 1
        span = duration(failing.last - failing.first)
        tried = f", tried {failing.count} times in {span}" if failing.count > 1 else ""
        if self.is_strict:
            return Gone(f"{failure.said}{tried}")
        if silence.given_up >= IN_A_ROW:
            return Gone(f"{IN_A_ROW} questions in a row had no answer: {failure.said}{tried}")
        return Unanswered(f"{failure.said}{tried}")


def _is_our_own(error: Exception) -> bool:
    """A full disk, on which no reply can be kept, is none of the model's either."""
    is_full = isinstance(error, OSError) and error.errno in _FULL
    return isinstance(error, MisstepError) or is_full


def _tell(model: Model, failure: Failure, silence: _Silence, now: float) -> None:
    """After the first seconds of silence, then at ever longer distances."""
    if silence.since is None or now < silence.next_word:
        return
    silent = now - silence.since
    silence.next_word = now + max(_NEXT_WORD, silent)
    failed = "1 call" if silence.failed == 1 else f"{silence.failed} calls"
    say(
        f"waiting for {model}: {failure.said}; {failed} failed and none was answered in "
        f"{duration(silent)}; Ctrl-C keeps what is answered"
    )


@contextmanager
def patient(models: Sequence[Model]) -> Iterator[None]:
    """What these model objects try again, and after which wait, for as long as it is open.

    The tries that a provider's client makes by itself are turned off: nothing would count them.
    """
    with ExitStack() as stack:
        for model in models:
            stack.enter_context(_patient(model.api))
        yield


@contextmanager
def _patient(api: ModelAPI) -> Iterator[None]:
    client = getattr(api, "client", None)
    own = getattr(client, "max_retries", None)
    _put(api, "should_retry", partial(decide, api))
    if type(api).retry_wait is ModelAPI.retry_wait:
        _put(api, "retry_wait", lambda: _wait)
    if own is not None:
        _put(client, "max_retries", 0)
    try:
        yield
    finally:
        for name in ("should_retry", "retry_wait"):
            vars(api).pop(name, None)
        if own is not None:
            _put(client, "max_retries", own)


def _put(holder: object, name: str, value: object) -> None:
    setattr(holder, name, value)


def _wait(state: RetryCallState) -> float:
    """Ever longer, up to a minute; where the server asks for longer, that."""
    error = None if state.outcome is None else state.outcome.exception()
    asked = 0.0 if error is None else asked_wait(error)
    return max(_USUAL_WAIT(state), asked)
