"""Batch interfaces: cheaper answers, hours later; which providers have one, and for what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from inspect_ai.model import BatchConfig, ModelAPI

# The runner prints what its batches do, unless it is told whom to tell; not public names.
from inspect_ai.model._providers.util.batch_log import (
    BatchStatus,
    set_batch_log_callback,
    set_batch_status_callback,
)

from misstep.core.arms import Strategy
from misstep.core.errors import BadInput

if TYPE_CHECKING:
    from misstep.runner.run import Plan, Request

Listener = Callable[[str], None]

USUAL = BatchConfig(size=1_000)
"""A batch goes out with so many requests, or 15 seconds after the one before."""
PROVIDERS = ("anthropic", "google", "grok", "openai", "together")
_HOSTED = ("is_bedrock", "is_vertex", "is_azure")
"""What a provider says of itself where its models stand at another's service without batches."""
_told: ContextVar[Listener | None] = ContextVar("misstep_batches", default=None)


def check(request: Request, made: Plan, workers: int) -> None:
    """BadInput for a run that no batch interface takes, or whose questions wait for each other."""
    if request.batch is None:
        return
    provider = str(made.model).partition("/")[0]
    if provider not in PROVIDERS or any(_says(made.model.api, name) for name in _HOSTED):
        raise BadInput(
            f"--batch: {made.model} has no batch interface that is known; {', '.join(PROVIDERS)} "
            "have one"
        )
    if request.watcher is not None:
        raise BadInput("--batch: a run in one batch leaves --sequential nothing to look at")
    if workers > 1:
        raise BadInput("--batch: a batch takes all questions at once; leave out --workers and --on")
    if request.family.conversation is not None:
        raise BadInput(
            f"--batch: a conversation of {request.family.spec.name} asks turn by turn, each in a "
            "batch of its own"
        )
    for arm in made.arms:
        if arm.strategy is Strategy.FEEDBACK:
            raise BadInput(f"--batch: {arm.name} asks round by round, each in a batch of its own")


@contextmanager
def telling(listener: Listener) -> Iterator[None]:
    """Within it the listener hears, in a line, what the batches do."""
    token = _told.set(listener)
    try:
        yield
    finally:
        _told.reset(token)


@contextmanager
def heard() -> Iterator[None]:
    """Within it batches tell whoever listens, and print nothing; a state once, until it changes."""
    said = ""

    def tell(line: str) -> None:
        nonlocal said
        listener = _told.get()
        if listener is not None and line != said:
            listener(line)
        said = line

    # What is told of the making and the end of a batch is in its numbers.
    set_batch_log_callback(lambda line: tell(line) if line.startswith("Error") else None)
    set_batch_status_callback(lambda status: tell(_line(status)) if status.batch_count else None)
    try:
        yield
    finally:
        set_batch_log_callback(None)
        set_batch_status_callback(None)


def _line(status: BatchStatus) -> str:
    batches = "1 batch" if status.batch_count == 1 else f"{status.batch_count} batches"
    failed = f", {status.failed_requests} failed" if status.failed_requests else ""
    return (
        f"{batches} at the provider: {status.completed_requests} answered{failed}, "
        f"{status.pending_requests} to come"
    )


def _says(api: ModelAPI, name: str) -> bool:
    """The provider's own word on its model; these methods are not among the base class's."""
    method: Callable[[], bool] | None = getattr(api, name, None)
    return False if method is None else bool(method())
